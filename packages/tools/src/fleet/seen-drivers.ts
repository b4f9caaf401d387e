import { NameIndex } from "../names/name-index.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import type { Driver } from "./fleet-names.ts";
import { DRIVERS } from "./fleet-naming.ts";
import type { Position } from "./position.ts";

/** How many names are kept: a few megabytes. */
const MAX_SEEN = 50_000;

/** The names of drivers who were in a vehicle while this process ran, as live positions gave them to this caller: tachograph entries have only ids. */
export class SeenDrivers {
  readonly #names = new Map<string, string>();

  see({ driverId, driverName }: Position): void {
    if (!driverId || !driverName) return;
    // Whoever was seen last is kept longest.
    this.#names.delete(driverId);
    this.#names.set(driverId, driverName);
    const [first] = this.#names.keys();
    if (this.#names.size > MAX_SEEN && first !== undefined) this.#names.delete(first);
  }

  /** The name of one of the drivers who are in a vehicle now, or who have left it. */
  nameOf(driverId: string | undefined, drivers: ReadonlyMap<unknown, Driver>): string | undefined {
    return drivers.get(driverId)?.driverName ?? (driverId === undefined ? undefined : this.#names.get(driverId));
  }

  /** Those who are in no vehicle now, by their names. */
  async without(drivers: ReadonlyMap<unknown, Driver>): Promise<NameIndex<Driver>> {
    const index = new NameIndex(DRIVERS.naming);
    await forEachInSlices(this.#names, ([driverId, driverName]) => {
      if (!drivers.has(driverId)) index.set(driverId, { driverId, driverName, vehicles: [] });
    });
    return index;
  }
}
