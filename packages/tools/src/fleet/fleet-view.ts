import type { FleetClient } from "@fleetwire/core";
import { driverNames, groupNames, latestOfEach, type Place, placeNames, vehicleNames } from "../names/fleet-names.ts";
import { NameIndex } from "../names/name-index.ts";
import type { Position } from "./privacy.ts";
import type { ReadOptions } from "./read-cache.ts";

/** The fleet as a model may see it, with its names; each index is built when it is first asked. */
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
  /** Locations first: people who name a town mean its place rather than what belongs there. */
  vehiclesAndPlaces = this.#once(() => {
    const vehicles = vehicleNames(this.positions).map((vehicle) => ({
      ...vehicle,
      names: vehicle.names.filter(({ by }) => by !== "group"),
    }));
    return new NameIndex<Position | Place>([...placeNames(this.positions), ...vehicles]);
  });
  pagination = this.#once(() => new NameIndex(placeNames(this.positions)));
}

/** Which vehicles a view of the fleet holds. */
interface ViewOptions {
  /** All vehicles that the fleet ever had, sold ones included. */
  withSold?: boolean;
}

/** Where a view of the whole fleet comes from: the only way to the positions in which names are looked for. */
export interface FleetReader {
  read(view: ViewOptions, options: ReadOptions): Promise<FleetView>;
}

/** Reads the fleet with the client that tools are given; of a list that is shared between calls there is one view. */
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

/** What a reading needs of a tool's context. */
interface FleetReading {
  reader: FleetReader;
  callOptions: ReadOptions;
}

/** What the service tells of the whole fleet now, or of all vehicles it ever had, with sold ones. */
export function readFleet({ reader, callOptions }: FleetReading, view: ViewOptions = {}): Promise<FleetView> {
  return reader.read(view, callOptions);
}
