import { isLaterPosition } from "@fleetwire/core/internal";
import type { Naming } from "../names/name-entry.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
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

/** Entities that occur in live positions, by key, and how they are named. */
export interface NamedEntities<Value> {
  naming: Naming<Value>;
  entitiesIn: (positions: readonly Position[]) => Promise<Map<string, Value>>;
}

/** Collects the records with the same key, in time slices. */
async function groupedBy<Key>(
  positions: readonly Position[],
  keyOf: (position: Position) => Key | undefined,
): Promise<Map<Key, Position[]>> {
  const groups = new Map<Key, Position[]>();
  await forEachInSlices(positions, (position) => {
    const key = keyOf(position);
    if (key === undefined) return;
    const existing = groups.get(key);
    if (existing) existing.push(position);
    else groups.set(key, [position]);
  });
  return groups;
}

/** Returns the drivers in the live positions by id, or by name if they have no id. */
async function driversIn(positions: readonly Position[]): Promise<Map<string, Driver>> {
  const drivers = new Map<string, Driver>();
  const byDriver = await groupedBy(positions, ({ driverId, driverName }) => driverId ?? driverName);
  await forEachInSlices(byDriver, ([key, reports]) => {
    const vehicles = reports.length === 1 ? reports : reports.sort((a, b) => Number(isLaterPosition(b, a)) - Number(isLaterPosition(a, b)));
    const { driverId, driverName } = vehicles[0] ?? {};
    drivers.set(key, { driverId, driverName, vehicles });
  });
  return drivers;
}

/** Returns the groups of the listed vehicles and drivers by id. Empty groups do not occur in live positions. */
async function groupsIn(positions: readonly Position[]): Promise<Map<string, NamedGroup>> {
  const groups = new Map<string, NamedGroup>();
  // Some positions have a group's id without its name.
  await forEachInSlices(positions, ({ assetGroupId: id, assetGroupName: name, driverGroupId, driverGroupName }) => {
    if (id !== undefined && (name !== undefined || !groups.has(id))) groups.set(id, { id, name });
    if (driverGroupId !== undefined && groups.get(driverGroupId)?.name === undefined)
      groups.set(driverGroupId, { id: driverGroupId, name: driverGroupName });
  });
  return groups;
}

/** The drivers. */
export const DRIVERS: NamedEntities<Driver> = {
  naming: {
    names: [{ by: "name", of: ({ driverName }) => driverName, isPerson: true }],
    codes: [{ by: "id", of: ({ driverId }) => driverId }],
    labels: (driver) => [driverLabel(driver), driverWithVehicle(driver), labelWithVehicle(driver)],
  },
  entitiesIn: driversIn,
};

/** The groups of vehicles and drivers. */
export const GROUPS: NamedEntities<NamedGroup> = {
  naming: {
    names: [{ by: "name", of: ({ name }) => name }],
    codes: [{ by: "id", of: ({ id }) => id }],
    labels: (group) => [groupLabel(group)],
  },
  entitiesIn: groupsIn,
};

/**
 * Vehicles by everything except their group, and the locations they are in. A town's name usually means the place, not the vehicles based there.
 */
export const VEHICLES_AND_LOCATIONS: NamedEntities<Position | Location> = {
  naming: {
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
  },
  entitiesIn: async (positions) => {
    const things = new Map<string, Position | Location>();
    // Locations without an id are told apart by name.
    const byLocation = await groupedBy(positions, ({ locationId, locationName }) =>
      locationName ? (locationId ?? locationName) : undefined,
    );
    for (const [id, inside] of byLocation) things.set(`location ${id}`, { id, name: inside[0]?.locationName ?? "", inside });
    let count = 0;
    await forEachInSlices(positions, (position) => things.set(`vehicle ${position.assetId || count++}`, position));
    return things;
  },
};
