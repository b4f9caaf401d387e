import { FleetError } from "@fleetwire/core";
import type * as z from "zod";
import { cell, quotation, singleLine } from "../text/clip-values.ts";
import { isTypo } from "../text/spelling.ts";

/** Splits a name into lowercase words: `fuelLevelPercentage` becomes fuel, level, percentage. */
export const nameWords = (field: string): string[] =>
  (field.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? [field]).map((word) => word.toLowerCase());

const MAX_NAME_LENGTH = 100;

const plain = (field: string) => nameWords(field).join("");

// Undocumented field names come from the service, so unusual ones are quoted.
const quotedNames = (fields: readonly string[]) => fields.map((field) => (/^\w+$/.test(field) ? field : quotation(field))).join(", ");

/** How many fields that do not exist are named. */
const MAX_UNKNOWN = 5;

/** The error for fields that do not exist, which lists those that do. */
function noSuchField(argument: string, unknown: readonly string[], existing: readonly string[]): FleetError {
  const names = unknown.slice(0, MAX_UNKNOWN).map((field) => cell(field));
  return new FleetError("input", `${argument}: no such field: ${names.join(", ")}`, { advice: `Choose from ${quotedNames(existing)}` });
}

/** The fields that rows have, with their schemas as far as they are documented. */
export interface KnownFields {
  fields: readonly string[];
  shape: Readonly<Record<string, z.ZodType>>;
  /** The fields that the tool's description names: if several are possible, one of these is meant. */
  main?: readonly string[];
  /** The field that names a row. */
  naming?: string | undefined;
}

const hasWords = (words: readonly string[], among: readonly string[]) =>
  words.every((word) => among.some((other) => other === word || other === `${word}s` || `${other}s` === word));

/** The words that the contract's field names use instead. */
const CONTRACT_WORDS: Readonly<Record<string, string>> = { vehicle: "asset", plate: "registration", mileage: "odometer", town: "city" };

/** Whether all other fields have this field's words and more, as `engineTotalHoursType` does compared with `engineTotalHours`. */
const isCore = (field: string, others: readonly string[]) => others.every((other) => hasWords(nameWords(field), nameWords(other)));

/** Whether a field belongs to the entity that names a row, such as `assetGroupName` if rows are named by `assetName`. */
const hasSubject = (field: string, naming: string | undefined) => naming !== undefined && nameWords(field)[0] === nameWords(naming)[0];

/** Narrows several possible fields down to the most likely ones: names rather than ids, about the rows' subject, and in the tool's description. */
function likeliest(written: readonly string[], possible: readonly string[], { main = [], naming }: KnownFields): readonly string[] {
  const tests: ((field: string, left: readonly string[]) => boolean)[] = [
    (field) => plain(field) === `${written.join("")}name`,
    (field) => hasSubject(field, naming),
    (field) => main.includes(field),
    (field) => nameWords(field).at(-1) === "name",
    isCore,
  ];
  return tests.reduce((left, test) => {
    const fewer = left.filter((field) => test(field, left));
    return fewer.length > 0 ? fewer : left;
  }, possible);
}

interface FieldWords {
  name: readonly string[];
  description: readonly string[];
}

const wordsByField = new WeakMap<KnownFields, ReadonlyMap<string, FieldWords>>();

/** The words of each field, split once for all names in a request. */
function fieldWords(existing: KnownFields): ReadonlyMap<string, FieldWords> {
  const { fields, shape } = existing;
  const descriptionOf = (field: string) => (shape[field]?.description ?? "").toLowerCase().split(/\W+/);
  const words =
    wordsByField.get(existing) ?? new Map(fields.map((field) => [field, { name: nameWords(field), description: descriptionOf(field) }]));
  wordsByField.set(existing, words);
  return words;
}

/**
 * Returns the fields that a model may mean: those written in another case, or named or described with these words. Returns several if the
 * words fit them equally.
 */
export function fieldsMeant(written: string, existing: KnownFields): readonly string[] {
  if (existing.fields.includes(written)) return [written];
  if (written.length > MAX_NAME_LENGTH) return [];
  const words = nameWords(written);
  const inContract = words.map((word) => CONTRACT_WORDS[word.replace(/s$/, "")] ?? word);
  const joined = words.join("");
  const rules: ((field: FieldWords) => boolean)[] = [
    ({ name }) => name.join("") === joined,
    ({ name }) => hasWords(words, name),
    ({ name }) => hasWords(inContract, name),
    ({ description }) => hasWords(words, description),
  ];
  const fields = [...fieldWords(existing)];
  for (const rule of rules) {
    const possible = fields.flatMap(([field, of]) => (rule(of) ? field : []));
    if (possible.length > 1) return likeliest(inContract, possible, existing);
    if (possible.length > 0) return possible;
  }
  return [];
}

/** Returns the field that a model means; undefined if there is none, or the words fit several. */
export function fieldMeant(written: string, existing: KnownFields): string | undefined {
  const [field, ...others] = fieldsMeant(written, existing);
  return others.length === 0 ? field : undefined;
}

/** Like {@link fieldMeant}, but throws if it is not certain. */
export function requireField(argument: string, written: string, existing: KnownFields): string {
  // Without any record, no field can be refused.
  if (existing.fields.length === 0) return written;
  const [field, ...others] = fieldsMeant(written, existing);
  if (field !== undefined && others.length === 0) return field;
  if (field !== undefined) throw noSuchField(argument, [written], [field, ...others]);
  throw noSuchField(argument, [written], nearest([written], existing.fields) ?? existing.fields);
}

/** Returns the fields that have a word in common with one of these, misspelt or not; undefined if there are none. */
function nearest(written: readonly string[], fields: readonly string[]): readonly string[] | undefined {
  const words = written.slice(0, MAX_UNKNOWN).flatMap((field) => nameWords(field.slice(0, MAX_NAME_LENGTH)));
  const near = fields.filter((other) => nameWords(other).some((one) => words.some((word) => isTypo(one, word))));
  return near.length > 0 ? near : undefined;
}

const MAX_PER_NAME = 3;

/** How many fields are suggested instead of unknown ones. */
const MAX_SUGGESTED = 15;

/** The fields to show, and a note on those that do not exist. */
interface RequestedFields {
  fields: readonly string[];
  notes: readonly string[];
}

/** Finds fields to show. If a name may mean a few fields, all of them are shown, since each appears under its own name. Throws if none is found. */
export function requestedFields(written: readonly string[], existing: KnownFields): RequestedFields {
  if (existing.fields.length === 0) return { fields: written, notes: [] };
  const found = [...new Set(written)].map((name) => {
    const possible = fieldsMeant(name, { ...existing, main: [] });
    return { name, meant: possible.length <= MAX_PER_NAME ? possible : fieldsMeant(name, existing) };
  });
  const isFound = ({ meant }: (typeof found)[number]) => meant.length > 0 && meant.length <= MAX_PER_NAME;
  const fields = [...new Set(found.filter(isFound).flatMap(({ meant }) => meant))];
  const unknown = found.filter((one) => !isFound(one)).map(({ name }) => name);
  if (unknown.length === 0) return { fields, notes: [] };
  const near = nearest(unknown, existing.fields);
  if (fields.length === 0) throw noSuchField("fields", unknown, near ?? existing.fields);
  const { main = [] } = existing;
  const others = near ?? (main.length > 0 ? main : existing.fields);
  const more = others.length > MAX_SUGGESTED ? ", …" : "";
  const named = unknown.slice(0, MAX_UNKNOWN).map((field) => singleLine(field, 40));
  return { fields, notes: [`No such field: ${named.join(", ")}; existing ones: ${quotedNames(others.slice(0, MAX_SUGGESTED))}${more}.`] };
}
