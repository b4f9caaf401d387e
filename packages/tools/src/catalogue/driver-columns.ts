import type { Driver } from "../names/fleet-names.ts";
import { vehicleName } from "../names/labels.ts";
import { singleLine } from "../results/clip-values.ts";
import type { Row } from "../results/list-result.ts";
import { groupOf, labelWithVehicle } from "./chosen-drivers.ts";

/** Up to this many rows have all columns; longer lists have those that fit a small number of tokens a row. */
export const MAX_DETAILED = 3;

interface Named {
  driverId: string | undefined;
  driverKey: string | undefined;
}

/** Names the drivers of rows. */
export interface DriverColumns {
  nameOf: (record: Named) => string;
  rowOf: (record: Named) => Row;
}

/** A driver is named by vehicle and group too if there is a namesake. Drivers who are in no vehicle have an id only. */
export function driverColumns(drivers: ReadonlyMap<unknown, Driver>): DriverColumns {
  const names = new Map<string, number>();
  for (const { driverName = "" } of drivers.values()) names.set(driverName, (names.get(driverName) ?? 0) + 1);
  const nameOf = ({ driverId, driverKey }: Named) => {
    const driver = drivers.get(driverId);
    if (!driver) return `id ${singleLine(driverId ?? driverKey ?? "-", 30)}`;
    return (names.get(driver.driverName ?? "") ?? 0) > 1 ? labelWithVehicle(driver) : (driver.driverName ?? `id ${driverId}`);
  };
  return {
    nameOf,
    rowOf: (record) => {
      const driver = drivers.get(record.driverId);
      const [vehicle] = driver?.vehicles ?? [];
      return {
        driver: nameOf(record),
        vehicle: vehicle && vehicleName(vehicle),
        group: driver && groupOf(driver),
        driverId: record.driverId,
      };
    },
  };
}
