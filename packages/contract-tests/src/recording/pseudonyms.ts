import { createHmac } from "node:crypto";
import type { NonSensitiveKind, SensitiveKind } from "@fleetwire/core";
import { PLACEHOLDERS } from "../fixtures/placeholders.ts";
import { isKnownValue } from "./known-words.ts";
import { isDated } from "./value-kinds.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
/** Letters beyond ASCII stay beyond it: that they survive is what a recording shows. */
const BEYOND = "äéîõüçñøßł";

const isWordPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Where a text has a word, or some in a row, that are no part of longer ones. */
export function placesOf(words: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + words.length])) places.push(at);
  return places;
}

/** An address within a text is one as its pseudonym too, so it needs a domain that is nobody's. */
const EMAIL = /([\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/u;

/**
 * Stable pseudonyms: one value has the same one wherever it stands, so that joins hold, and its shape is kept, so that rules still do. Without the
 * key nobody can tell whether a guess is right.
 */
export class Pseudonyms {
  readonly #key: Buffer;
  readonly #made = new Map<string, string>();
  /** What is known to tell nothing; it may be somebody's elsewhere, such as a city that is a country. */
  readonly #plain = new Set<string>();
  /** Words in capitals that nobody documents: they stay unless they are somebody's elsewhere. */
  readonly #labels = new Set<string>();
  readonly #given = new Set<unknown>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Originals that are long enough to be told from ordinary words, and that no recording may show. */
  get originals(): string[] {
    return [...this.#made].flatMap(([original, pseudonym]) =>
      original.length >= 5 && pseudonym !== original && !this.#plain.has(original) ? [original] : [],
    );
  }

  /** A value in which no original is left, not even among other words: a text that tells nothing by its kind may name somebody. */
  cleared<Value>(value: Value): Value {
    const longestFirst = this.originals.sort((a, b) => b.length - a.length);
    const clear = (text: string): string =>
      longestFirst.reduce(
        (rest, original) =>
          placesOf(original, rest).reduceRight(
            (line, at) => line.slice(0, at) + this.#made.get(original) + line.slice(at + original.length),
            rest,
          ),
        text,
      );
    const names = new Set(this.originals.flatMap((original) => original.toUpperCase().match(/\p{L}{3,}/gu) ?? []));
    const label = (text: string): string => (text.split(/[_-]/).some((word) => names.has(word)) ? this.#like(text) : text);
    return JSON.parse(JSON.stringify(value), (_, inner) => {
      if (typeof inner !== "string") return inner;
      return this.#labels.has(inner) ? label(inner) : clear(inner);
    }) as Value;
  }

  /** Whether a value is one of the pseudonyms. */
  has(value: unknown): boolean {
    return this.#given.has(value);
  }

  /** A value of a kind that tells nothing. */
  shown<Value>(value: Value, kind: NonSensitiveKind): Value {
    if (typeof value !== "string") return value;
    if (kind === "label" && !isKnownValue(value)) this.#labels.add(value);
    else this.#plain.add(value);
    return value;
  }

  get invented(): ReadonlySet<string> {
    return new Set(this.#made.values());
  }

  #bytes(value: string, length: number): Buffer {
    const blocks: Buffer[] = [];
    for (let block = 0; block * 32 < length; block++) blocks.push(createHmac("sha256", this.#key).update(`${block}\n${value}`).digest());
    return Buffer.concat(blocks);
  }

  /** Letters for letters, digits for digits; all else stays. */
  #like(value: string): string {
    const known = this.#made.get(value);
    if (known !== undefined) return known;
    const random = this.#bytes(value, value.length);
    let at = 0;
    const pseudonym = value.replace(/\p{L}|\p{N}/gu, (character) => {
      const byte = random[at++ % random.length] ?? 0;
      if (/[0-9]/.test(character)) return DIGITS[byte % 10] ?? "0";
      if (/[a-z]/.test(character)) return LOWER[byte % 26] ?? "a";
      if (/[A-Z]/.test(character)) return (LOWER[byte % 26] ?? "a").toUpperCase();
      return BEYOND[byte % BEYOND.length] ?? "ä";
    });
    this.#made.set(value, pseudonym);
    return pseudonym;
  }

  #number(value: number, least: number, most: number): number {
    const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
    const share = this.#bytes(String(value), 6).readUIntBE(0, 6) / 2 ** 48;
    return Number((least + share * (most - least)).toFixed(decimals));
  }

  #email(value: string): string {
    return `${this.#like(value.split("@")[0] ?? "")}@example.test`;
  }

  /** Another day, which exists as well; its time, if it has one, stays. */
  #day(value: string): string {
    const [year = 0, month = 0, day = 0] = this.#bytes(value.slice(0, 10), 3);
    const two = (number: number) => String(number).padStart(2, "0");
    return `${2000 + (year % 30)}-${two(1 + (month % 12))}-${two(1 + (day % 28))}${value.slice(10)}`;
  }

  #words(value: string): string {
    if (isDated(value)) return this.#day(value);
    return value
      .split(EMAIL)
      .map((part, at) => (at % 2 === 1 ? this.#email(part) : this.#like(part)))
      .join("");
  }

  /** Digits for digits; of a number that JSON would round those that it would not. */
  #serial(value: number): number {
    const digits = this.#like(String(Math.abs(value)).replace(/e.*$/, "")).replace(/^0(?=\d)/, "1");
    return Math.sign(value) * Number(Number(digits) > Number.MAX_SAFE_INTEGER ? digits.slice(0, 15) : digits);
  }

  #text(value: string, kind: SensitiveKind): string {
    switch (kind) {
      case "id":
        if (value.includes("@")) return this.#words(value);
        return value
          .split(/([.,])/)
          .map((part) => this.#like(part))
          .join("");
      case "secret":
        return PLACEHOLDERS.token;
      case "email":
        return this.#email(value);
      case "url":
        return `https://files.example.test/${this.#like(value.replace(/^[a-z]+:\/\/[^/]*\/?|[?#].*$/gi, ""))}`;
      default:
        return this.#words(value);
    }
  }

  #remembered<Value>(pseudonym: Value): Value {
    this.#given.add(pseudonym);
    return pseudonym;
  }

  /** The pseudonym of a text. An id may be several, joined by full stops or commas. */
  text(value: string, kind: SensitiveKind): string {
    return this.#remembered(this.#text(value, kind));
  }

  /** The pseudonym of a number. What should have been a text, such as a telephone number, tells no less as a number. */
  number(value: number, kind: SensitiveKind): number {
    if (kind === "latitude") return this.#remembered(this.#number(value, -80, 80));
    if (kind === "longitude") return this.#remembered(this.#number(value, -180, 180));
    return this.#remembered(this.#serial(value));
  }
}
