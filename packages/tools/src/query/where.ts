import { FleetError } from "@fleetwire/core";
import * as z from "zod";
import { singleLine } from "../text/clip-values.ts";

/** A condition as written. The field's name has not been looked up yet. */
export interface WrittenCondition {
  field: string;
  operator: "=" | "!=" | ">" | ">=" | "<" | "<=";
  /** The values, one of which is enough. */
  wanted: readonly string[];
}

const EXAMPLE = "speed>80, city=Lyon|Paris";

/** What `where` accepts. */
export const Where: z.ZodType<string> = z.string(`must be a text such as ${EXAMPLE}`).min(1);

/** A comma or `and` separates conditions only before a field and an operator, because values may contain both. */
const SEPARATOR = / ?(?:, ?(?:and )?| and )(?=[\p{L}_][\p{L}\p{N}_. -]{0,100}?(?:!=|[<>=]))/iu;

const CONDITION = /^([\p{L}_][\p{L}\p{N}_. -]*?) ?(!=|>=|<=|=|>|<) ?("[^"]*"|[^<>=]*)$/u;

// Each condition may search all rows.
const MAX_CONDITIONS = 20;

const unquoted = (text: string) => text.replace(/^(["'])(.*)\1$/, "$2");

/** Reads conditions such as `speed>80, city=Lyon|Paris`: a field, an operator, and values with | between them. All of them must hold. */
export function readConditions(where: string | undefined): WrittenCondition[] {
  if (where === undefined) return [];
  const parts = singleLine(where, Number.POSITIVE_INFINITY).split(SEPARATOR);
  if (parts.length > MAX_CONDITIONS)
    throw new FleetError("input", `where: ${parts.length} conditions exceed the limit of ${MAX_CONDITIONS}`, {
      advice: "Join the values of a field with |, or call several times",
    });
  return parts.map((part) => {
    const [, field, operator, values] = CONDITION.exec(part) ?? [];
    if (field === undefined || values === undefined)
      throw new FleetError("input", `where: not understood: "${singleLine(part, 80)}"`, {
        advice: `Write field, operator (=, !=, <, <=, >, >=) and value, such as ${EXAMPLE}`,
      });
    return { field, operator: operator as WrittenCondition["operator"], wanted: values.split(/ ?\| ?/).map(unquoted) };
  });
}
