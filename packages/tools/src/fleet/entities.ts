import { isLaterPosition } from "@fleetwire/core/internal";
import type { Naming } from "../names/name-entry.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { singleLineOrUndefined } from "../text/clip-values.ts";
import { type Noun, VEHICLE } from "../text/pluralize.ts";
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
  /** Empty if vehicles were only inside earlier. */
  inside: Position[];
}

export const isLocation = (thing: Position | Location): thing is Location => "inside" in thing;

/** Maximum length of each part of a label. */
export const LABEL_LENGTH = 40;

/** Builds a label from the first two non-empty parts, such as "Truck 12 (KX21 ABC)". */
function label(noun: string, parts: readonly (string | undefined)[], maxLength = LABEL_LENGTH): string {
  const [name = `${noun} without a name`, more] = parts.flatMap((part) => singleLineOrUndefined(part, maxLength) ?? []);
  return more === undefined ? name : `${name} (${more})`;
}

/** Returns a label that identifies a vehicle to people: the first two of name, registration and id that are known. */
export const vehicleLabel = ({ assetName, assetRegistration, assetId }: Position, maxLength?: number): string =>
  label("Vehicle", [assetName, assetRegistration, assetId], maxLength);

/** Returns a vehicle's name or, if it has none, its registration or id. A name may be empty. */
export const vehicleName = ({ assetName, assetRegistration, assetId }: Position): string =>
  assetName || assetRegistration || assetId || "-";

export const driverLabel = ({ driverName, driverId }: Partial<Driver>): string => label("Driver", [driverName, driverId]);

export const groupLabel = ({ name, id }: NamedGroup): string => label("Group", [name, id]);

export const locationLabel = ({ name }: Location): string => label("Location", [name]);

const labelPart = (text: string | undefined) => singleLineOrUndefined(text, LABEL_LENGTH);

function labelWithDriver(vehicle: Position): string {
  const driver = labelPart(vehicle.driverName);
  return `${vehicleLabel(vehicle)}${driver === undefined ? "" : `, driver ${driver}`}`;
}

function driverWithVehicle(driver: Driver): string {
  const [vehicle] = driver.vehicles;
  return `${driverLabel(driver)}${vehicle ? `, drives ${labelPart(vehicleName(vehicle)) ?? ""}` : ""}`;
}

export const groupOf = ({ vehicles: [vehicle] }: Driver): string | undefined => vehicle?.driverGroupName ?? vehicle?.assetGroupName;

/** Labels a driver by name, vehicle and group, which tell namesakes apart. */
export function labelWithVehicle(driver: Driver): string {
  const [vehicle] = driver.vehicles;
  const more = vehicle ? [vehicleName(vehicle), groupOf(driver)].flatMap((text) => labelPart(text) ?? []) : [];
  const name = labelPart(driver.driverName);
  return name === undefined || more.length === 0 ? driverLabel(driver) : `${name} (${more.join("; ")})`;
}

/** A kind of entity that people refer to by name: how it is named, and how a question presents it. */
export interface Entity<Value> extends Naming<Value> {
  noun: Noun;
  /** What distinguishes entities of this kind. */
  distinguishedBy: string;
  /** The label in a question. */
  labelOf: (value: Value) => string;
  /** The ids and names in the record of a question. */
  recordOf: (value: Value) => Readonly<Record<string, unknown>>;
}

/** An {@link Entity} that is collected from live positions, by key. */
export interface CollectedEntity<Value> extends Entity<Value> {
  entitiesIn: (positions: readonly Position[]) => Promise<Map<string, Value>>;
}

/** Returns the non-empty fields of a record, each shortened and on a single line. */
const shortTexts = (record: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([field, value]) => {
      const text = labelPart(value);
      return text === undefined ? [] : [[field, text]];
    }),
  );

// People often use the end of a VIN, but fewer than six characters rarely identify a vehicle.
const MIN_VIN_SUFFIX = 6;
const MIN_REGISTRATION_PART = 3;

export const VEHICLES: Entity<Position> = {
  noun: VEHICLE,
  distinguishedBy: "registration",
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
  labelOf: labelWithDriver,
  labels: (vehicle) => [vehicleLabel(vehicle), labelWithDriver(vehicle)],
  recordOf: ({ assetId, assetName, assetRegistration, driverName }) => shortTexts({ assetId, assetName, assetRegistration, driverName }),
};

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

/** The drivers, by id, or by name if they have no id. */
export const DRIVERS: CollectedEntity<Driver> = {
  noun: ["driver", "drivers"],
  distinguishedBy: "full name or id",
  names: [{ by: "name", of: ({ driverName }) => driverName, isPerson: true }],
  codes: [{ by: "id", of: ({ driverId }) => driverId }],
  labelOf: driverWithVehicle,
  labels: (driver) => [driverLabel(driver), driverWithVehicle(driver), labelWithVehicle(driver)],
  recordOf: ({ driverId, driverName }) => shortTexts({ driverId, driverName }),
  entitiesIn: async (positions) => {
    const drivers = new Map<string, Driver>();
    const byDriver = await groupedBy(positions, ({ driverId, driverName }) => driverId ?? driverName);
    await forEachInSlices(byDriver, ([key, reports]) => {
      const vehicles =
        reports.length === 1 ? reports : reports.sort((a, b) => Number(isLaterPosition(b, a)) - Number(isLaterPosition(a, b)));
      const { driverId, driverName } = vehicles[0] ?? {};
      drivers.set(key, { driverId, driverName, vehicles });
    });
    return drivers;
  },
};

/** The groups of vehicles and drivers, by id. Empty groups do not occur in live positions. */
export const GROUPS: CollectedEntity<NamedGroup> = {
  noun: ["group", "groups"],
  distinguishedBy: "full name or id",
  names: [{ by: "name", of: ({ name }) => name }],
  codes: [{ by: "id", of: ({ id }) => id }],
  labelOf: groupLabel,
  labels: (group) => [groupLabel(group)],
  recordOf: ({ id, name }) => shortTexts({ id, name }),
  entitiesIn: async (positions) => {
    const groups = new Map<string, NamedGroup>();
    // Some positions have a group's id without its name.
    await forEachInSlices(positions, ({ assetGroupId: id, assetGroupName: name, driverGroupId, driverGroupName }) => {
      if (id !== undefined && (name !== undefined || !groups.has(id))) groups.set(id, { id, name });
      if (driverGroupId !== undefined && groups.get(driverGroupId)?.name === undefined)
        groups.set(driverGroupId, { id: driverGroupId, name: driverGroupName });
    });
    return groups;
  },
};

/**
 * Vehicles by everything except their group, and the locations they are in. A town's name usually means the place, not the vehicles based there.
 */
export const VEHICLES_AND_LOCATIONS: CollectedEntity<Position | Location> = {
  noun: ["vehicle, driver or location", "vehicles, drivers and locations"],
  distinguishedBy: "full name or registration",
  names: [
    { by: "name", of: (thing) => (isLocation(thing) ? thing.name : thing.assetName) },
    { by: "driver", of: (thing) => (isLocation(thing) ? undefined : thing.driverName), isPerson: true, isShared: true },
  ],
  codes: VEHICLES.codes.map((code) => ({
    ...code,
    of: (thing) => (isLocation(thing) ? (code.by === "id" ? thing.id : undefined) : code.of(thing)),
  })),
  labelOf: (thing) => (isLocation(thing) ? locationLabel(thing) : labelWithDriver(thing)),
  labels: (thing) => (isLocation(thing) ? [locationLabel(thing)] : VEHICLES.labels(thing)),
  recordOf: (thing) => (isLocation(thing) ? shortTexts({ locationName: thing.name }) : VEHICLES.recordOf(thing)),
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
