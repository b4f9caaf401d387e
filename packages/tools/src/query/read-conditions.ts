import { FleetError } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import * as z from "zod";
import { singleLine } from "../text/clip-values.ts";

type Operator = "=" | "!=" | ">" | ">=" | "<" | "<=";

/** A condition as written. The field's name has not been looked up yet. */
export interface WrittenCondition {
  field: string;
  operator: Operator;
  /** The values, one of which is enough. */
  wanted: readonly string[];
}

// Matches where a condition begins: after a separator, perhaps "not", a field's name and an operator.
const BEGINNING =
  /(?:^|[,;&]|\band\b|(\||\bor\b))\s*(not |!)?([\p{L}_](?:(?! (?:and|or) )[\p{L}\p{N}_. -])*?)\s*(!=|<>|>=|<=|==|=|>|<|~|:)\s*/giu;

const SAME: Readonly<Record<string, Operator>> = { "<>": "!=", "==": "=", "~": "=", ":": "=" };

/** Without runs of spaces, which would take the expressions here time with the cube of their length. */
const singleSpaced = (text: string) => singleLine(text, Number.POSITIVE_INFINITY);

const unquoted = (text: string) => text.trim().replace(/^(["'])(.*)\1$/s, "$2");

/** The error for a text without conditions. */
export const misread = (text: string) =>
  new FleetError("input", `where: not understood: "${singleLine(text, 80)}"`, {
    advice: "Write conditions such as speed>80, city=Lyon|Paris",
  });

/** Between conditions. */
const PARTS = /[,;&]+|\band\b/gi;

const FLAG = /^(not |no |!)?\s*([\p{L}_][\p{L}\p{N}_. -]*)$/iu;

/** Reads fields without a value, which must be true or, after "not", false. */
function flagsIn(text: string): WrittenCondition[] {
  const parts = text.split(PARTS).map((part) => part.trim());
  return parts.flatMap((part): WrittenCondition[] => {
    if (part === "") return [];
    const [, not, field] = FLAG.exec(part) ?? [];
    if (field === undefined) throw misread(text);
    return [{ field, operator: "=", wanted: [not === undefined ? "true" : "false"] }];
  });
}

const SEPARATOR = /\s*(?:[;&]+|,(?!\d)|\band\b)\s*/i;

const BOUND = /^(>=|<=|>|<)\s*(.+)$/s;

/** Reads the value of a comparison, which may be followed by a second bound, or by flags: `80 and <90, moving`. */
function comparisonsIn(field: string, operator: Operator, text: string): WrittenCondition[] {
  const [value = "", ...more] = text.split(SEPARATOR);
  const others = more.flatMap((part): WrittenCondition[] => {
    const [, bound, limit = ""] = BOUND.exec(part) ?? [];
    return bound === undefined ? flagsIn(part) : [{ field, operator: bound as Operator, wanted: [unquoted(limit)] }];
  });
  return [{ field, operator, wanted: valuesIn(value) }, ...others];
}

const valuesIn = (text: string) => text.split(/\s*\|+\s*|\s+or\s+/i).map(unquoted);

const OPERATOR = /^(!=|<>|>=|<=|==|=|>|<)\s*(.*)$/s;

/** Reads a field of an object, whose name may end or whose value may begin with an operator: `{"speed>": 80}`, `{"speed": ">80"}`. */
function memberCondition(name: string, value: unknown): WrittenCondition[] {
  const [, field = name, after] = /^([^!=<>]*)([!=<>]+)$/.exec(name) ?? [];
  if (after) return memberCondition(field, `${after === "!" ? "!=" : after}${[value].flat().join("|")}`);
  const wanted = [value].flat().map((one) => singleSpaced(String(one)));
  const [, operator, text = ""] = OPERATOR.exec(wanted[0] ?? "") ?? [];
  if (wanted.length === 1 && operator !== undefined) return conditionsIn(field, operator, text);
  const mixed = wanted.find((one) => OPERATOR.test(one));
  if (mixed !== undefined) throw misread(mixed);
  return [{ field, operator: "=", wanted }];
}

function conditionsIn(field: string, written: string, value: string): WrittenCondition[] {
  const operator = SAME[written] ?? (written as Operator);
  return operator === "=" || operator === "!=" ? [{ field, operator, wanted: valuesIn(value) }] : comparisonsIn(field, operator, value);
}

/** Conditions as a model may write them; all of a list must hold. */
export type WrittenWhere = string | readonly string[] | Readonly<Record<string, unknown>>;

/** Reads conditions such as `speed>80, city=Lyon|Paris`. Fields of an object are conditions too. */
export function readConditions(where: WrittenWhere | undefined): WrittenCondition[] {
  if (where === undefined) return [];
  if (isRecord(where)) return Object.entries(where).flatMap(([name, value]) => memberCondition(name, value));
  if (typeof where !== "string") return where.flatMap(readConditions);
  const text = singleSpaced(where);
  const beginnings = [...text.matchAll(BEGINNING)];
  const flags = flagsIn(text.slice(0, beginnings[0]?.index));
  const conditions: WrittenCondition[] = [];
  for (const [at, { 0: begun, 1: or, 2: not, 3: field = "", 4: operator = "=", index }] of beginnings.entries()) {
    const value = text.slice(index + begun.length, beginnings[at + 1]?.index).replace(/[ ,;&|]+$/, "");
    const [condition, ...bounds] = conditionsIn(field, not ? "!=" : operator, value) as [WrittenCondition, ...WrittenCondition[]];
    if (not && (SAME[operator] ?? operator) !== "=") throw misread(text);
    if (or === undefined) conditions.push(condition, ...bounds);
    else {
      const before = conditions.pop();
      if (before?.field !== field || before.operator !== "=" || condition.operator !== "=") throw misread(text);
      conditions.push({ ...before, wanted: [...before.wanted, ...condition.wanted] });
    }
  }
  return [...flags, ...conditions];
}

/** Separates the flags at the end of a condition's last value. */
function withoutFlag(condition: WrittenCondition, isField: (name: string) => boolean): WrittenCondition[] {
  const { field, operator, wanted } = condition;
  const flags: WrittenCondition[] = [];
  let value = wanted.at(-1) ?? "";
  for (const { 0: separator, index } of [...value.matchAll(PARTS)].reverse()) {
    const [, not, flag = ""] = FLAG.exec(value.slice(index + separator.length).trim()) ?? [];
    const before = value.slice(0, index);
    if (!isField(flag) || before.trim() === "") break;
    flags.unshift({ field: flag, operator: "=", wanted: [not === undefined ? "true" : "false"] });
    value = before;
  }
  return flags.length === 0 ? [condition] : [{ field, operator, wanted: [...wanted.slice(0, -1), unquoted(value)] }, ...flags];
}

// Each condition may search all rows.
const MAX_CONDITIONS = 20;

/**
 * Separates flags from the values before them: in `city=Lyon, moving`, "moving" is a flag if that is a field, whereas in
 * `city=Lyon, France` all of it is the value.
 */
export function withoutFlags(written: readonly WrittenCondition[], isField: (name: string) => boolean): WrittenCondition[] {
  const conditions = written.flatMap((condition) => withoutFlag(condition, isField));
  if (conditions.length <= MAX_CONDITIONS) return conditions;
  throw new FleetError("input", `where: ${conditions.length} conditions exceed the limit of ${MAX_CONDITIONS}`, {
    advice: "Join the values of a field with |, or call several times",
  });
}

/** What `where` accepts. */
export const Where: z.ZodType = z.union([
  z.string().min(1),
  z.array(z.string().min(1)),
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number(), z.boolean()]))])),
]);
