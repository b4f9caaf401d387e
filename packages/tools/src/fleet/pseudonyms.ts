import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { utf8 } from "../base64url.ts";
import { signingKey } from "../signing-key.ts";

/** More drivers than any fleet has. */
const MAX_KNOWN_NAMES = 100_000;

// Shorter names could occur within other words.
const MIN_LENGTH_IN_TEXT = 4;

/** Normalizes case, whitespace and Unicode form, for comparison. */
function folded(text: string): string {
  const same = text.normalize("NFC").toLowerCase().trim();
  // Most strings contain only single spaces, and testing is cheaper than replacing.
  return /\s\s|[^\S ]/.test(same) ? same.replace(/\s+/g, " ") : same;
}

/**
 * Matches a name of several words with any case and whitespace. Returns undefined for a single word, which could also be an ordinary word.
 */
function writtenOtherwise(name: string): RegExp | undefined {
  const words = name.normalize("NFC").split(/\s+/);
  const exact = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return words.length > 1 ? new RegExp(exact.join("\\s+"), "giu") : undefined;
}

/** Assigns stable pseudonyms to drivers, and remembers the names behind them. */
export class Pseudonyms {
  readonly #secret: () => Uint8Array;
  #hmac: ReturnType<typeof hmac.create> | undefined;
  readonly #known = new Map<string, string>();
  readonly #knownFolded = new Map<string, string>();
  readonly #given = new Set<string>();

  /** With the same key, a name always has the same pseudonym. */
  constructor(key: string | undefined) {
    this.#secret = signingKey(key);
  }

  /** Returns the pseudonym for a name, ignoring surrounding whitespace. Pseudonyms are returned unchanged. */
  of(name: string): string {
    const bare = name.trim();
    const known = this.#known.get(bare);
    if (known !== undefined) return known;
    if (this.#given.has(bare)) return bare;
    // Two of the four hash blocks of an HMAC depend only on the key, so they are computed once.
    this.#hmac ??= hmac.create(sha256, this.#secret());
    const pseudonym = `Driver ${bytesToHex(this.#hmac.clone().update(utf8(bare)).digest().subarray(0, 3))}`;
    if (this.#given.size >= MAX_KNOWN_NAMES) this.#given.clear();
    this.#given.add(pseudonym);
    return pseudonym;
  }

  /** Remembers a string as a driver's name. */
  learn(name: string): void {
    const bare = name.trim();
    if (bare === "" || this.#known.has(bare)) return;
    const pseudonym = this.of(bare);
    if (this.#known.size >= MAX_KNOWN_NAMES) {
      this.#known.clear();
      this.#knownFolded.clear();
    }
    this.#known.set(bare, pseudonym);
    this.#knownFolded.set(folded(bare), pseudonym);
  }

  /** Returns the pseudonym if the whole text is a known driver's name, ignoring case; otherwise undefined. */
  ofKnown(text: string): string | undefined {
    return this.#known.get(text.trim()) ?? this.#knownFolded.get(folded(text));
  }

  /** Replaces the names of known drivers in our own text, such as an error that quotes the service. */
  hideIn(text: string): string {
    const same = folded(text);
    const held = [...this.#known.keys()].filter((name) => name.length >= MIN_LENGTH_IN_TEXT && same.includes(folded(name)));
    return held
      .sort((a, b) => b.length - a.length)
      .reduce((hidden, name) => {
        const other = writtenOtherwise(name);
        const rest = hidden.replaceAll(name, this.of(name));
        return other ? rest.normalize("NFC").replaceAll(other, this.of(name)) : rest;
      }, text);
  }
}
