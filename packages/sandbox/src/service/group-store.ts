import type { Fleet } from "../simulation/fleet.ts";
import type { Vehicle } from "../simulation/roster.ts";

/** What a group update asks for; absent fields stay as they are (chosen). */
export interface GroupChange {
  readonly name?: string | undefined;
  readonly parentId?: string | undefined;
  readonly vehicleIds?: readonly string[] | undefined;
  readonly personIds?: readonly string[] | undefined;
}

interface KeptGroup {
  readonly id: string;
  readonly isSpeedSensitive: boolean;
  name: string;
  parentId: string | undefined;
}

/** A group as the interface shows it (interface 2.1). */
interface GroupRecord {
  readonly id: string;
  readonly name: string;
  readonly parentId?: string;
  readonly path: string;
  readonly vehicleIds: readonly string[];
  readonly personIds: readonly string[];
}

/** The groups of a customer as they are now: those of its founding, with the changes made since on top. */
export interface GroupStore {
  readonly root: { readonly id: string; readonly name: string };
  readonly has: (id: string) => boolean;
  readonly named: (name: string) => string | undefined;
  readonly nameOf: (id: string) => string;
  readonly isBelowOrSame: (id: string, ancestor: string) => boolean;
  readonly isSpeedSensitive: (id: string) => boolean;
  readonly ofVehicle: (vehicle: Vehicle) => string;
  readonly ofDriver: (vehicle: Vehicle) => string;
  readonly change: (id: string, change: GroupChange) => GroupRecord;
}

export function groupStore(fleet: Fleet, lists: "replace" | "add"): GroupStore {
  const { organisation } = fleet;
  const groups = new Map<string, KeptGroup>(organisation.groups.map((group) => [group.id, { ...group }]));
  const [founding] = organisation.groups;
  const root = founding && groups.get(founding.id);
  if (!root) throw new RangeError("A customer needs a root group");
  const movedVehicles = new Map<string, string>();
  const movedDrivers = new Map<string, string>();

  /** From a group up to the root. */
  function* upwards(id: string) {
    for (let group = groups.get(id); group; group = group.parentId === undefined ? undefined : groups.get(group.parentId)) yield group;
  }
  const ofVehicle = (vehicle: Vehicle) => movedVehicles.get(vehicle.id) ?? organisation.groupOfVehicle(vehicle);
  const ofDriver = (vehicle: Vehicle) => movedDrivers.get(vehicle.driver?.id ?? "") ?? organisation.groupOfDriver(vehicle);

  const record = (group: KeptGroup): GroupRecord => {
    const vehicleIds: string[] = [];
    const personIds: string[] = [];
    for (const vehicle of fleet.vehicles()) {
      if (ofVehicle(vehicle) === group.id) vehicleIds.push(vehicle.id);
      if (vehicle.driver && ofDriver(vehicle) === group.id) personIds.push(vehicle.driver.id);
    }
    const path = [...upwards(group.id)].map(({ id }) => id).toReversed();
    return {
      id: group.id,
      name: group.name,
      ...(group.parentId !== undefined && { parentId: group.parentId }),
      path: path.join("."),
      vehicleIds,
      personIds,
    };
  };

  /** Members that a replacing list leaves out go up to the root group; those of the root group stay. */
  const assign = (moved: Map<string, string>, to: string, ids: readonly string[], members: readonly string[]) => {
    const kept = new Set(ids);
    if (lists === "replace") for (const member of members) if (!kept.has(member)) moved.set(member, root.id);
    for (const id of kept) moved.set(id, to);
  };

  return {
    root,
    has: (id) => groups.has(id),
    named: (name) => [...groups.values()].find((group) => group.name === name)?.id,
    nameOf: (id) => groups.get(id)?.name ?? "",
    isBelowOrSame: (id, ancestor) => [...upwards(id)].some((group) => group.id === ancestor),
    isSpeedSensitive: (id) => [...upwards(id)].some((group) => group.isSpeedSensitive),
    ofVehicle,
    ofDriver,
    change: (id, change) => {
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
