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

/** What is wrong with a key (FLEET_SEAL_KEY) that signs confirmation tokens and derives pseudonyms. */
export const signingKeyProblem = (key: string): string | undefined =>
  decode(key) ? undefined : `must be at least ${MIN_BYTES} bytes in base64`;

/** Returns the bytes of a key, or random ones generated on first use: edge runtimes have no randomness before their first request. */
export function signingKey(key: string | undefined): () => Uint8Array<ArrayBuffer> {
  let bytes = key === undefined ? undefined : decode(key);
  if (key !== undefined && bytes === undefined) throw new FleetError("config", `configuration: sealKey ${signingKeyProblem(key)}`);
  return () => {
    bytes ??= crypto.getRandomValues(new Uint8Array(MIN_BYTES));
    return bytes;
  };
}
