import { groupOf, labelWithVehicle, vehicleName } from "../fleet/entity-labels.ts";
import type { Driver } from "../fleet/fleet-names.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { Row } from "../query/list-result.ts";
import { singleLine } from "../text/clip-values.ts";

interface Named {
  driverId: string | undefined;
  driverKey: string | undefined;
}

/** Adds the drivers' names to rows. Drivers who have been in no vehicle while this process ran have only an id. */
export function driverColumns(drivers: ReadonlyMap<unknown, Driver>, { seenDrivers }: FleetView) {
  const names = new Map<string, number>();
  for (const { driverName = "" } of drivers.values()) names.set(driverName, (names.get(driverName) ?? 0) + 1);
  const plainNameOf = ({ driverId, driverKey }: Named) =>
    seenDrivers.nameOf(driverId, drivers) ?? `id ${singleLine(driverId ?? driverKey ?? "-", 30)}`;
  return {
    /** The name, followed by vehicle and group if there is a namesake; for rows without these columns. */
    nameOf: (record: Named): string => {
      const driver = drivers.get(record.driverId);
      const hasNamesake = driver && (names.get(driver.driverName ?? "") ?? 0) > 1;
      return hasNamesake ? labelWithVehicle(driver) : plainNameOf(record);
    },
    rowOf: (record: Named): Row => {
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
