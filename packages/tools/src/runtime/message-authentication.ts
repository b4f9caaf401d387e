import { base64Url, utf8 } from "./base64url.ts";

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
