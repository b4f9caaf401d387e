import type { Position } from "../fleet/privacy.ts";
import type { Named } from "./name-entry.ts";

/** A driver who occurs in live positions. */
export interface Driver {
  driverId: string | undefined;
  driverName: string | undefined;
  /** The vehicles that report this driver, most recent report first. */
  vehicles: Position[];
}

export interface NamedGroup {
  id: string;
  name: string | undefined;
}

/** A geo-fenced location, known only from the vehicles inside it. */
export interface Place {
  id: string;
  name: string;
  inside: Position[];
}

// People often use the end of a VIN, but fewer than six characters rarely identify a vehicle.
const MIN_VIN_SUFFIX = 6;
const MIN_REGISTRATION_PART = 3;

/** Returns the latest record of each vehicle, because a list may contain a vehicle more than once. */
export function latestOfEach(positions: readonly Position[]): Position[] {
  const latest = new Map<unknown, Position>();
  for (const position of positions) {
    const key = position.assetId || position;
    const known = latest.get(key);
    if (!known || (known.date ?? "") < (position.date ?? "")) latest.set(key, position);
  }
  return [...latest.values()];
}

export function vehicleNames(positions: readonly Position[]): Named<Position>[] {
  return positions.map((position) => ({
    value: position,
    names: [
      { by: "name", text: position.assetName },
      { by: "driver", text: position.driverName, isPerson: true },
      { by: "group", text: position.assetGroupName },
    ],
    codes: [
      { by: "id", text: position.assetId },
      { by: "vin", text: position.assetVin, minSuffixLength: MIN_VIN_SUFFIX },
      { by: "registration", text: position.assetRegistration, minPartLength: MIN_REGISTRATION_PART },
    ],
  }));
}

function groupedBy<Key>(positions: readonly Position[], keyOf: (position: Position) => Key | undefined): Map<Key, Position[]> {
  const groups = new Map<Key, Position[]>();
  for (const position of positions) {
    const key = keyOf(position);
    if (key === undefined) continue;
    const known = groups.get(key);
    if (known) known.push(position);
    else groups.set(key, [position]);
  }
  return groups;
}

export function driverNames(positions: readonly Position[]): Named<Driver>[] {
  const byDriver = groupedBy(positions, ({ driverId, driverName }) => driverId ?? driverName);
  return [...byDriver.values()].map((reports) => {
    const vehicles = [...reports].sort((a, b) => ((a.date ?? "") < (b.date ?? "") ? 1 : -1));
    const { driverId, driverName } = vehicles[0] ?? {};
    return {
      value: { driverId, driverName, vehicles },
      names: [{ by: "name", text: driverName, isPerson: true }],
      codes: [{ by: "id", text: driverId }],
    };
  });
}

/** Returns the groups of the listed vehicles and drivers. Empty groups do not occur in live positions. */
export function groupNames(positions: readonly Position[]): Named<NamedGroup>[] {
  const groups = new Map<string, NamedGroup>();
  for (const { assetGroupId, assetGroupName, driverGroupId, driverGroupName } of positions) {
    if (assetGroupId !== undefined) groups.set(assetGroupId, { id: assetGroupId, name: assetGroupName });
    if (driverGroupId !== undefined && !groups.has(driverGroupId)) groups.set(driverGroupId, { id: driverGroupId, name: driverGroupName });
  }
  return [...groups.values()].map((group) => ({
    value: group,
    names: [{ by: "name", text: group.name }],
    codes: [{ by: "id", text: group.id }],
  }));
}

export function placeNames(positions: readonly Position[]): Named<Place>[] {
  const byPlace = groupedBy(positions, ({ locationId, locationName }) => (locationName ? (locationId ?? locationName) : undefined));
  return [...byPlace].map(([id, inside]) => ({
    value: { id, name: inside[0]?.locationName ?? "", inside },
    names: [{ by: "name", text: inside[0]?.locationName }],
    codes: [{ by: "id", text: id }],
  }));
}
