export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export const bytesOfBinary = (binary: string): Uint8Array<ArrayBuffer> => Uint8Array.from(binary, (character) => character.charCodeAt(0));

/** Encodes bytes as base64url (RFC 4648, section 5) without padding. */
export const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/**
 * Decodes base64 or base64url. Ignores padding and any character outside both alphabets, because models may not copy a string exactly.
 * Throws if the length is invalid.
 */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  bytesOfBinary(
    atob(
      text
        .replace(/=.*/s, "")
        .replace(/[^\w+/-]/g, "")
        .replaceAll("-", "+")
        .replaceAll("_", "/"),
    ),
  );
