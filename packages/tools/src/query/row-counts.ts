import { metadataOf } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { DAY, dateOf, dayIn, mondayOf } from "../text/calendar-days.ts";
import { cell } from "../text/clip-values.ts";
import { type Noun, pluralize, VEHICLE } from "../text/pluralize.ts";
import { durationIn } from "../text/read-number.ts";
import { hoursAndMinutes, timesOf, type ZonedTimes } from "../text/time.ts";
import type { Row } from "./list-result.ts";
import type { RowColumns } from "./row-columns.ts";
import { requireField } from "./row-fields.ts";
import { compareValues, type RowOrder } from "./row-order.ts";
import type { FilteredSource } from "./where.ts";

/** What to call the columns of a count. */
interface CountColumns {
  /** The column with the number of rows. */
  rows: string;
  /** The field with the id of the vehicle that a row is about, and the column with the number of different vehicles. */
  vehicle?: { field: string; column: string } | undefined;
  /** The fields to add up: numbers, and durations in h:mm. */
  sums?: readonly string[];
}

/** What rows without a value are counted as. */
export const NO_VALUE = "none";

/** Returns the number of different values of a field. */
export const differentValues = (rows: readonly Row[], field: string): number =>
  new Set(rows.flatMap(({ [field]: value }) => (value === undefined ? [] : [value]))).size;

type TimeUnit = "hour" | "day" | "week" | "month";

/** Reads what to count by: a field, which may be followed by a unit of time, as in "startDate by week", or a unit alone, which has an empty field. */
export function readCount(count: string, fields: readonly string[]): { field: string; unit: TimeUnit | undefined } {
  if (fields.includes(count)) return { field: count, unit: undefined };
  const [, field = count, unit] = /^(?:(.+?)[ :]+(?:(?:by|per) )?|(?:by |per )?)(hour|day|week|month)s?$/i.exec(count.trim()) ?? [];
  const isAlone = unit !== undefined && field === count;
  return { field: isAlone ? "" : field, unit: unit?.toLowerCase() as TimeUnit | undefined };
}

/** With so many days or fewer, each is shown in hours; with more than so many, in weeks or months. */
const IN_HOURS = 1;
const IN_DAYS = 62;
const IN_WEEKS = 400;

/** Returns the unit in which to count instants: the one that was asked for, otherwise days, or what suits how far apart they are. */
function unitFor(rows: readonly Row[], field: string, asked: TimeUnit | undefined): TimeUnit {
  if (asked) return asked;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { [field]: value } of rows) {
    const instant = parseDateTime(value);
    if (instant !== undefined) [first, last] = [Math.min(first, instant), Math.max(last, instant)];
  }
  const days = (last - first) / DAY;
  return days <= IN_HOURS ? "hour" : days <= IN_DAYS ? "day" : days <= IN_WEEKS ? "week" : "month";
}

/** Returns the rows with the hour, day, week or month of an instant in place of it. */
const inUnits = (rows: readonly Row[], field: string, unit: TimeUnit, { text }: ZonedTimes): Row[] =>
  rows.map((row) => {
    const instant = parseDateTime(row[field]);
    if (instant === undefined) return row;
    const local = text(instant);
    const day = local.slice(0, 10);
    // The offset in an hour that clocks show twice.
    const hour = `${local.slice(0, 13)}:00${local.slice(16)}`;
    return {
      ...row,
      [field]: unit === "hour" ? hour : unit === "day" ? day : unit === "week" ? dateOf(mondayOf(dayIn(day))) : day.slice(0, 7),
    };
  });

/** Adds up numbers, or durations in h:mm; undefined if there are none. */
function sumOf(values: readonly unknown[]): number | string | undefined {
  const numbers = values.filter((value) => typeof value === "number");
  const minutes = values.flatMap((value) => durationIn(value) ?? []);
  const total = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0);
  if (minutes.length > 0) return hoursAndMinutes(total(minutes) * 60_000);
  return numbers.length === 0 ? undefined : Math.round(total(numbers) * 10) / 10;
}

/** Counts rows by the values of a field, most frequent first. A row with several values counts once for each. */
async function countedRows(rows: readonly Row[], field: string, { rows: column, vehicle, sums = [] }: CountColumns): Promise<Row[]> {
  const counts = new Map<string, { value: unknown; rows: Row[] }>();
  await forEachInSlices(rows, (row) => {
    const { [field]: value } = row;
    const values = Array.isArray(value) ? [...new Set(value)] : [value];
    for (const one of values.length > 0 ? values : [undefined]) {
      const key = one === undefined || one === null || one === "" ? NO_VALUE : typeof one === "object" ? cell(one) : `${typeof one} ${one}`;
      const existing = counts.get(key);
      if (existing) existing.rows.push(row);
      else counts.set(key, { value: key === NO_VALUE ? NO_VALUE : typeof one === "object" ? key : one, rows: [row] });
    }
  });
  const sorted = [...counts.values()].sort((a, b) => b.rows.length - a.rows.length || (String(a.value) < String(b.value) ? -1 : 1));
  const vehiclesOf = (some: readonly Row[]) => new Set(vehicle && some.map((row) => row[vehicle.field])).size;
  // If each value belongs to one vehicle, the number of vehicles adds nothing.
  const isShared = vehicle && sorted.some((one) => vehiclesOf(one.rows) > 1);
  return sorted.map(({ value, rows: some }) => ({
    [field]: value,
    [column]: some.length,
    ...(isShared && { [vehicle.column]: vehiclesOf(some) }),
    ...Object.fromEntries(sums.flatMap((sum) => (rows.some((row) => sum in row) ? [[sum, sumOf(some.map((row) => row[sum]))]] : []))),
  }));
}

/** Returns the order of counts that was asked for: by the value, the number of rows or another column; undefined if there is no such column. */
function countOrder({ field, isDescending }: RowOrder, by: string, columns: readonly string[], rows: string): RowOrder | undefined {
  const wanted = field.toLowerCase();
  const named = columns.find((column) => column.toLowerCase() === wanted);
  const column =
    named ?? (["count", "number", "total", "rows"].includes(wanted) ? rows : ["value", "date", "time"].includes(wanted) ? by : undefined);
  return column === undefined ? undefined : { field: column, isDescending };
}

/** Sorts counts; those without a value are last. */
const sortedCounts = (counts: readonly Row[], { field, isDescending }: RowOrder): Row[] => {
  const keyOf = ({ [field]: value }: Row) => (value === NO_VALUE ? undefined : (durationIn(value) ?? value));
  return [...counts].sort((a, b) => compareValues(keyOf(a), keyOf(b), isDescending));
};

interface CountedSource extends FilteredSource {
  noun: Noun;
  columns: RowColumns;
  sums?: readonly string[];
  part?: unknown;
  sort: RowOrder | undefined;
  /** The time by which the rows are ordered, if any. */
  usual: string | undefined;
  /** The field with the id of the vehicle that a row is about. */
  vehicle: string | undefined;
}

/** Counts rows by a field as a model wrote it: instants by a unit of time, other values as they are. */
export async function countedBy(
  count: string,
  source: CountedSource,
  context: FleetContext,
): Promise<{ counts: Row[]; by: string; heading: string }> {
  const { rows, fields, shape, noun, sums, sort, usual, vehicle } = source;
  const times = timesOf(context);
  const shown = source.columns.shown(times.now);
  const { field, unit: asUnit } = readCount(count, fields);
  // A unit alone is that of the usual time, or of the first one.
  const [instant = count] = [...(usual === undefined ? [] : [usual]), ...fields].filter((one) => shown[one]?.isInstant);
  const by = requireField("count", field === "" ? instant : field, source);
  const unit = shown[by]?.isInstant ? unitFor(rows, by, asUnit) : undefined;
  const counts = await countedRows(unit === undefined ? rows : inUnits(rows, by, unit, times), by, {
    rows: noun[1],
    vehicle: vehicle === undefined ? undefined : { field: vehicle, column: VEHICLE[1] },
    sums: fields.filter((one) => one !== by && (sums?.includes(one) || (shape[one] && metadataOf(shape[one])?.adds))),
  });
  const columns = Object.keys(counts[0] ?? {});
  const asked = sort && countOrder(sort, by, columns, noun[1]);
  const order = asked ?? (unit === undefined ? undefined : { field: by, isDescending: false });
  const unordered = sort && !asked ? `; sort has no effect here, except by ${columns.join(", ")}` : "";
  const among = source.part ? ", among these only" : "";
  return {
    counts: order ? sortedCounts(counts, order) : counts,
    by,
    heading: `Counted by ${by}${unit === undefined ? "" : ` in ${unit}s of ${times.zone}`}${among}: ${pluralize(counts.length, ["value", "values"])}${unordered}.`,
  };
}
