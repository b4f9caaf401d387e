import { FleetError } from "@fleetwire/core";
import { isLaterPosition } from "@fleetwire/core/internal";
import type { Naming } from "../names/name-entry.ts";
import { NameIndex } from "../names/name-index.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { type Driver, driversIn, groupsIn, type NamedGroup, type Place, placesIn } from "./fleet-names.ts";
import { driverNaming, groupNaming, placeNaming, vehicleNaming, vehicleOrPlaceNaming } from "./fleet-naming.ts";
import { type Position, positionFields, positionOf, sentInstead } from "./position.ts";

const isSameValue = (a: unknown, b: unknown) =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => item === b[at]));

const isSame = (a: Position, b: Position) =>
  JSON.stringify(a[sentInstead]) === JSON.stringify(b[sentInstead]) && positionFields.every((field) => isSameValue(a[field], b[field]));

/** Thrown if the fleet exceeds the memory limit. */
export const tooLarge = (most: number): FleetError =>
  new FleetError("config", `the fleet has more than ${most} vehicles, the most that is held in memory`, {
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
  readonly vehicles: NameIndex<Position> = new NameIndex(vehicleNaming);
  #lists = 0;
  readonly #results = new Map<unknown, Promise<unknown>>();
  readonly #indexes = new Map<unknown, unknown>();

  /**
   * Begins an update from a new list. Accepts its records one by one; `end` drops the vehicles missing from the list, unless it contains only
   * changes.
   */
  update(most: number = Number.POSITIVE_INFINITY, changesOnly = false): { add: (record: Position) => void; end: () => Promise<void> } {
    const { vehicles } = this;
    const list = ++this.#lists;
    let count = changesOnly ? this.positions.length : 0;
    return {
      add: (record) => {
        // A record without an id cannot be recognized in the next list.
        if (changesOnly && !record.assetId) return;
        const key = record.assetId || count;
        const known = vehicles.get(key);
        const isListed = known?.list === list;
        // A list may contain a vehicle more than once: its latest record counts.
        if (isListed && !isLaterPosition(record, known.value)) return;
        if (!(changesOnly ? known : isListed) && ++count > most) throw tooLarge(most);
        if (!known) vehicles.set(key, positionOf(record)).list = list;
        else if (!isSame(known.value, record)) vehicles.replace(known, key, positionOf(record));
        if (known) known.list = list;
      },
      end: async () => {
        const gone: unknown[] = [];
        const positions: Position[] = [];
        await forEachInSlices(vehicles.keyed(), ([key, entry]) => {
          if (changesOnly || entry.list === list) positions.push(entry.value);
          else gone.push(key);
        });
        await forEachInSlices(gone, (key) => vehicles.delete(key));
        this.positions = positions;
        this.#results.clear();
      },
    };
  }

  /** Computes a result once for all callers, until the next list has arrived. */
  once<Result>(key: unknown, compute: () => Promise<Result>): Promise<Result> {
    const known = this.#results.get(key) as Promise<Result> | undefined;
    if (known) return known;
    const results = this.#results;
    const result = compute();
    results.set(key, result);
    result.catch(() => results.delete(key));
    return result;
  }

  /** Returns an index that is created on first use and updated once per list. */
  #indexOf<Value>(naming: Naming<Value>, entitiesIn: (positions: readonly Position[]) => Promise<Map<string, Value>>) {
    const indexes = this.#indexes as Map<unknown, Promise<NameIndex<Value>>>;
    return this.once(naming, () => {
      const before = indexes.get(naming) ?? Promise.resolve(new NameIndex(naming));
      const updated = before.then(async (index) => {
        const entities = await entitiesIn(this.positions);
        await forEachInSlices(entities, ([key, value]) => index.set(key, value));
        const gone: unknown[] = [];
        await forEachInSlices(index.keyed(), ([key]) => {
          if (!entities.has(key as string)) gone.push(key);
        });
        await forEachInSlices(gone, (key) => index.delete(key));
        return index;
      });
      indexes.set(naming, updated);
      return updated;
    });
  }

  drivers = (): Promise<NameIndex<Driver>> => this.#indexOf(driverNaming, driversIn);

  groups = (): Promise<NameIndex<NamedGroup>> => this.#indexOf(groupNaming, groupsIn);

  places = (): Promise<NameIndex<Place>> => this.#indexOf(placeNaming, placesIn);

  /** Vehicles by everything except their group, and the places they are in. */
  vehiclesAndPlaces = (): Promise<NameIndex<Position | Place>> =>
    this.#indexOf(vehicleOrPlaceNaming, async (positions) => {
      const things = new Map<string, Position | Place>();
      for (const [id, place] of await placesIn(positions)) things.set(`place ${id}`, place);
      let count = 0;
      await forEachInSlices(positions, (position) => things.set(`vehicle ${position.assetId || count++}`, position));
      return things;
    });
}
