import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import type { Row } from "./list-result.ts";
import { type FieldTexts, labelsIn, normalized, textsIn } from "./meant-texts.ts";
import { type RowColumns, reasonsAbsent } from "./row-columns.ts";
import { type Condition, filterRows } from "./row-conditions.ts";
import { fieldsMeant, type KnownFields, requireField } from "./row-fields.ts";
import type { WrittenCondition } from "./where.ts";

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
