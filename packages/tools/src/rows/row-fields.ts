import { FleetError } from "@fleetwire/core";
import type * as z from "zod";
import { cell } from "../results/clip-values.ts";
import { quotation } from "../results/quotation.ts";

/** Splits a field's name into lowercase words: `fuelLevelPercentage` becomes fuel, level, percentage. */
const wordsOf = (field: string): string[] =>
  (field.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? [field]).map((word) => word.toLowerCase());

const MAX_NAME_LENGTH = 100;

const plain = (field: string) => wordsOf(field).join("");

// Undocumented field names come from the service, so unusual ones are quoted.
const listed = (fields: readonly string[]) => fields.map((field) => (/^\w+$/.test(field) ? field : quotation(field))).join(", ");

/** The error for fields that do not exist, which lists those that do. */
export function noSuchField(argument: string, unknown: readonly string[], known: readonly string[]): FleetError {
  const names = unknown.slice(0, 5).map((field) => cell(field));
  return new FleetError("input", `${argument}: no such field: ${names.join(", ")}`, { advice: `Choose from ${listed(known)}` });
}

/** The fields that rows have, with their schemas as far as they are documented. */
export interface KnownFields {
  fields: readonly string[];
  shape: Readonly<Record<string, z.ZodType>>;
  /** The fields that the tool's description names: if several are possible, one of these is meant. */
  main?: readonly string[];
}

const hasWords = (words: readonly string[], among: readonly string[]) =>
  words.every((word) => among.some((other) => other === word || other === `${word}s` || `${other}s` === word));

/**
 * Returns the field that a model means: written in another case or, if this is true of one field only, named or described with these words. Returns
 * undefined if there is none, or several.
 */
export function fieldMeant(given: string, { fields, shape, main = [] }: KnownFields): string | undefined {
  if (fields.includes(given)) return given;
  if (given.length > MAX_NAME_LENGTH) return undefined;
  const words = wordsOf(given);
  const joined = words.join("");
  const rules: ((field: string) => boolean)[] = [
    (field) => plain(field) === joined,
    (field) => hasWords(words, wordsOf(field)),
    (field) => hasWords(words, (shape[field]?.description ?? "").toLowerCase().split(/\W+/)),
  ];
  for (const rule of rules) {
    const possible = fields.filter(rule);
    const [field, ...others] = possible.length > 1 ? possible.filter((one) => main.includes(one)) : possible;
    if (possible.length > 0) return others.length === 0 ? field : undefined;
  }
  return undefined;
}

/** Like {@link fieldMeant}, but throws if it is not certain. */
export function requireField(argument: string, given: string, known: KnownFields): string {
  const meant = fieldMeant(given, known);
  if (meant !== undefined) return meant;
  const words = wordsOf(given.slice(0, MAX_NAME_LENGTH));
  const near = known.fields.filter((field) => words.some((word) => wordsOf(field).includes(word)));
  throw noSuchField(argument, [given], near.length > 0 ? near : known.fields);
}
