export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export const bytesOfBinary = (binary: string): Uint8Array<ArrayBuffer> => Uint8Array.from(binary, (character) => character.charCodeAt(0));

/** Base64url (RFC 4648, section 5) without padding. */
export const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Decodes base64 in either alphabet, as a model may return it: padding, and characters of neither alphabet, are ignored. Throws if bits are missing. */
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
