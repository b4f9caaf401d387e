import { FleetError } from "@fleetwire/core";
import { base64Url, utf8 } from "./base64url.ts";

const MIN_BYTES = 32;

function decode(key: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
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

// Inferred, because Node's types do not declare CryptoKey globally.
type MacKey = Awaited<ReturnType<typeof crypto.subtle.deriveKey>>;

async function deriveMacKey(secret: Uint8Array<ArrayBuffer>, purpose: string): Promise<MacKey> {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8(purpose) };
  return crypto.subtle.deriveKey(hkdf, base, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]);
}

/** Returns a function that computes the HMAC of a text in base64url, with a key derived for this purpose only. */
export function macOver(secret: () => Uint8Array<ArrayBuffer>, purpose: string): (text: string) => Promise<string> {
  let key: MacKey | undefined;
  return async (text) => {
    // Caches the key instead of its promise, because a runtime may bind a promise to the request that created it.
    key ??= await deriveMacKey(secret(), purpose);
    return base64Url(new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(text))));
  };
}

/** Compares strings in constant time, so that timing does not reveal where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
