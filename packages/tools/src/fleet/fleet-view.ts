import { FleetError } from "@fleetwire/core";
import { isLaterPosition } from "@fleetwire/core/internal";
import { NameIndex } from "../names/name-index.ts";
import { type Point, pointOf } from "../places/geography.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { type CollectedEntity, DRIVERS, type Driver, GROUPS, type Location, VEHICLES, VEHICLES_AND_LOCATIONS } from "./entities.ts";
import { latestOfEach, type Position, positionFields, positionOf, sentInstead } from "./position.ts";

const isSameValue = (a: unknown, b: unknown) =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => item === b[at]));

const isSame = (a: Position, b: Position) =>
  JSON.stringify(a[sentInstead]) === JSON.stringify(b[sentInstead]) && positionFields.every((field) => isSameValue(a[field], b[field]));

/** How many names are kept: a few megabytes. */
const MAX_DRIVERS = 50_000;

/** The names of drivers who were in a vehicle while this process ran, as live positions gave them to this caller: tachograph entries have only ids. */
class SeenDrivers {
  readonly #names = new Map<string, string>();

  see({ driverId, driverName }: Position): void {
    if (!driverId || !driverName) return;
    // Whoever was seen last is kept longest.
    this.#names.delete(driverId);
    this.#names.set(driverId, driverName);
    const [first] = this.#names.keys();
    if (this.#names.size > MAX_DRIVERS && first !== undefined) this.#names.delete(first);
  }

  /** The name of one of the drivers who are in a vehicle now, or who have left it. */
  nameOf(driverId: string | undefined, drivers: ReadonlyMap<unknown, Driver>): string | undefined {
    return drivers.get(driverId)?.driverName ?? (driverId === undefined ? undefined : this.#names.get(driverId));
  }

  /** Those who are in no vehicle now, by their names. */
  async without(drivers: ReadonlyMap<unknown, Driver>): Promise<NameIndex<Driver>> {
    const index = new NameIndex(DRIVERS);
    await forEachInSlices(this.#names, ([driverId, driverName]) => {
      if (!drivers.has(driverId)) index.set(driverId, { driverId, driverName, vehicles: [] });
    });
    return index;
  }
}

/** How many locations are kept, and how many points of each: a few megabytes. */
const MAX_LOCATIONS = 10_000;
const MAX_POINTS = 16;
/** Points nearer than this, in degrees, tell the same. */
const SAME_POINT = 0.0005;

const isNear = (a: Point, b: Point) => Math.abs(a.latitude - b.latitude) < SAME_POINT && Math.abs(a.longitude - b.longitude) < SAME_POINT;

/**
 * The locations in whose geo-fences vehicles were while this process ran, as live positions gave them to this caller: the interface lists no locations, and one
 * that its last vehicle has left is in no live position.
 */
class SeenLocations {
  readonly #seen = new Map<string, { name: string; points: Point[] }>();

  see(position: Position): void {
    const { locationId, locationName } = position;
    const point = locationName ? pointOf(position) : undefined;
    if (!locationName || !point) return;
    const key = locationId ?? locationName;
    const points = this.#seen.get(key)?.points ?? [];
    if (!points.some((one) => isNear(one, point))) points.push(point);
    if (points.length > MAX_POINTS) points.shift();
    // Where a vehicle was last is kept longest.
    this.#seen.delete(key);
    this.#seen.set(key, { name: locationName, points });
    const [first] = this.#seen.keys();
    if (this.#seen.size > MAX_LOCATIONS && first !== undefined) this.#seen.delete(first);
  }

  /** Where vehicles were in a location. */
  pointsIn(id: string): readonly Point[] {
    return this.#seen.get(id)?.points ?? [];
  }

  /** Those in which no vehicle is now, by their names. */
  async without(present: NameIndex<Position | Location>): Promise<NameIndex<Position | Location>> {
    const index = new NameIndex(VEHICLES_AND_LOCATIONS);
    await forEachInSlices(this.#seen, ([id, { name }]) => {
      if (!present.get(`location ${id}`)) index.set(`location ${id}`, { id, name, inside: [] });
    });
    return index;
  }
}

/** Thrown if the fleet exceeds the memory limit. */
export const tooLarge = (max: number): FleetError =>
  new FleetError("config", `the fleet has more than ${max} vehicles, the most that is held in memory`, {
    advice: "Tell the user to raise FLEET_MAX_VEHICLES (about 2 kB of memory per vehicle), or to use credentials that see fewer vehicles",
  });

/**
 * The fleet as models see it, with indexes of its names. It is updated in place while a list arrives, so that most of it is neither copied
 * nor indexed again: few vehicles are renamed between two reads.
 */
export class FleetView {
  /** The vehicles of the last complete list, one record each. */
  positions: readonly Position[] = [];
  /** Vehicles by name, registration, VIN, id, driver and group. */
  readonly vehicles: NameIndex<Position> = new NameIndex(VEHICLES);
  /** Also those who have left their vehicles. */
  readonly seenDrivers: SeenDrivers;
  /** Also those that all vehicles have left. */
  readonly seenLocations: SeenLocations;
  #lists = 0;
  readonly #results = new Map<unknown, Promise<unknown>>();
  readonly #indexes = new Map<unknown, unknown>();

  /** A view that replaces another knows what that one has seen. */
  constructor(before?: FleetView) {
    this.seenDrivers = before?.seenDrivers ?? new SeenDrivers();
    this.seenLocations = before?.seenLocations ?? new SeenLocations();
  }

  /**
   * Begins an update from a new list. Accepts its records one by one; `end` drops the vehicles missing from the list.
   */
  update(max: number): { add: (record: Position) => void; end: () => Promise<void> } {
    const { vehicles, seenDrivers, seenLocations } = this;
    const list = ++this.#lists;
    let count = 0;
    return {
      add: (record) => {
        const key = record.assetId || count;
        const existing = vehicles.get(key);
        const isListed = existing?.list === list;
        // A list may contain a vehicle more than once: its latest record counts.
        if (existing && isListed && !isLaterPosition(record, existing.value)) return;
        if (!isListed && ++count > max) throw tooLarge(max);
        if (existing) existing.list = list;
        if (existing && isSame(existing.value, record)) return;
        seenDrivers.see(record);
        seenLocations.see(record);
        if (existing) vehicles.replace(existing, key, positionOf(record));
        else vehicles.set(key, positionOf(record)).list = list;
      },
      end: async () => {
        const gone: unknown[] = [];
        const positions: Position[] = [];
        await forEachInSlices(vehicles.keyed(), ([key, entry]) => {
          if (entry.list === list) positions.push(entry.value);
          else gone.push(key);
        });
        this.positions = positions.every(({ assetId }) => assetId) ? positions : latestOfEach(positions);
        const kept = this.positions === positions ? undefined : new Set(this.positions);
        if (kept) await forEachInSlices(vehicles.keyed(), ([key, { value }]) => void (kept.has(value) || gone.push(key)));
        await forEachInSlices(gone, (key) => vehicles.delete(key));
        this.#results.clear();
      },
    };
  }

  /** Computes a result once for all callers, until the next list has arrived. */
  once<Result>(key: unknown, compute: () => Promise<Result>): Promise<Result> {
    const existing = this.#results.get(key) as Promise<Result> | undefined;
    if (existing) return existing;
    const results = this.#results;
    const result = compute();
    results.set(key, result);
    result.catch(() => results.delete(key));
    return result;
  }

  /** Returns an index that is created on first use and updated once per list. */
  #indexOf<Value>(kind: CollectedEntity<Value>): Promise<NameIndex<Value>> {
    const indexes = this.#indexes as Map<unknown, Promise<NameIndex<Value>>>;
    return this.once(kind, () => {
      const before = indexes.get(kind) ?? Promise.resolve(new NameIndex(kind));
      const updated = before.then(async (index) => {
        const entities = await kind.entitiesIn(this.positions);
        await forEachInSlices(entities, ([key, value]) => index.set(key, value));
        const gone: unknown[] = [];
        await forEachInSlices(index.keyed(), ([key]) => {
          if (!entities.has(key as string)) gone.push(key);
        });
        await forEachInSlices(gone, (key) => index.delete(key));
        return index;
      });
      indexes.set(kind, updated);
      return updated;
    });
  }

  drivers = () => this.#indexOf(DRIVERS);

  groups = () => this.#indexOf(GROUPS);

  vehiclesAndLocations = () => this.#indexOf(VEHICLES_AND_LOCATIONS);

  /** The locations that all vehicles have left. */
  leftLocations = () => this.once(this.seenLocations, async () => this.seenLocations.without(await this.vehiclesAndLocations()));
}
