import type { Naming } from "../names/name-entry.ts";
import {
  driverLabel,
  driverWithVehicle,
  groupLabel,
  labelWithDriver,
  labelWithVehicle,
  locationLabel,
  vehicleLabel,
} from "./entity-labels.ts";
import { type Driver, isLocation, type Location, type NamedGroup } from "./fleet-names.ts";
import type { Position } from "./position.ts";

// People often use the end of a VIN, but fewer than six characters rarely identify a vehicle.
const MIN_VIN_SUFFIX = 6;
const MIN_REGISTRATION_PART = 3;

export const vehicleNaming: Naming<Position> = {
  names: [
    { by: "name", of: ({ assetName }) => assetName },
    { by: "driver", of: ({ driverName }) => driverName, isPerson: true, isShared: true },
    { by: "group", of: ({ assetGroupName }) => assetGroupName, isShared: true },
  ],
  codes: [
    { by: "id", of: ({ assetId }) => assetId },
    { by: "vin", of: ({ assetVin }) => assetVin, minSuffixLength: MIN_VIN_SUFFIX },
    { by: "registration", of: ({ assetRegistration }) => assetRegistration, minPartLength: MIN_REGISTRATION_PART },
  ],
  labels: (vehicle) => [vehicleLabel(vehicle), labelWithDriver(vehicle)],
};

export const driverNaming: Naming<Driver> = {
  names: [{ by: "name", of: ({ driverName }) => driverName, isPerson: true }],
  codes: [{ by: "id", of: ({ driverId }) => driverId }],
  labels: (driver) => [driverLabel(driver), driverWithVehicle(driver), labelWithVehicle(driver)],
};

export const groupNaming: Naming<NamedGroup> = {
  names: [{ by: "name", of: ({ name }) => name }],
  codes: [{ by: "id", of: ({ id }) => id }],
  labels: (group) => [groupLabel(group)],
};

export const locationNaming: Naming<Location> = {
  names: [{ by: "name", of: ({ name }) => name }],
  codes: [{ by: "id", of: ({ id }) => id }],
};

/**
 * Finds vehicles by everything except their group, and locations. A town's name usually means the place, not the vehicles based there.
 */
export const vehicleOrLocationNaming: Naming<Position | Location> = {
  names: [
    { by: "name", of: (thing) => (isLocation(thing) ? thing.name : thing.assetName) },
    { by: "driver", of: (thing) => (isLocation(thing) ? undefined : thing.driverName), isPerson: true, isShared: true },
  ],
  codes: [
    { by: "id", of: (thing) => (isLocation(thing) ? thing.id : thing.assetId) },
    ...vehicleNaming.codes
      .filter(({ by }) => by !== "id")
      .map((code) => ({ ...code, of: (thing: Position | Location) => (isLocation(thing) ? undefined : code.of(thing)) })),
  ],
  labels: (thing) => (isLocation(thing) ? [locationLabel(thing)] : (vehicleNaming.labels?.(thing) ?? [])),
};
