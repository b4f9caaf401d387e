import type { LivePosition } from "@fleetwire/core";
import type { Stage } from "./provider-sandbox.ts";

/** A group as a state describes it; one without `parentId` is below the root group. */
export interface GivenGroup {
  id: string;
  name?: string | undefined;
  parentId?: string | undefined;
  vehicleIds?: readonly string[] | undefined;
  personIds?: readonly string[] | undefined;
}

const ROOT_GROUP = "g1001";

export const isSold = ({ status }: LivePosition) => status === "SOLD";
export const isDriven = ({ driverId }: LivePosition) => driverId !== undefined;

export const positionsOf = async (stage: Stage, customer = 0): Promise<LivePosition[]> =>
  (await stage.ask("listLivePositions", { query: { showAllVehicleStatus: "true" } }, customer)) as unknown as LivePosition[];

/** Lets a vehicle of the sandbox stand for v1001, and what belongs to it for FW1001 AB, Truck 1, p1001 and g1001. */
export function castVehicle(stage: Stage, name: string, position: LivePosition | undefined): void {
  if (!position) throw new Error("the sandbox has no vehicle for this state");
  const number = Number(name.slice(1));
  const { assetId = "", assetRegistration = "", assetName = "", driverId, assetGroupId } = position;
  stage.cast
    .set(name, assetId)
    .set(`FW${number} AB`, assetRegistration)
    .set(`Truck ${number - 1000}`, assetName);
  if (driverId !== undefined) stage.cast.set(`p${number}`, driverId);
  if (assetGroupId !== undefined) stage.cast.set(`g${number}`, assetGroupId);
}

export async function castVehicles(stage: Stage, names: readonly string[]): Promise<void> {
  const positions = (await positionsOf(stage)).filter(isDriven);
  for (const [at, name] of names.entries()) castVehicle(stage, name, positions[at]);
}

/** Truck 1 with its default driver, Truck 2 of the pool, and another driver where one is named. */
export async function castJobParts(stage: Stage, anotherDriver: string | undefined): Promise<void> {
  const positions = (await positionsOf(stage)).filter((position) => position.driverName !== undefined && !isSold(position));
  const isPool = (position: LivePosition) => position.assetGroupName !== position.driverGroupName;
  const [first, second] = positions.filter((position) => !isPool(position));
  castVehicle(stage, "v1002", positions.find(isPool));
  castVehicle(stage, "v1001", first);
  stage.cast.set("Ada Byron", first?.driverName ?? "").set("Fleet", stage.sandbox.customers[0]?.name ?? "");
  stage.cast.set("t1001", "jobtypedelivery");
  if (anotherDriver !== undefined) stage.cast.set(anotherDriver, second?.driverName ?? "");
}

/** Groups as described, made of groups that nobody else needs; `others` are vehicles and persons that none of them has. */
export async function arrangeGroups(stage: Stage, given: readonly GivenGroup[], others: readonly string[]): Promise<void> {
  const positions = await positionsOf(stage);
  const driven = positions.filter(isDriven);
  const named = [...given.flatMap(({ vehicleIds = [], personIds = [] }) => [...vehicleIds, ...personIds]), ...others];
  const namesOf = (letter: string) => [...new Set(named.filter((name) => name.startsWith(letter)))].sort();
  for (const [at, name] of namesOf("v").entries()) stage.cast.set(name, driven[at]?.assetId ?? "");
  for (const [at, name] of namesOf("p").entries()) stage.cast.set(name, driven[at]?.driverId ?? "");
  const free = [...new Set(positions.flatMap(({ assetGroupId = [] }) => assetGroupId))];
  const { path = "" } = (await stage.ask("updateGroup", { body: { id: free[0] } })) as { path?: string };
  const root = path.split(".")[0] ?? "";
  stage.cast.set(ROOT_GROUP, root);
  for (const { id: name, name: called, parentId = ROOT_GROUP, vehicleIds = [], personIds = [] } of given) {
    const id = free.pop() ?? "";
    stage.cast.set(name, id);
    const body = {
      id,
      parentId: stage.cast.get(parentId) ?? root,
      ...(called && { name: called }),
      vehicleIds: vehicleIds.map((vehicle) => stage.cast.get(vehicle)),
      personIds: personIds.map((person) => stage.cast.get(person)),
    };
    await stage.ask("updateGroup", { body });
  }
}

/** g9001, v9001 and p9001 of another customer. */
export async function castStrangers(stage: Stage): Promise<void> {
  const stranger = (await positionsOf(stage, 1)).find(isDriven);
  stage.cast
    .set("g9001", stranger?.assetGroupId ?? "")
    .set("v9001", stranger?.assetId ?? "")
    .set("p9001", stranger?.driverId ?? "");
}

interface FaultyVehicle {
  id?: string;
  faults?: { inProgress?: boolean }[];
}

export async function castFaulty(stage: Stage, vehicle: string, group: string, alsoFinished: boolean): Promise<void> {
  const query = { pageSize: "500", startDate: "2026-11-01T00:00:00" };
  const { items = [] } = (await stage.ask("listVehicleFaults", { query })) as { items?: FaultyVehicle[] };
  const both = items.find(({ faults = [] }) => faults.some(({ inProgress }) => inProgress) && faults.some(({ inProgress }) => !inProgress));
  const id = (alsoFinished ? both : items[0])?.id;
  const position = (await positionsOf(stage)).find(({ assetId }) => assetId === id);
  castVehicle(stage, vehicle, position);
  stage.cast.set(group, position?.assetGroupId ?? "");
}

export async function castActiveDrivers(
  stage: Stage,
  names: readonly string[],
  span: { startTime: string; endTime: string },
): Promise<void> {
  const { data = [] } = (await stage.ask("queryTachoActivity", { body: span })) as {
    data?: { driverId: string; driverKey: string; activities: { assetRegistration: string }[] }[];
  };
  for (const [at, name] of names.entries()) {
    const driver = data[at];
    if (!driver) throw new Error("the sandbox has no driver who was active that day");
    const ordinal = at + 1;
    stage.cast.set(name, driver.driverId).set(`DB123456789${String(ordinal).padStart(3, "0")}01`, driver.driverKey);
    stage.cast.set(`FW100${ordinal} AB`, driver.activities[0]?.assetRegistration ?? "");
  }
}
