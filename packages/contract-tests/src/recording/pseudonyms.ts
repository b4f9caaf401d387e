import { createHmac } from "node:crypto";
import type { Sensitivity } from "@fleetwire/core";
import { PLACEHOLDERS } from "../fixtures/stand-ins.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
/** Letters beyond ASCII stay beyond it: that they survive is what a recording shows. */
const BEYOND = "äéîõüçñøßł";

/** A word of a few, such as ACTIVE or BI-FUEL; longer or otherwise written it may be anything. */
const LABEL = /^\$?[A-Za-z][A-Za-z_ -]{0,23}$/;

/**
 * Stable pseudonyms: one value has the same one wherever it stands, so that joins hold, and its shape is kept, so that rules still do. Without the
 * key nobody can tell whether a guess is right.
 */
export class Pseudonyms {
  readonly #key: Buffer;
  readonly #made = new Map<string, string>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Originals that are long enough to be told from ordinary words. */
  get originals(): string[] {
    return [...this.#made.keys()].filter((original) => original.length >= 5 && this.#made.get(original) !== original);
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

  #serial(value: number): number {
    const digits = this.#like(String(Math.abs(value))).replace(/^0/, "1");
    return Number.isSafeInteger(Number(digits)) ? Math.sign(value) * Number(digits) : Math.sign(value) * 1_000_000_007;
  }

  /** A text of a kind. An id may be several, joined by full stops or commas. */
  text(value: string, kind: Sensitivity): string {
    switch (kind) {
      case "plain":
        return value;
      case "label":
        return LABEL.test(value) ? value : this.#like(value);
      case "id":
        return value
          .split(/([.,])/)
          .map((part) => this.#like(part))
          .join("");
      case "secret":
        return PLACEHOLDERS.token;
      case "email":
        return `${this.#like(value.split("@")[0] ?? "")}@example.test`;
      case "url":
        return `https://files.example.test/${this.#like(value.replace(/^[a-z]+:\/\/[^/]*\/?|[?#].*$/gi, ""))}`;
      default:
        return this.#like(value);
    }
  }

  number(value: number, kind: Sensitivity): number {
    if (kind === "latitude") return this.#number(value, -80, 80);
    if (kind === "longitude") return this.#number(value, -180, 180);
    return kind === "serial" ? this.#serial(value) : value;
  }
}
