import { driverNames, groupNames, latestOfEach, type Place, placeNames, vehicleNames } from "../names/fleet-names.ts";
import { NameIndex } from "../names/name-index.ts";
import type { ToolContext } from "../tool.ts";
import { maskPositions, type Position } from "./privacy.ts";

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
  places = this.#once(() => new NameIndex(placeNames(this.positions)));
}

interface Seen {
  view: FleetView;
  privacy: string;
  driverNames: string;
  driverAlias: ToolContext["driverAlias"];
}

// Answers that are shared between calls are masked and indexed once.
const seen = new WeakMap<readonly Position[], Seen>();

/** What the service tells of the whole fleet now, or of all vehicles it ever had, with sold ones. */
export async function readFleet(context: ToolContext, { withSold = false } = {}): Promise<FleetView> {
  const { fleet, settings, driverAlias, callOptions } = context;
  const { privacy, driverNames: names } = settings;
  const input = { hideSpeedIfSpeedSensitive: privacy !== "off", ...(withSold && { showAllVehicleStatus: true }) };
  const answer = await fleet.listLivePositions(input, callOptions);
  const known = seen.get(answer);
  if (known && known.privacy === privacy && known.driverNames === names && known.driverAlias === driverAlias) return known.view;
  const view = new FleetView(maskPositions(answer, context));
  seen.set(answer, { view, privacy, driverNames: names, driverAlias });
  return view;
}
