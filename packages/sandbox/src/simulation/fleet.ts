import { type Organisation, organise } from "./organisation.ts";
import { scramble, topic } from "./random.ts";
import { homesOf, type Vehicle, vehicleAt } from "./roster.ts";
import { roundBook } from "./rounds.ts";

/** The vehicles and drivers of one customer. Vehicles are created on demand. */
export interface Fleet {
  readonly size: number;
  readonly organisation: Organisation;
  readonly vehicles: () => Iterable<Vehicle>;
  readonly vehicle: (id: string) => Vehicle | undefined;
  readonly vehicleNamed: (name: string) => Vehicle | undefined;
  /** A driver's vehicle. */
  readonly vehicleOfDriver: (driverId: string) => Vehicle | undefined;
  readonly vehicleOfDriverNamed: (name: string) => Vehicle | undefined;
}

const FLEET = topic("seed of a customer's fleet");
/** Vehicles are cached in fleets up to this size; in larger ones, they are recreated on each use to limit memory. */
const LARGEST_KEPT = 5000;

/** A customer's fleet, the same for the same seed. */
export function createFleet(seed: number, customer: number, size: number): Fleet {
  const fleetSeed = scramble(seed, FLEET, customer);
  const homes = homesOf(size);
  const roundOf = roundBook(fleetSeed);
  const cached: (Vehicle | undefined)[] = [];
  const at = (index: number): Vehicle => {
    const known = cached[index];
    if (known) return known;
    const vehicle = vehicleAt(index, fleetSeed, homes, roundOf);
    if (size <= LARGEST_KEPT) cached[index] = vehicle;
    return vehicle;
  };
  function* vehicles() {
    for (let index = 0; index < size; index++) yield at(index);
  }
  const lookup = (keyOf: (vehicle: Vehicle) => string | undefined) => {
    let indices: Map<string, number> | undefined;
    return (key: string) => {
      if (!indices) {
        indices = new Map();
        for (const vehicle of vehicles()) {
          const own = keyOf(vehicle);
          if (own !== undefined && !indices.has(own)) indices.set(own, vehicle.index);
        }
      }
      const index = indices.get(key);
      return index === undefined ? undefined : at(index);
    };
  };
  return {
    size,
    organisation: organise(fleetSeed, customer, homes),
    vehicles,
    vehicle: lookup((vehicle) => vehicle.id),
    vehicleNamed: lookup((vehicle) => vehicle.name),
    vehicleOfDriver: lookup((vehicle) => vehicle.driver?.id),
    vehicleOfDriverNamed: lookup((vehicle) => vehicle.driver?.name),
  };
}
