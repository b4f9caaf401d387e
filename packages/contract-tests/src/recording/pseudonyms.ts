import { createHmac } from "node:crypto";
import type { NonSensitiveKind, SensitiveKind } from "@fleetwire/core";
import { PLACEHOLDERS } from "../fixtures/placeholders.ts";
import { nameWords } from "./name-words.ts";
import { isDated, isKnownValue } from "./value-kinds.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
/** Non-ASCII letters stay non-ASCII, so that a recording shows whether encoding works. */
const BEYOND = "äéîõüçñøßł";

const isWordPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Positions of a phrase in a string, matching whole words only. */
export function wordPositions(words: string, text: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + words.length])) positions.push(at);
  return positions;
}

/** Moves e-mail addresses within a string to a reserved domain. */
const EMAIL = /([\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/u;

/**
 * Stable pseudonyms. Equal values get equal pseudonyms, so joins still work, and pseudonyms keep the shape of their values, so they remain valid.
 * Without the key, nobody can verify a guess.
 */
export class Pseudonyms {
  readonly #key: Buffer;
  readonly #pseudonyms = new Map<string, string>();
  /** Values of kinds that reveal nothing. They may be personal in another field, such as a city with the same name as a country. */
  readonly #plain = new Set<string>();
  /** Undocumented uppercase words, kept unless they are personal elsewhere. */
  readonly #labels = new Set<string>();
  readonly #issued = new Set<unknown>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Original values that no recording may contain, if they are long enough to be distinguished from ordinary words. */
  get originals(): string[] {
    return this.#replaced().filter((original) => original.length >= 5);
  }

  #replaced(): string[] {
    return [...this.#pseudonyms].flatMap(([original, pseudonym]) =>
      pseudonym !== original && !this.#plain.has(original) ? [original] : [],
    );
  }

  /** Replaces all original values, even inside longer strings: a field of a non-personal kind may still name someone. */
  cleared<Value>(value: Value): Value {
    const longestFirst = this.originals.sort((a, b) => b.length - a.length);
    const clear = (text: string): string =>
      longestFirst.reduce(
        (rest, original) =>
          wordPositions(original, rest).reduceRight(
            (line, at) => line.slice(0, at) + this.#pseudonyms.get(original) + line.slice(at + original.length),
            rest,
          ),
        text,
      );
    const names = new Set(this.#replaced().flatMap(nameWords));
    const label = (text: string): string => (nameWords(text).some((word) => names.has(word)) ? this.#like(text) : text);
    return JSON.parse(JSON.stringify(value), (_, inner) => {
      if (typeof inner !== "string") return inner;
      return this.#labels.has(inner) ? label(inner) : clear(inner);
    }) as Value;
  }

  /** Whether a value is a pseudonym. */
  has(value: unknown): boolean {
    return this.#issued.has(value);
  }

  /** Registers a value of a non-personal kind, and returns it. */
  shown<Value>(value: Value, kind: NonSensitiveKind): Value {
    if (typeof value !== "string") return value;
    if (kind === "label" && !isKnownValue(value)) this.#labels.add(value);
    else this.#plain.add(value);
    return value;
  }

  get all(): ReadonlySet<string> {
    return new Set(this.#pseudonyms.values());
  }

  #bytes(value: string, length: number): Buffer {
    const blocks: Buffer[] = [];
    for (let block = 0; block * 32 < length; block++) blocks.push(createHmac("sha256", this.#key).update(`${block}\n${value}`).digest());
    return Buffer.concat(blocks);
  }

  /** Replaces letters with letters and digits with digits. */
  #like(value: string): string {
    const known = this.#pseudonyms.get(value);
    if (known !== undefined) return known;
    const random = this.#bytes(value, value.length);
    let at = 0;
    const pseudonym = value.replace(/\p{L}|\p{N}/gu, (character) => {
      const byte = random[at++ % random.length] ?? 0;
      if (/[0-9]/.test(character)) return DIGITS.charAt(byte % 10);
      if (/[a-z]/.test(character)) return LOWER.charAt(byte % 26);
      if (/[A-Z]/.test(character)) return LOWER.charAt(byte % 26).toUpperCase();
      return BEYOND.charAt(byte % BEYOND.length);
    });
    this.#pseudonyms.set(value, pseudonym);
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

  /** Another valid date; the time of day is kept. */
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

  /** Replaces the digits of a number, shortening one that JSON would round. */
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

  #issue<Value>(pseudonym: Value): Value {
    this.#issued.add(pseudonym);
    return pseudonym;
  }

  /** The pseudonym of a string. An id may consist of several, joined by periods or commas. */
  text(value: string, kind: SensitiveKind): string {
    return this.#issue(this.#text(value, kind));
  }

  /** The pseudonym of a number. A phone number is personal even if sent as a JSON number. */
  number(value: number, kind: SensitiveKind): number {
    if (kind === "latitude") return this.#issue(this.#number(value, -80, 80));
    if (kind === "longitude") return this.#issue(this.#number(value, -180, 180));
    return this.#issue(this.#serial(value));
  }
}
