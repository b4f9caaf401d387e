import { FleetError } from "@fleetwire/core";
import * as z from "zod";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { singleLine } from "../text/clip-values.ts";
import type { Row } from "./list-result.ts";
import { type FieldTexts, labelsIn, normalized, textsIn } from "./meant-texts.ts";
import { type RowColumns, reasonsAbsent } from "./row-columns.ts";
import { type Condition, filterRows, type WrittenCondition } from "./row-conditions.ts";
import { fieldsMeant, type KnownFields, requireField } from "./row-fields.ts";

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

/** The rows to filter, and what is known about them. */
export interface FilteredSource extends KnownFields {
  rows: readonly Row[];
  columns: Pick<RowColumns, "guard">;
}

/** Finds the field of a condition. If several have the name, it is the only one that holds a wanted value. */
async function fieldOf({ field, wanted }: WrittenCondition, source: FilteredSource): Promise<string> {
  const possible = fieldsMeant(field, source);
  if (possible.length > 1) {
    const texts = await textsIn(source.rows, possible, new TimeSlices());
    const holds = (among: FieldTexts) => wanted.some((value) => among.has(normalized(value)) || labelsIn(among, value).length > 0);
    const [only, ...others] = possible.filter((_, at) => holds(texts[at] as FieldTexts));
    if (only !== undefined && others.length === 0) return only;
  }
  return requireField("where", field, source);
}

/** Whether the live positions have a vehicle, driver or group with just this name. */
async function isFleetName(text: string, context: FleetContext): Promise<boolean> {
  const fleet = await ifReadable(() => readFleet(context));
  const name = normalized(text);
  return fleet?.positions.some((position) => NAMES.some((field) => normalized(position[field] ?? "") === name)) ?? false;
}

const NAMES = ["assetName", "driverName", "assetGroupName"] as const;

/** Returns the rows that meet conditions as a model wrote them, and the conditions as understood. */
export async function rowsWhere(
  written: readonly WrittenCondition[],
  source: FilteredSource,
  context: FleetContext,
): Promise<{ rows: Row[]; notes: string[]; conditions: readonly Condition[] }> {
  const { now, settings } = context;
  const conditions: Condition[] = [];
  for (const one of written) {
    const field = await fieldOf(one, source);
    const schema = source.shape[field];
    conditions.push({
      ...{ ...one, field, schema, isName: (text) => isFleetName(text, context) },
      reasonsAbsent: (lacking) => reasonsAbsent(schema, lacking, source.columns, settings),
    });
  }
  return { ...(await filterRows(source.rows, conditions, { now: now(), timeZone: settings.timeZone })), conditions };
}
