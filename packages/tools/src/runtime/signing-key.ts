import { FleetError } from "@fleetwire/core";
import { bytesOfBinary } from "./base64url.ts";

const MIN_BYTES = 32;

function decode(key: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = bytesOfBinary(atob(key));
    return bytes.length >= MIN_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Describes what is wrong with the key that signs confirmation tokens and derives pseudonyms (FLEET_SEAL_KEY). */
export const signingKeyProblem = (key: string): string | undefined =>
  decode(key) ? undefined : `must be at least ${MIN_BYTES} bytes in base64`;

/**
 * Returns a function that returns the bytes of a key, or random bytes if there is no key. These are generated on first use, because edge
 * runtimes have no randomness before their first request.
 */
export function signingKey(key: string | undefined): () => Uint8Array<ArrayBuffer> {
  let bytes = key === undefined ? undefined : decode(key);
  if (key !== undefined && bytes === undefined) throw new FleetError("config", `configuration: sealKey ${signingKeyProblem(key)}`);
  return () => {
    bytes ??= crypto.getRandomValues(new Uint8Array(MIN_BYTES));
    return bytes;
  };
}
