import type { Fleet } from "../simulation/fleet.ts";
import type { Driver } from "../simulation/people.ts";
import { driversOf, type Vehicle } from "../simulation/roster.ts";

/** A group update; absent fields are left unchanged (chosen). */
interface GroupChange {
  readonly name?: string | undefined;
  readonly parentId?: string | undefined;
  readonly vehicleIds?: readonly string[] | undefined;
  readonly personIds?: readonly string[] | undefined;
}

interface StoredGroup {
  readonly id: string;
  readonly isSpeedSensitive: boolean;
  name: string;
  parentId: string | undefined;
}

export type GroupStore = ReturnType<typeof groupStore>;

/** The current groups of a customer: the initial ones with all updates applied. */
export function groupStore(fleet: Fleet, lists: "replace" | "add") {
  const { organisation } = fleet;
  const groups = new Map<string, StoredGroup>(organisation.groups.map((group) => [group.id, { ...group }]));
  const [initialRoot] = organisation.groups;
  const root = initialRoot && groups.get(initialRoot.id);
  if (!root) throw new RangeError("A customer needs a root group");
  const movedVehicles = new Map<string, string>();
  const movedDrivers = new Map<string, string>();

  /** Yields a group and its ancestors, up to the root. */
  function* ancestors(id: string) {
    for (let group = groups.get(id); group; group = group.parentId === undefined ? undefined : groups.get(group.parentId)) yield group;
  }
  const ofVehicle = (vehicle: Vehicle) => movedVehicles.get(vehicle.id) ?? organisation.groupOfVehicle(vehicle);
  const ofDriver = (driver: Driver, vehicle: Vehicle) => movedDrivers.get(driver.id) ?? organisation.groupOfDriver(vehicle);

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
