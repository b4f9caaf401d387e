import { FleetError, isRecord } from "@fleetwire/core";
import * as z from "zod";
import { singleLine } from "../results/clip-values.ts";

type Operator = "=" | "!=" | ">" | ">=" | "<" | "<=";

/** A condition as written. The field's name has not been looked up yet. */
export interface WrittenCondition {
  field: string;
  operator: Operator;
  /** The values, one of which is enough. */
  wanted: readonly string[];
}

// Matches where a condition begins: after a separator, a field's name and an operator.
const BEGINNING = /(?:^|[,;&]|\band\b)\s*([\p{L}_][\p{L}\p{N}_. -]*?)\s*(!=|<>|>=|<=|==|=|>|<|~|:)\s*/giu;

const SAME: Readonly<Record<string, Operator>> = { "<>": "!=", "==": "=", "~": "=", ":": "=" };

const unquoted = (text: string) => text.trim().replace(/^(["'])(.*)\1$/s, "$2");

const misread = (text: string) =>
  new FleetError("input", `where: not understood: "${singleLine(text, 80)}"`, {
    advice: "Write conditions such as speed>80, city=Lyon|Paris",
  });

const FLAG = /^(not |no |!)?\s*([\p{L}_][\p{L}\p{N}_. -]*)$/iu;

/** Reads fields without a value, which must be true or, after "not", false. */
function flagsIn(text: string): WrittenCondition[] {
  const parts = text.split(/[,;&]|\band\b/i).map((part) => part.trim());
  return parts.flatMap((part): WrittenCondition[] => {
    if (part === "") return [];
    const [, not, field] = FLAG.exec(part) ?? [];
    if (field === undefined) throw misread(text);
    return [{ field, operator: "=", wanted: [not === undefined ? "true" : "false"] }];
  });
}

/** Reads conditions such as `speed>80, city=Lyon|Paris`. Fields of an object are equality conditions. */
export function readConditions(where: string | Readonly<Record<string, unknown>> | undefined): WrittenCondition[] {
  if (where === undefined) return [];
  if (isRecord(where)) return Object.entries(where).map(([field, value]) => ({ field, operator: "=", wanted: [value].flat().map(String) }));
  const beginnings = [...where.matchAll(BEGINNING)];
  const flags = flagsIn(where.slice(0, beginnings[0]?.index));
  const conditions = beginnings.map(({ 0: text, 1: field = "", 2: operator = "=", index }, at) => {
    const value = where.slice(index + text.length, beginnings[at + 1]?.index).replace(/[\s,;&]+$/, "");
    const wanted = value.split(/\s*\|\s*|\s+or\s+/).map(unquoted);
    return { field, operator: SAME[operator] ?? (operator as Operator), wanted };
  });
  return [...flags, ...conditions];
}

/** What `where` accepts. */
export const Where: z.ZodType = z.union([
  z.string().min(1),
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number(), z.boolean()]))])),
]);
