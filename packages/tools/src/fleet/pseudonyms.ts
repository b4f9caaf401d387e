import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { utf8 } from "../base64url.ts";
import { signingKey } from "../signing-key.ts";

/** More names than any fleet has drivers. */
const MAX_KNOWN_NAMES = 100_000;

// A shorter one may be a part of any word.
const MIN_LENGTH_IN_TEXT = 4;

/** A text by which a name is known again in another case, with other blanks and in another form of Unicode. */
function folded(text: string): string {
  const same = text.normalize("NFC").toLowerCase().trim();
  // Most texts have no blanks but single ones, and to make a text anew costs more than to look.
  return /\s\s|[^\S ]/.test(same) ? same.replace(/\s+/g, " ") : same;
}

/** Finds a name of several words however it is written; a single one may be a word of any sentence. */
function writtenOtherwise(name: string): RegExp | undefined {
  const words = name.normalize("NFC").split(/\s+/);
  const exact = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return words.length > 1 ? new RegExp(exact.join("\\s+"), "giu") : undefined;
}

/** Stable pseudonyms of drivers, and the names that they stand for. */
export class Pseudonyms {
  readonly #secret: () => Uint8Array;
  #keyed: ReturnType<typeof hmac.create> | undefined;
  readonly #known = new Map<string, string>();
  readonly #knownFolded = new Map<string, string>();
  readonly #given = new Set<string>();

  /** The same name has the same pseudonym as long as the key stays. */
  constructor(key: string | undefined) {
    this.#secret = signingKey(key);
  }

  /** The pseudonym of a name, blanks around it or not; a pseudonym is its own. */
  of(name: string): string {
    const bare = name.trim();
    const known = this.#known.get(bare);
    if (known !== undefined) return known;
    if (this.#given.has(bare)) return bare;
    // Two of the four blocks that a pseudonym costs are of the key alone.
    this.#keyed ??= hmac.create(sha256, this.#secret());
    const pseudonym = `Driver ${bytesToHex(this.#keyed.clone().update(utf8(bare)).digest().subarray(0, 3))}`;
    if (this.#given.size >= MAX_KNOWN_NAMES) this.#given.clear();
    this.#given.add(pseudonym);
    return pseudonym;
  }

  /** Remembers a text as the name of a driver. */
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

  /** The pseudonym of a text that is the whole name of a known driver, in whatever case; undefined for any other. */
  ofKnown(text: string): string | undefined {
    return this.#known.get(text.trim()) ?? this.#knownFolded.get(folded(text));
  }

  /** A text of ours with the names of known drivers replaced: what the service says of a refusal may hold one. */
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
