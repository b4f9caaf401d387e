import anyAscii from "any-ascii";

/** What differs between transliterations of one name, such as Юлия: YULIYA, JULIJA and IULIIA. */
const SPELLINGS: [written: RegExp, as: string][] = [
  [/[^A-Z]/g, ""],
  [/([AOU])E/g, "$1"],
  [/SH?(?:CH)?T?S?CH/g, "SH"],
  [/DJ/g, "D"],
  [/W/g, "V"],
  [/[JY]/g, "I"],
  [/(.)\1+/g, "$1"],
];

/** The words of a text, so that every spelling of a name is the same word: Jürgen, JUERGEN and Jurgen, Петров and PETROV, O'Brien and OBRIEN. */
export const nameWords = (text: string): string[] =>
  [...(text.match(/\p{L}[\p{L}\p{M}]+/gu) ?? []), ...(text.match(/\p{L}+(?:['’`]\p{L}[\p{L}\p{M}]*)+/gu) ?? [])].map((word) =>
    SPELLINGS.reduce((rest, [written, as]) => rest.replace(written, as), anyAscii(word).toUpperCase()),
  );
