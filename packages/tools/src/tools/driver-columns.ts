import { groupOf, labelWithVehicle, vehicleName } from "../fleet/entity-labels.ts";
import type { Driver } from "../fleet/fleet-names.ts";
import type { Row } from "../query/list-result.ts";
import { singleLine } from "../text/clip-values.ts";

/** Up to this many rows have all columns; longer lists have only the columns that fit a few tokens per row. */
const MAX_DETAILED = 3;

/** The columns of a list that the model did not choose itself, and a note that names those it leaves out. */
export function usualColumns(
  rows: readonly Row[],
  detailed: readonly string[],
  brief: readonly string[],
): { defaultFields: readonly string[]; left: string[] } {
  if (rows.length <= MAX_DETAILED) return { defaultFields: detailed, left: [] };
  const left = detailed.filter((field) => !brief.includes(field) && rows.some((row) => row[field] !== undefined));
  if (left.length === 0) return { defaultFields: brief, left };
  return { defaultFields: brief, left: [`Not shown of more than ${MAX_DETAILED} drivers: ${left.join(", ")}; request them as fields.`] };
}

interface Named {
  driverId: string | undefined;
  driverKey: string | undefined;
}

/** Adds the drivers' names to rows. */
export interface DriverColumns {
  /** The name, followed by vehicle and group if there is a namesake; for rows without these columns. */
  nameOf: (record: Named) => string;
  rowOf: (record: Named) => Row;
}

/** Drivers who are not in a vehicle have only an id. */
export function driverColumns(drivers: ReadonlyMap<unknown, Driver>): DriverColumns {
  const names = new Map<string, number>();
  for (const { driverName = "" } of drivers.values()) names.set(driverName, (names.get(driverName) ?? 0) + 1);
  const plainNameOf = ({ driverId, driverKey }: Named) =>
    drivers.get(driverId)?.driverName ?? `id ${singleLine(driverId ?? driverKey ?? "-", 30)}`;
  return {
    nameOf: (record) => {
      const driver = drivers.get(record.driverId);
      const hasNamesake = driver && (names.get(driver.driverName ?? "") ?? 0) > 1;
      return hasNamesake ? labelWithVehicle(driver) : plainNameOf(record);
    },
    rowOf: (record) => {
      const driver = drivers.get(record.driverId);
      const [vehicle] = driver?.vehicles ?? [];
      return {
        driver: plainNameOf(record),
        vehicle: vehicle && vehicleName(vehicle),
        group: driver && groupOf(driver),
        driverId: record.driverId,
      };
    },
  };
}
