import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { utf8 } from "../runtime/base64url.ts";
import { signingKey } from "../runtime/signing-key.ts";

/** More drivers than any fleet has. */
const MAX_KNOWN_NAMES = 100_000;

/** Enough that two drivers of one fleet hardly ever share a pseudonym. If they do, the second one's is longer. */
const MIN_BYTES = 5;

/** Replaces a name in a text that may quote the caller: the pseudonym would tell whose it is. */
const WITHHELD = "[a driver's name]";

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
  /** The names behind the pseudonyms in use. */
  readonly #given = new Map<string, string>();

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
    const digest = this.#hmac.clone().update(utf8(bare)).digest();
    const withBytes = (count: number): string => {
      const pseudonym = `Driver ${bytesToHex(digest.subarray(0, count))}`;
      return (this.#given.get(pseudonym) ?? bare) === bare ? pseudonym : withBytes(count + 1);
    };
    const pseudonym = withBytes(MIN_BYTES);
    if (this.#given.size >= MAX_KNOWN_NAMES) this.#given.clear();
    this.#given.set(pseudonym, bare);
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

  /** Replaces the names of known drivers in a text of the service, by their pseudonyms unless the caller's own text contains them. */
  hideIn(text: string, callersText = ""): string {
    const same = folded(text);
    const theirs = folded(callersText);
    const shown = (name: string) => (theirs.includes(folded(name)) ? WITHHELD : this.of(name));
    const held = [...this.#known.keys()].filter((name) => name.length >= MIN_LENGTH_IN_TEXT && same.includes(folded(name)));
    return held
      .sort((a, b) => b.length - a.length)
      .reduce((hidden, name) => {
        const other = writtenOtherwise(name);
        const rest = hidden.replaceAll(name, shown(name));
        return other ? rest.normalize("NFC").replaceAll(other, shown(name)) : rest;
      }, text);
  }
}
