import { createHmac } from "node:crypto";
import type { Sensitivity } from "@fleetwire/core";
import { PLACEHOLDERS } from "../fixtures/placeholders.ts";
import { isDated } from "./value-kinds.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
/** Non-ASCII letters stay non-ASCII, so that a recording shows whether encoding works. */
const BEYOND = "äéîõüçñøßł";

/** E-mail addresses within a string, which move to a reserved domain. */
const EMAIL = /([\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/u;

/**
 * Stable pseudonyms. Equal values get equal pseudonyms, so joins still work, and pseudonyms keep the shape of their values, so they remain valid.
 * Without the key, nobody can verify a guess.
 */
export class Pseudonyms {
  readonly #key: Buffer;
  readonly #issued = new Set<unknown>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Whether a value is a pseudonym. */
  has(value: unknown): boolean {
    return this.#issued.has(value);
  }

  /** Whether a word is part of a pseudonym. */
  isWithin(word: string): boolean {
    return [...this.#issued].some((pseudonym) => String(pseudonym).includes(word));
  }

  #bytes(value: string, length: number): Buffer {
    const blocks: Buffer[] = [];
    for (let block = 0; block * 32 < length; block++) blocks.push(createHmac("sha256", this.#key).update(`${block}\n${value}`).digest());
    return Buffer.concat(blocks);
  }

  /** Replaces letters with letters and digits with digits. */
  #like(value: string): string {
    const random = this.#bytes(value, value.length);
    let at = 0;
    return value.replace(/\p{L}|\p{N}/gu, (character) => {
      const byte = random[at++ % random.length] ?? 0;
      if (/[0-9]/.test(character)) return DIGITS.charAt(byte % 10);
      if (/[a-z]/.test(character)) return LOWER.charAt(byte % 26);
      if (/[A-Z]/.test(character)) return LOWER.charAt(byte % 26).toUpperCase();
      return BEYOND.charAt(byte % BEYOND.length);
    });
  }

  /** Another valid date; the time of day is kept. */
  #day(value: string): string {
    const [year = 0, month = 0, day = 0] = this.#bytes(value.slice(0, 10), 3);
    const two = (number: number) => String(number).padStart(2, "0");
    return `${2000 + (year % 30)}-${two(1 + (month % 12))}-${two(1 + (day % 28))}${value.slice(10)}`;
  }

  #text(value: string, kind: Sensitivity): string {
    if (kind === "secret") return PLACEHOLDERS.token;
    if (kind === "url") return `https://files.example.test/${this.#like(value.replace(/^[a-z]+:\/\/[^/]*\/?|[?#].*$/gi, ""))}`;
    if (isDated(value)) return this.#day(value);
    // An id may consist of several, joined by periods or commas.
    const parts = value.split(EMAIL).flatMap((part, at) => (at % 2 === 0 && kind === "id" ? part.split(/([.,])/) : [part]));
    return parts.map((part) => (EMAIL.test(part) ? `${this.#like(part.split("@")[0] ?? "")}@example.test` : this.#like(part))).join("");
  }

  #number(value: number, kind: Sensitivity): number {
    const most = { latitude: 80, longitude: 180 }[String(kind)];
    if (most !== undefined) {
      const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
      return Number(((this.#bytes(String(value), 6).readUIntBE(0, 6) / 2 ** 47 - 1) * most).toFixed(decimals));
    }
    // JSON would round a longer number.
    const digits = this.#like(String(Math.abs(value)).replace(/e.*$/, "")).replace(/^0(?=\d)/, "1");
    return Math.sign(value) * Number(Number(digits) > Number.MAX_SAFE_INTEGER ? digits.slice(0, 15) : digits);
  }

  /** The pseudonym of a value in a field of this kind. A phone number is personal even if sent as a JSON number. */
  of<Value extends string | number>(value: Value, kind: Sensitivity): Value {
    const pseudonym = typeof value === "string" ? this.#text(value, kind) : this.#number(value, kind);
    this.#issued.add(pseudonym);
    return pseudonym as Value;
  }
}
