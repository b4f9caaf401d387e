import type * as z from "zod";
import { isRecord, valueAt } from "../json-values.ts";
import type { Operation } from "../operation.ts";
import { requestFields } from "../operation-fields.ts";
import { inOneLine } from "../plain-text.ts";
import { metadataOf } from "../schemas/field-metadata.ts";
import { definitionOf } from "../schemas/schema-walk.ts";

/** Returns `[redacted]` for text that holds a secret. */
export type Redact = (text: string) => string;

const REDACTED = "[redacted]";
/** How many consecutive characters of a secret count as a match, so that truncated copies are found too. */
const FRAGMENT = 8;
/** Minimum lengths to search for: shorter secrets and encodings also occur in ordinary words. */
const MIN_LENGTH = { secret: 4, encoded: 6 };
/** A longer secret has too many fragments to search for, so any text is redacted. */
const MAX_SECRET = 20_000;

/** Lower-cases text and maps the two base64 alphabets to one. */
const comparable = (text: string) => text.replace(/[A-Z_-]/g, (letter) => ({ "-": "+", _: "/" })[letter] ?? letter.toLowerCase());

function base64Of(bytes: Uint8Array, before: number): string {
  let binary = "\0".repeat(before);
  for (const byte of bytes) binary += String.fromCharCode(byte);
  // Omit the characters that share bits with neighbouring bytes.
  return btoa(binary).slice(before === 0 ? 0 : before + 1, Math.floor((binary.length * 8) / 6));
}

/** The forms in which a service may repeat a secret: verbatim, percent-encoded, form-encoded, JSON-escaped, in hex, and in base64 at any offset. */
function encodedForms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  // Decoding replaces lone surrogates, which cannot be percent-encoded.
  const text = new TextDecoder().decode(bytes);
  const encoded = [
    encodeURIComponent(text),
    new URLSearchParams({ "": text }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""),
    ...[0, 1, 2].map((before) => base64Of(bytes, before)),
  ];
  return [secret, ...encoded.filter(({ length }) => length >= MIN_LENGTH.encoded)].map(comparable);
}

/** All fragments of the given strings, grouped by length. A string shorter than a fragment counts as one. */
function fragmentsOf(texts: readonly string[]): Map<number, Set<string>> {
  const fragments = new Map<number, Set<string>>();
  for (const text of texts) {
    const length = Math.min(FRAGMENT, text.length);
    const known = fragments.get(length) ?? new Set();
    fragments.set(length, known);
    for (let at = 0; at + length <= text.length; at++) known.add(text.slice(at, at + length));
  }
  return fragments;
}

const character = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

const percentDecoded = (run: string) =>
  new TextDecoder().decode(Uint8Array.from(run.matchAll(/[^%]+/g), ([digits]) => Number.parseInt(digits, 16)));

const ROUNDS = 3;

/** Decodes text and keeps only its letters and digits, in lower case. */
function lettersAndDigits(text: string): string {
  let decoded = text;
  for (let round = 0; round < ROUNDS; round++) {
    decoded = decoded
      .replace(/(?:%[0-9a-f]{2})+/gi, percentDecoded)
      .replace(/\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});/gi, (_, ...digits) =>
        character(Number.parseInt(digits.slice(0, 4).join(""), 16)),
      )
      .replace(/&#(\d{1,7});/g, (_, digits) => character(Number(digits)))
      .replace(/&[a-z]{2,6};|\\[a-z]/gi, "");
  }
  return decoded
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Precomputed patterns for a set of secrets. */
interface Search {
  fragments: Map<number, Set<string>>;
  /** Prefixes of secrets, shorter than a fragment: redacted only where the text is truncated. */
  prefixes: Set<string>;
  decodedFragments: Map<number, Set<string>>;
}

function searchFor(secrets: readonly string[]): Search {
  const forms = [...new Set(secrets.flatMap(encodedForms))];
  const lengths = Array.from({ length: FRAGMENT - MIN_LENGTH.secret }, (_, more) => MIN_LENGTH.secret + more);
  const beginnings = secrets.map(comparable);
  return {
    fragments: fragmentsOf(forms),
    prefixes: new Set(lengths.flatMap((length) => beginnings.map((secret) => secret.slice(0, length)))),
    decodedFragments: fragmentsOf(forms.map(lettersAndDigits).filter(({ length }) => length >= FRAGMENT)),
  };
}

// Where text may be truncated: at its end, or at an ellipsis or a mask.
const TRUNCATION = /\s*(?:…|\.{2,}|\*{2,}|$)/g;

const contains = (text: string, fragments: Map<number, Set<string>>) =>
  [...fragments].some(([length, known]) => {
    for (let at = 0; at + length <= text.length; at++) if (known.has(text.slice(at, at + length))) return true;
    return false;
  });

/** The parts of the text that belong to no secret. */
function partsOutside(text: string, { fragments, prefixes }: Search): string[] {
  const hits: boolean[] = new Array(text.length).fill(false);
  const same = comparable(text);
  for (const [length, known] of fragments) {
    for (let at = 0; at + length <= same.length; at++) if (known.has(same.slice(at, at + length))) hits.fill(true, at, at + length);
  }
  for (const { index } of same.matchAll(TRUNCATION)) {
    for (let at = Math.max(0, index - FRAGMENT); at < index; at++) if (prefixes.has(same.slice(at, index))) hits.fill(true, at, index);
  }
  const parts = [""];
  for (let at = 0; at < text.length; at++) {
    if (!hits[at]) parts.push(`${parts.pop()}${text[at]}`);
    else if (!hits[at - 1]) parts.push("");
  }
  return parts;
}

/**
 * Replaces secrets, even truncated ones, with `[redacted]`. If a fragment remains under another encoding or interspersed with other characters, the whole
 * text is redacted.
 */
export function redactor(secrets: () => readonly string[]): Redact {
  let known: string | undefined;
  let search = searchFor([]);
  return (text) => {
    const wanted = secrets().filter(({ length }) => length >= MIN_LENGTH.secret);
    if (wanted.some(({ length }) => length > MAX_SECRET)) return REDACTED;
    const key = JSON.stringify(wanted);
    if (key !== known) search = searchFor(wanted);
    known = key;
    const parts = partsOutside(text, search);
    return parts.some((part) => contains(lettersAndDigits(part), search.decodedFragments)) ? REDACTED : parts.join(REDACTED);
  };
}

const MAX_TEXT = 300;
// Enough for MAX_TEXT even if half of it is blank, and short enough to search for secrets.
const MAX_READ = 2_000;

/** Truncates text that is too long and marks the cut with an ellipsis; never splits a character. */
export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/\p{Cs}$/u, "")}…` : text;
}

/** Makes text from the service safe for one line of a message: no control characters, no secrets, bounded length. */
export function printable(text: string, redact: Redact): string {
  return truncate(inOneLine(redact(text.slice(0, MAX_READ))), MAX_TEXT);
}

const REMEMBERED = 16;

/** The secrets that a client must redact: its own, which are never forgotten, and those that its callers received from the service. */
export class KnownSecrets {
  #received: readonly string[] = [];
  readonly #own: () => readonly string[];

  constructor(own: () => readonly string[]) {
    this.#own = own;
  }

  list(): string[] {
    return [...this.#own(), ...this.#received];
  }

  /** Remembers the secrets in an output. */
  remember({ secretOutput = [] }: Operation, output: unknown): void {
    const found = secretOutput.map((path) => valueAt(path, output)).filter((value) => typeof value === "string");
    if (found.length > 0) this.#received = [...found, ...this.#received.filter((secret) => !found.includes(secret))].slice(0, REMEMBERED);
  }
}

type Leaf = string | number;

/** All strings and numbers in a value, at any depth. */
function leavesIn(value: unknown): Leaf[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesIn) : [];
}

// In a field without metadata, a string may hold anything, but a number alone identifies nobody.
const stringsIn = (value: unknown): Leaf[] => leavesIn(value).filter((leaf) => typeof leaf === "string");

function confidentialLeaves(schema: z.core.$ZodType | undefined, value: unknown): Leaf[] {
  if (!schema) return stringsIn(value);
  const metadata = metadataOf(schema);
  if (metadata) return metadata.confidential ? leavesIn(value) : [];
  const { innerType, element, shape } = definitionOf(schema);
  if (innerType) return confidentialLeaves(innerType, value);
  if (Array.isArray(value)) return value.flatMap((item) => confidentialLeaves(element, item));
  if (shape && isRecord(value)) return Object.entries(value).flatMap(([name, inner]) => confidentialLeaves(shape[name], inner));
  return stringsIn(value);
}

/** Input values that errors must not repeat: those of confidential fields, and strings in fields without metadata. */
export function confidentialValues(operation: Operation, input: Readonly<Record<string, unknown>>): string[] {
  const fields = requestFields(operation);
  return Object.entries(input).flatMap(([name, value]) => confidentialLeaves(fields[name]?.schema, value).map(String));
}
