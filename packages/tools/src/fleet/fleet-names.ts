import { isLaterPosition } from "@fleetwire/core/internal";
import { forEachInSlices } from "../runtime/time-slices.ts";
import type { Position } from "./position.ts";

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
export interface Location {
  id: string;
  name: string;
  inside: Position[];
}

export const isLocation = (thing: Position | Location): thing is Location => "inside" in thing;

/** Collects the records with the same key, in time slices. */
async function groupedBy<Key>(
  positions: readonly Position[],
  keyOf: (position: Position) => Key | undefined,
): Promise<Map<Key, Position[]>> {
  const groups = new Map<Key, Position[]>();
  await forEachInSlices(positions, (position) => {
    const key = keyOf(position);
    if (key === undefined) return;
    const known = groups.get(key);
    if (known) known.push(position);
    else groups.set(key, [position]);
  });
  return groups;
}

/** Returns the drivers in the live positions by id, or by name if they have no id. */
export async function driversIn(positions: readonly Position[]): Promise<Map<string, Driver>> {
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
export async function groupsIn(positions: readonly Position[]): Promise<Map<string, NamedGroup>> {
  const groups = new Map<string, NamedGroup>();
  // Some positions have a group's id without its name.
  await forEachInSlices(positions, ({ assetGroupId: id, assetGroupName: name, driverGroupId, driverGroupName }) => {
    if (id !== undefined && (name !== undefined || !groups.has(id))) groups.set(id, { id, name });
    if (driverGroupId !== undefined && groups.get(driverGroupId)?.name === undefined)
      groups.set(driverGroupId, { id: driverGroupId, name: driverGroupName });
  });
  return groups;
}

/** Returns the named locations that vehicles are in, by id, or by name if they have no id. */
export async function locationsIn(positions: readonly Position[]): Promise<Map<string, Location>> {
  const byPlace = await groupedBy(positions, ({ locationId, locationName }) => (locationName ? (locationId ?? locationName) : undefined));
  return new Map([...byPlace].map(([id, inside]) => [id, { id, name: inside[0]?.locationName ?? "", inside }]));
}
