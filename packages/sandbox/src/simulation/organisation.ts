import type { CountryCode } from "./countries.ts";
import type { Place } from "./places.ts";
import { entry, identifier, topic } from "./random.ts";
import type { Vehicle } from "./roster.ts";

/** A group as initially set up; `group-store.ts` applies later changes. */
interface FoundingGroup {
  readonly id: string;
  readonly name: string;
  /** Absent for the root group. */
  readonly parentId: string | undefined;
  /** Whether speeds of this group and its descendants are hidden on request (interface 2.4, speed). */
  readonly isSpeedSensitive: boolean;
}

const REGIONS: Record<string, readonly CountryCode[]> = {
  "Central Europe": ["DE", "AT", "CH", "CZ", "PL", "SK", "HU"],
  "British Isles": ["GB", "IE"],
  "Western Europe": ["FR", "BE", "NL", "LU"],
  "Southern Europe": ["ES", "IT"],
  "Northern Europe": ["DK", "SE"],
};

const TEAMS = { TRUCK: "Trucks", VAN: "Vans", TRAILER: "Trailers", CAR: "Cars" } as const;
const RELIEF = "Relief Drivers";
const SPEED_SENSITIVE_TEAMS: readonly string[] = [TEAMS.CAR, RELIEF];

const CUSTOMERS = [
  "Fernhall Logistics",
  "Osterlund Transport",
  "Brackwater Haulage",
  "Casa Nova Distribution",
  "Tarnow Freight",
  "Quillon Couriers",
  "Lindenhof Supply",
  "Marlow & Voss",
];

const GROUP = topic("group id");

export interface Organisation {
  readonly name: string;
  /** Ordered from the root, with each group after its parent. */
  readonly groups: readonly FoundingGroup[];
  readonly groupOfVehicle: (vehicle: Vehicle) => string;
  readonly groupOfDriver: (vehicle: Vehicle) => string;
}

/** The groups of a customer: the company, its regions, their depots, and the teams of each depot. */
export function organise(seed: number, customer: number, homes: readonly Place[]): Organisation {
  const round = Math.floor(customer / CUSTOMERS.length);
  const name = `${entry(CUSTOMERS, customer)}${round > 0 ? ` ${round + 1}` : ""}`;
  const groups: FoundingGroup[] = [];
  const teamIds = new Map<Place, Map<string, string>>();
  const found = (groupName: string, parentId: string | undefined, isSpeedSensitive = false) => {
    const id = identifier(10, seed, GROUP, groups.length);
    groups.push({ id, name: groupName, parentId, isSpeedSensitive });
    return id;
  };
  const root = found(name, undefined);
  for (const [region, countries] of Object.entries(REGIONS)) {
    const depots = homes.filter((home) => countries.includes(home.country));
    if (depots.length === 0) continue;
    const regionId = found(region, root);
    for (const depot of depots) {
      const depotId = found(`${depot.name} Depot`, regionId);
      const ids = new Map<string, string>();
      teamIds.set(depot, ids);
      for (const team of [...Object.values(TEAMS), RELIEF]) {
        const isSensitive = SPEED_SENSITIVE_TEAMS.includes(team) || (team === TEAMS.VAN && homes.indexOf(depot) % 3 === 2);
        ids.set(team, found(`${depot.name} ${team}`, depotId, isSensitive));
      }
    }
  }
  const groupIn = (home: Place, team: string) => teamIds.get(home)?.get(team) ?? root;
  return {
    name,
    groups,
    groupOfVehicle: (vehicle) => groupIn(vehicle.home, TEAMS[vehicle.model.asset]),
    groupOfDriver: (vehicle) => groupIn(vehicle.home, vehicle.isPool ? RELIEF : TEAMS[vehicle.model.asset]),
  };
}
