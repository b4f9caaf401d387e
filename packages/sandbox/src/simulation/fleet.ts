import type { Driver } from "./people.ts";
import type { Place } from "./places.ts";
import { scramble, topic } from "./random.ts";
import { driversOf, homesOf, type Vehicle, vehicleAt } from "./roster.ts";
import { planNonstop, roundBook } from "./rounds.ts";
import { planWeeks } from "./weeks.ts";

/** The vehicles and drivers of one customer. Vehicles are created on demand. */
export interface Fleet {
  readonly seed: number;
  readonly homes: readonly Place[];
  readonly vehicles: () => Iterable<Vehicle>;
  readonly vehicle: (id: string) => Vehicle | undefined;
  readonly vehicleNamed: (name: string) => Vehicle | undefined;
  /** A driver's vehicle. */
  readonly vehicleOfDriver: (driverId: string) => Vehicle | undefined;
  /** The first driver with a name. */
  readonly driverNamed: (name: string) => Driver | undefined;
}

const FLEET = topic("seed of a customer's fleet");
/** Vehicles are cached in fleets up to this size; in larger ones, they are recreated on each use to limit memory. */
const LARGEST_KEPT = 5000;

/** A customer's fleet, the same for the same seed and `start`: when a fleet that never sleeps starts, in epoch ms; undefined for ordinary weeks. */
export function createFleet(seed: number, customer: number, size: number, start: number | undefined): Fleet {
  const key = [seed, customer, size, start].join();
  const known = fleets.get(key) ?? newFleet(seed, customer, size, start);
  if (size > LARGEST_KEPT) return known;
  if (fleets.size >= MAX_FLEETS) fleets.clear();
  fleets.set(key, known);
  return known;
}

/** Sandboxes share fleets, which nothing changes: planning their weeks takes half a second. */
const fleets = new Map<string, Fleet>();
const MAX_FLEETS = 8;

function newFleet(seed: number, customer: number, size: number, start: number | undefined): Fleet {
  const fleetSeed = scramble(seed, FLEET, customer);
  const homes = homesOf(size);
  const plan = { seed: fleetSeed, homes, size, start, roundOf: roundBook(fleetSeed, start === undefined ? planWeeks : planNonstop) };
  const cached: (Vehicle | undefined)[] = [];
  const at = (index: number): Vehicle => {
    const known = cached[index];
    if (known) return known;
    const vehicle = vehicleAt(index, plan);
    if (size <= LARGEST_KEPT) cached[index] = vehicle;
    return vehicle;
  };
  function* vehicles() {
    for (let index = 0; index < size; index++) yield at(index);
  }
  const lookup = (keysOf: (vehicle: Vehicle) => readonly string[]) => {
    let indices: Map<string, number> | undefined;
    return (key: string) => {
      if (!indices) {
        indices = new Map();
        for (const vehicle of vehicles()) for (const own of keysOf(vehicle)) if (!indices.has(own)) indices.set(own, vehicle.index);
      }
      const index = indices.get(key);
      return index === undefined ? undefined : at(index);
    };
  };
  const vehicleOfDriverNamed = lookup((vehicle) => driversOf(vehicle).map(({ name }) => name));
  return {
    seed: fleetSeed,
    homes,
    vehicles,
    vehicle: lookup((vehicle) => [vehicle.id]),
    vehicleNamed: lookup((vehicle) => [vehicle.name]),
    vehicleOfDriver: lookup((vehicle) => driversOf(vehicle).map(({ id }) => id)),
    driverNamed: (name) => {
      const vehicle = vehicleOfDriverNamed(name);
      return vehicle && driversOf(vehicle).find((driver) => driver.name === name);
    },
  };
}
