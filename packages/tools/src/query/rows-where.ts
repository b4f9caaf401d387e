import type { FleetContext } from "../fleet/fleet-context.ts";
import { reasonsAbsent } from "./absent-values.ts";
import { withField } from "./condition-fields.ts";
import type { Row } from "./list-result.ts";
import { type WrittenCondition, withoutFlags } from "./read-conditions.ts";
import type { RowColumns } from "./row-columns.ts";
import { type Condition, type FilteredRows, filterRows } from "./row-conditions.ts";
import { fieldMeant, type KnownFields } from "./row-fields.ts";

/** The rows to filter, and what is known about them. */
export interface FilteredSource extends KnownFields {
  rows: readonly Row[];
  columns: Pick<RowColumns, "guard">;
  /** Fields in conditions that the rows do not have, so that only the service can filter by them. */
  served?: readonly string[];
  /** Whether nothing is known about the fields, so that none can be rejected. */
  hasNoFields?: boolean;
}

const isFlag = (name: string, known: KnownFields) =>
  known.fields.includes(name) || known.shape[fieldMeant(name, known) ?? ""]?.safeParse(true, { jitless: true }).success === true;

export const knownConditions = (conditions: readonly WrittenCondition[], known: KnownFields): WrittenCondition[] =>
  withoutFlags(conditions, (name) => isFlag(name, known));

/** Returns the rows that meet conditions as a model wrote them, and the conditions as understood. */
export async function rowsWhere(
  written: readonly WrittenCondition[],
  source: FilteredSource,
  { now, settings }: FleetContext,
): Promise<FilteredRows & { conditions: readonly Condition[] }> {
  const conditions: Condition[] = [];
  for (const one of knownConditions(written, source)) {
    if (source.served?.includes(one.field)) continue;
    const condition = source.hasNoFields ? one : await withField(one, source.rows, source);
    const schema = source.shape[condition.field];
    conditions.push({ ...condition, schema, reasonsAbsent: (lacking) => reasonsAbsent(schema, lacking, source.columns, settings) });
  }
  return { ...(await filterRows(source.rows, conditions, { now: now(), timeZone: settings.timeZone })), conditions };
}
