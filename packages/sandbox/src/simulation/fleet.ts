import { type Organisation, organise } from "./organisation.ts";
import type { Driver } from "./people.ts";
import { scramble, topic } from "./random.ts";
import { driversOf, type FleetPlan, homesOf, type Vehicle, vehicleAt } from "./roster.ts";
import { roundBook } from "./rounds.ts";
import { planVaried } from "./varied-rounds.ts";

/** The vehicles and drivers of one customer. Vehicles are created on demand. */
export interface Fleet {
  readonly size: number;
  readonly organisation: Organisation;
  readonly vehicles: () => Iterable<Vehicle>;
  readonly at: (index: number) => Vehicle;
  readonly vehicle: (id: string) => Vehicle | undefined;
  readonly vehicleNamed: (name: string) => Vehicle | undefined;
  /** A driver's vehicle. */
  readonly vehicleOfDriver: (driverId: string) => Vehicle | undefined;
  /** The vehicles that a driver may have. */
  readonly vehiclesOfDriver: (driverId: string) => Vehicle[];
  /** The first driver with a name. */
  readonly driverNamed: (name: string) => Driver | undefined;
}

const FLEET = topic("seed of a customer's fleet");
/** Vehicles are cached in fleets up to this size; in larger ones, they are recreated on each use to limit memory. */
const LARGEST_KEPT = 5000;

/** How a fleet drives and reports (see `FleetPlan`). */
export type Driving = Pick<FleetPlan, "start" | "isVaried">;

/** A customer's fleet, the same for the same seed and driving. */
export function createFleet(seed: number, customer: number, size: number, driving: Driving): Fleet {
  const fleetSeed = scramble(seed, FLEET, customer);
  const homes = homesOf(size);
  const roundOf = driving.isVaried ? roundBook(fleetSeed, planVaried) : roundBook(fleetSeed);
  const plan = { seed: fleetSeed, homes, roundOf, size, ...driving };
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
  const vehicleOfDriver = lookup((vehicle) => driversOf(vehicle).map(({ id }) => id));
  return {
    size,
    organisation: organise(fleetSeed, customer, homes),
    vehicles,
    at,
    vehicle: lookup((vehicle) => [vehicle.id]),
    vehicleNamed: lookup((vehicle) => [vehicle.name]),
    vehicleOfDriver,
    vehiclesOfDriver: (driverId) => {
      const own = vehicleOfDriver(driverId);
      return own ? [own, ...(own.partner === undefined ? [] : [at(own.partner)])] : [];
    },
    driverNamed: (name) => {
      const vehicle = vehicleOfDriverNamed(name);
      return vehicle && driversOf(vehicle).find((driver) => driver.name === name);
    },
  };
}
