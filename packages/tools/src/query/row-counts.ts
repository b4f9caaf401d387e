import { forEachInSlices } from "../runtime/time-slices.ts";
import { cell } from "../text/clip-values.ts";
import type { Row } from "./list-result.ts";

/** What to call the columns of a count. */
interface CountColumns {
  /** The column with the number of rows. */
  rows: string;
  /** The field with the id of the vehicle that a row is about, and the column with the number of different vehicles. */
  vehicle?: { field: string; column: string } | undefined;
}

/** What rows without a value are counted as. */
export const NO_VALUE = "none";

/** Returns the number of different values of a field. */
export const differentValues = (rows: readonly Row[], field: string): number =>
  new Set(rows.flatMap(({ [field]: value }) => (value === undefined ? [] : [value]))).size;

/** Counts rows by the values of a field, most frequent first. A row with several values counts once for each. */
export async function countedRows(rows: readonly Row[], field: string, { rows: column, vehicle }: CountColumns): Promise<Row[]> {
  const counts = new Map<string, { value: unknown; count: number; vehicles: Set<unknown> }>();
  await forEachInSlices(rows, (row) => {
    const { [field]: value } = row;
    const values = Array.isArray(value) ? [...new Set(value)] : [value];
    for (const one of values.length > 0 ? values : [undefined]) {
      const key = one === undefined || one === null || one === "" ? NO_VALUE : typeof one === "object" ? cell(one) : `${typeof one} ${one}`;
      const existing = counts.get(key) ?? {
        value: key === NO_VALUE ? NO_VALUE : typeof one === "object" ? key : one,
        count: 0,
        vehicles: new Set(),
      };
      existing.count++;
      if (vehicle) existing.vehicles.add(row[vehicle.field]);
      counts.set(key, existing);
    }
  });
  const sorted = [...counts.values()].sort((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1));
  // If each value belongs to one vehicle, the number of vehicles adds nothing.
  const isShared = vehicle && sorted.some(({ vehicles }) => vehicles.size > 1);
  return sorted.map(({ value, count, vehicles }) => ({
    [field]: value,
    [column]: count,
    ...(isShared && { [vehicle.column]: vehicles.size }),
  }));
}
