import anyAscii from "any-ascii";

/** The words of a text, so that every spelling of a name is the same word: Jürgen, JUERGEN and Jurgen, Петров and PETROV. */
export const nameWords = (text: string): string[] =>
  (text.match(/\p{L}[\p{L}\p{M}]+/gu) ?? []).map((word) =>
    anyAscii(word)
      .toUpperCase()
      .replace(/[^A-Z]/g, "")
      .replace(/([AOU])E/g, "$1")
      .replaceAll("AA", "A"),
  );
