import { FleetError } from "@fleetwire/core";

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const fromBinary = (binary: string): Uint8Array<ArrayBuffer> => Uint8Array.from(binary, (character) => character.charCodeAt(0));

/** Base64 of RFC 4648, section 5, without padding. */
export const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Reads base64 in either alphabet as a model may bring it back: what ends it and what stands between are ignored. Throws where bits are missing. */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  fromBinary(
    atob(
      text
        .replace(/=.*/s, "")
        .replace(/[^\w+/-]/g, "")
        .replaceAll("-", "+")
        .replaceAll("_", "/"),
    ),
  );

const SEAL_KEY_BYTES = 32;

function sealKeyBytes(key: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = fromBinary(atob(key));
    return bytes.length >= SEAL_KEY_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with a key that signs confirmation tokens and makes pseudonyms. */
export const sealKeyProblem = (key: string): string | undefined =>
  sealKeyBytes(key) ? undefined : `must be at least ${SEAL_KEY_BYTES} bytes in base64`;

/** The bytes of a key, or random ones from first use on: edge runtimes have no randomness before their first request. */
export function sealKey(key: string | undefined): () => Uint8Array<ArrayBuffer> {
  let bytes = key === undefined ? undefined : sealKeyBytes(key);
  if (key !== undefined && bytes === undefined) throw new FleetError("config", `configuration: sealKey ${sealKeyProblem(key)}`);
  return () => {
    bytes ??= crypto.getRandomValues(new Uint8Array(SEAL_KEY_BYTES));
    return bytes;
  };
}
