import type { FleetClient } from "@fleetwire/core";
import { driverNames, groupNames, latestOfEach, type Place, placeNames, vehicleNames } from "../names/fleet-names.ts";
import { NameIndex } from "../names/name-index.ts";
import type { Position } from "./privacy.ts";
import type { ReadOptions } from "./read-cache.ts";

/** The fleet as models see it, with indexes of its names. Indexes are built on first use. */
export class FleetView {
  readonly positions: readonly Position[];

  constructor(positions: readonly Position[]) {
    this.positions = latestOfEach(positions);
  }

  #once<Value>(make: () => Value): () => Value {
    let made: { value: Value } | undefined;
    return () => {
      made ??= { value: make() };
      return made.value;
    };
  }

  vehicles = this.#once(() => new NameIndex(vehicleNames(this.positions)));
  drivers = this.#once(() => new NameIndex(driverNames(this.positions)));
  groups = this.#once(() => new NameIndex(groupNames(this.positions)));
  /** Does not match vehicles by group: a town's name usually means the place, not the vehicles based there. */
  vehiclesAndPlaces = this.#once(() => {
    const vehicles = vehicleNames(this.positions).map((vehicle) => ({
      ...vehicle,
      names: vehicle.names.filter(({ by }) => by !== "group"),
    }));
    return new NameIndex<Position | Place>([...placeNames(this.positions), ...vehicles]);
  });
  pagination = this.#once(() => new NameIndex(placeNames(this.positions)));
}

/** Selects the vehicles to include in a view. */
interface ViewOptions {
  /** Includes vehicles that are no longer in the fleet, such as sold ones. */
  withSold?: boolean;
}

/** Provides views of the whole fleet, the only source for resolving names. */
export interface FleetReader {
  read(view: ViewOptions, options: ReadOptions): Promise<FleetView>;
}

/** Creates a reader that uses the masked client and reuses the view of a list that is still cached. */
export function createFleetReader(fleet: FleetClient, { privacy }: { privacy: string }): FleetReader {
  const views = new WeakMap<readonly Position[], FleetView>();
  return {
    read: async ({ withSold = false }, options) => {
      const input = { hideSpeedIfSpeedSensitive: privacy !== "off", ...(withSold && { showAllVehicleStatus: true }) };
      const positions = await fleet.listLivePositions(input, options);
      const view = views.get(positions) ?? new FleetView(positions);
      views.set(positions, view);
      return view;
    },
  };
}

/** The part of a tool's context that is needed to read the fleet. */
interface FleetReading {
  reader: FleetReader;
  callOptions: ReadOptions;
}

/** Reads the whole fleet; with `withSold`, including vehicles that are no longer in it. */
export function readFleet({ reader, callOptions }: FleetReading, view: ViewOptions = {}): Promise<FleetView> {
  return reader.read(view, callOptions);
}
