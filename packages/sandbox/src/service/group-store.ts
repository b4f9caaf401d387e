import type { CountryCode } from "../simulation/countries.ts";
import type { Fleet } from "../simulation/fleet.ts";
import type { Driver } from "../simulation/people.ts";
import type { Place } from "../simulation/places.ts";
import { entry, identifier, topic } from "../simulation/random.ts";
import { driversOf, type Vehicle } from "../simulation/roster.ts";

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
  ...["Fernhall Logistics", "Osterlund Transport", "Brackwater Haulage", "Casa Nova Distribution"],
  ...["Tarnow Freight", "Quillon Couriers", "Lindenhof Supply", "Marlow & Voss"],
];

const GROUP = topic("group id");

/** A group update; absent fields are left unchanged (chosen). */
interface GroupChange {
  readonly name?: string | undefined;
  readonly parentId?: string | undefined;
  readonly vehicleIds?: readonly string[] | undefined;
  readonly personIds?: readonly string[] | undefined;
}

interface StoredGroup {
  readonly id: string;
  /** Whether speeds of this group and its descendants are hidden on request (interface 2.4, speed). */
  readonly isSpeedSensitive: boolean;
  name: string;
  /** Absent for the root group. */
  parentId: string | undefined;
}

/** The initial groups of a customer, each after its parent: the company, its regions, their depots, and the teams of each depot. */
function organise({ seed, homes }: Fleet, customer: number) {
  const round = Math.floor(customer / CUSTOMERS.length);
  const groups = new Map<string, StoredGroup>();
  const teamIds = new Map<Place, Map<string, string>>();
  const found = (name: string, parentId?: string, isSpeedSensitive = false) => {
    const group = { id: identifier(10, seed, GROUP, groups.size), name, parentId, isSpeedSensitive };
    groups.set(group.id, group);
    return group;
  };
  const root = found(`${entry(CUSTOMERS, customer)}${round > 0 ? ` ${round + 1}` : ""}`);
  for (const [region, countries] of Object.entries(REGIONS)) {
    const depots = homes.filter((home) => countries.includes(home.country));
    if (depots.length === 0) continue;
    const { id: regionId } = found(region, root.id);
    for (const depot of depots) {
      const { id: depotId } = found(`${depot.name} Depot`, regionId);
      const teams = [...Object.values(TEAMS), RELIEF].map((team) => {
        const isSensitive = SPEED_SENSITIVE_TEAMS.includes(team) || (team === TEAMS.VAN && homes.indexOf(depot) % 3 === 2);
        return [team, found(`${depot.name} ${team}`, depotId, isSensitive).id] as const;
      });
      teamIds.set(depot, new Map(teams));
    }
  }
  return { groups, root, groupIn: (home: Place, team: string) => teamIds.get(home)?.get(team) ?? root.id };
}

/** The current groups of a customer: the initial ones with all updates applied. */
export function groupStore(fleet: Fleet, customer: number, lists: "replace" | "add") {
  const { groups, root, groupIn } = organise(fleet, customer);
  const movedVehicles = new Map<string, string>();
  const movedDrivers = new Map<string, string>();

  /** Yields a group and its ancestors, up to the root. */
  function* ancestors(id: string) {
    for (let group = groups.get(id); group; group = group.parentId === undefined ? undefined : groups.get(group.parentId)) yield group;
  }
  const ofVehicle = (vehicle: Vehicle) => movedVehicles.get(vehicle.id) ?? groupIn(vehicle.home, TEAMS[vehicle.model.asset]);
  const ofDriver = (driver: Driver, vehicle: Vehicle) =>
    movedDrivers.get(driver.id) ?? groupIn(vehicle.home, vehicle.isPool ? RELIEF : TEAMS[vehicle.model.asset]);

  /** A group as the interface returns it (interface 2.1). */
  const record = (group: StoredGroup) => {
    const vehicleIds: string[] = [];
    const personIds: string[] = [];
    for (const vehicle of fleet.vehicles()) {
      if (ofVehicle(vehicle) === group.id) vehicleIds.push(vehicle.id);
      for (const driver of driversOf(vehicle)) if (ofDriver(driver, vehicle) === group.id) personIds.push(driver.id);
    }
    const path = [...ancestors(group.id)].map(({ id }) => id).toReversed();
    return {
      id: group.id,
      name: group.name,
      ...(group.parentId !== undefined && { parentId: group.parentId }),
      path: path.join("."),
      vehicleIds,
      personIds,
    };
  };

  /** When a list replaces a group's members, those missing from it move to the root group; the root group's own members stay. */
  const assign = (moved: Map<string, string>, to: string, ids: readonly string[], members: readonly string[]) => {
    const listed = new Set(ids);
    if (lists === "replace") for (const member of members) if (!listed.has(member)) moved.set(member, root.id);
    for (const id of listed) moved.set(id, to);
  };

  return {
    root,
    has: (id: string) => groups.has(id),
    /** The groups in no particular order. */
    list: () => [...groups.values()].map(({ id, name, parentId }) => ({ id, name, parentId })),
    named: (name: string) => [...groups.values()].find((group) => group.name === name)?.id,
    nameOf: (id: string) => groups.get(id)?.name ?? "",
    isBelowOrSame: (id: string, ancestor: string) => [...ancestors(id)].some((group) => group.id === ancestor),
    isSpeedSensitive: (id: string) => [...ancestors(id)].some((group) => group.isSpeedSensitive),
    ofVehicle,
    ofDriver,
    change: (id: string, change: GroupChange) => {
      const group = groups.get(id);
      if (!group) throw new RangeError(`There is no group ${id}`);
      if (change.name !== undefined) group.name = change.name;
      if (change.parentId !== undefined) group.parentId = change.parentId;
      const before = record(group);
      if (change.vehicleIds) assign(movedVehicles, id, change.vehicleIds, before.vehicleIds);
      if (change.personIds) assign(movedDrivers, id, change.personIds, before.personIds);
      return change.vehicleIds || change.personIds ? record(group) : before;
    },
  };
}
