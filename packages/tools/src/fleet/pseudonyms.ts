import { metadataOf, type Operation, operations } from "@fleetwire/core";
import { definitionOf, nestedSchemas } from "@fleetwire/core/internal";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type * as z from "zod";
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

// Any undocumented field may hold a name. Hiding too much is better than hiding too little.
const NAMES_A_DRIVER = /(driver|person).*name|name.*(driver|person)|^(driver|person)s?$/i;
const IS_A_DRIVER = /driver|person/i;
const OF_A_GROUP = /group/i;
const TELLS_WHO = /(driver|person)_?(id|key|number)$/i;
const NAME = /^((full|display|first|last|given|family|sur)_?)?name$/i;

/** Deeper than any record. Anything nested more deeply is dropped. */
const MAX_DEPTH = 100;

/** Where a value is: its field, the record that contains it, and the field that contains this record. */
export interface FieldContext {
  field: string;
  record?: object;
  recordField: string;
}

/** The context of a whole response. */
export const WHOLE: FieldContext = { field: "", recordField: "" };

/** Whether a record is about a person, judging by the name of the field that holds it or by a person's id among its own fields. */
function isOfDriver(field: string, record: object): boolean {
  return (IS_A_DRIVER.test(field) && !OF_A_GROUP.test(field)) || Object.keys(record).some((name) => TELLS_WHO.test(name));
}

/** Collects field names at any depth of a schema; true for those that hold a person's name wherever they occur. */
function collectNames(schema: z.core.$ZodType, found: Map<string, boolean>, seen = new Set<z.core.$ZodType>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const inner of nestedSchemas(schema)) collectNames(inner, found, seen);
  for (const [name, field] of Object.entries(definitionOf(schema).shape ?? {})) {
    found.set(name, metadataOf(field)?.holds === "person" && found.get(name) !== false);
    collectNames(field, found, seen);
  }
}

let names: Map<string, boolean> | undefined;

/** Whether a field of the fleet interface holds a person's name in every record that has it. */
function holdsPerson(field: string): boolean {
  if (!names) {
    names = new Map();
    for (const { output } of Object.values<Operation>(operations)) collectNames(output, names);
  }
  return names.get(field) === true;
}

/** Maps a string in a field; `ofDriver` says whether the record that contains it is about a person. */
type TextOf = (text: string, field: string, ofDriver: boolean) => unknown;

/** Copies a value, and maps its strings and field names. */
function withTexts(value: unknown, field: string, ofDriver: boolean, textOf: TextOf, nameOf = (name: string) => name, depth = 0): unknown {
  if (typeof value === "string") return textOf(value, field, ofDriver);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, field, ofDriver, textOf, nameOf, depth + 1));
  const isTheirs = isOfDriver(field, value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [nameOf(name), withTexts(inner, name, isTheirs, textOf, nameOf, depth + 1)]),
  );
}

/** Remembers the drivers' names in an undocumented value. */
export function learnUndocumented(value: unknown, field: string, pseudonyms: Pseudonyms): void {
  withTexts(value, field, false, (text, name) => {
    if (holdsPerson(name)) pseudonyms.learn(text);
  });
}

/**
 * Replaces drivers' names in an undocumented value: in fields whose names suggest a driver's name, in name fields of records about a
 * person, and wherever a string or a field name is a known driver's name.
 */
export function hideUndocumented(value: unknown, { field, record, recordField }: FieldContext, pseudonyms: Pseudonyms): unknown {
  const hidden: TextOf = (text, name, ofDriver) => {
    // A pseudonym for a blank string would suggest that there is a name.
    if (text.trim() === "") return text;
    const namesOne = (NAMES_A_DRIVER.test(name) && !OF_A_GROUP.test(name)) || (ofDriver && NAME.test(name));
    return namesOne ? pseudonyms.of(text) : (pseudonyms.ofKnown(text) ?? text);
  };
  const ofDriver = record !== undefined && isOfDriver(recordField, record);
  return withTexts(value, field, ofDriver, hidden, (name) => pseudonyms.ofKnown(name) ?? name);
}
