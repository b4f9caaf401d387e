import type { LivePosition } from "@fleetwire/core";
import type { ProviderSandbox } from "./provider-sandbox.ts";

/** A group in a provider state. Without `parentId`, it is a child of the root group. */
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

export const positionsOf = async (provider: ProviderSandbox, customer = 0): Promise<LivePosition[]> =>
  (await provider.call("listLivePositions", { query: { showAllVehicleStatus: "true" } }, customer)) as unknown as LivePosition[];

/** Binds v1001 to a vehicle in the sandbox, and FW1001 AB, Truck 1, p1001 and g1001 to its registration, name, driver and group. */
export function bindVehicle(provider: ProviderSandbox, name: string, position: LivePosition | undefined): void {
  if (!position) throw new Error("the sandbox has no vehicle for this state");
  const number = Number(name.slice(1));
  const { assetId = "", assetRegistration = "", assetName = "", driverId, assetGroupId } = position;
  provider.names
    .set(name, assetId)
    .set(`FW${number} AB`, assetRegistration)
    .set(`Truck ${number - 1000}`, assetName);
  if (driverId !== undefined) provider.names.set(`p${number}`, driverId);
  if (assetGroupId !== undefined) provider.names.set(`g${number}`, assetGroupId);
}

export async function bindVehicles(provider: ProviderSandbox, names: readonly string[]): Promise<void> {
  const positions = (await positionsOf(provider)).filter(isDriven);
  for (const [at, name] of names.entries()) bindVehicle(provider, name, positions[at]);
}

/** Binds Truck 1 with its default driver, Truck 2, a pool vehicle, and another driver if one is named. */
export async function bindJobParameters(provider: ProviderSandbox, anotherDriver: string | undefined): Promise<void> {
  const positions = (await positionsOf(provider)).filter((position) => position.driverName !== undefined && !isSold(position));
  const isPool = (position: LivePosition) => position.assetGroupName !== position.driverGroupName;
  const [first, second] = positions.filter((position) => !isPool(position));
  bindVehicle(provider, "v1002", positions.find(isPool));
  bindVehicle(provider, "v1001", first);
  provider.names.set("Ada Byron", first?.driverName ?? "").set("Fleet", provider.sandbox.customers[0]?.name ?? "");
  provider.names.set("t1001", "jobtypedelivery");
  if (anotherDriver !== undefined) provider.names.set(anotherDriver, second?.driverName ?? "");
}

/** Sets up the described groups by changing unused ones; `others` are vehicles and persons in none of them. */
export async function arrangeGroups(provider: ProviderSandbox, given: readonly GivenGroup[], others: readonly string[]): Promise<void> {
  const positions = await positionsOf(provider);
  const driven = positions.filter(isDriven);
  const named = [...given.flatMap(({ vehicleIds = [], personIds = [] }) => [...vehicleIds, ...personIds]), ...others];
  const namesOf = (letter: string) => [...new Set(named.filter((name) => name.startsWith(letter)))].sort();
  for (const [at, name] of namesOf("v").entries()) provider.names.set(name, driven[at]?.assetId ?? "");
  for (const [at, name] of namesOf("p").entries()) provider.names.set(name, driven[at]?.driverId ?? "");
  const free = [...new Set(positions.flatMap(({ assetGroupId = [] }) => assetGroupId))];
  const { path = "" } = (await provider.call("updateGroup", { body: { id: free[0] } })) as { path?: string };
  const root = path.split(".")[0] ?? "";
  provider.names.set(ROOT_GROUP, root);
  for (const { id: name, name: newName, parentId = ROOT_GROUP, vehicleIds = [], personIds = [] } of given) {
    const id = free.pop() ?? "";
    provider.names.set(name, id);
    const body = {
      id,
      parentId: provider.names.get(parentId) ?? root,
      ...(newName && { name: newName }),
      vehicleIds: vehicleIds.map((vehicle) => provider.names.get(vehicle)),
      personIds: personIds.map((person) => provider.names.get(person)),
    };
    await provider.call("updateGroup", { body });
  }
}

/** Binds g9001, v9001 and p9001 to another customer's group, vehicle and person. */
export async function bindOtherCustomer(provider: ProviderSandbox): Promise<void> {
  const stranger = (await positionsOf(provider, 1)).find(isDriven);
  provider.names
    .set("g9001", stranger?.assetGroupId ?? "")
    .set("v9001", stranger?.assetId ?? "")
    .set("p9001", stranger?.driverId ?? "");
}

interface FaultyVehicle {
  id?: string;
  faults?: { inProgress?: boolean }[];
}

export async function bindFaultyVehicle(provider: ProviderSandbox, vehicle: string, group: string, alsoFinished: boolean): Promise<void> {
  const query = { pageSize: "500", startDate: "2026-11-01T00:00:00" };
  const { items = [] } = (await provider.call("listVehicleFaults", { query })) as { items?: FaultyVehicle[] };
  const both = items.find(({ faults = [] }) => faults.some(({ inProgress }) => inProgress) && faults.some(({ inProgress }) => !inProgress));
  const id = (alsoFinished ? both : items[0])?.id;
  const position = (await positionsOf(provider)).find(({ assetId }) => assetId === id);
  bindVehicle(provider, vehicle, position);
  provider.names.set(group, position?.assetGroupId ?? "");
}

export async function bindActiveDrivers(
  provider: ProviderSandbox,
  names: readonly string[],
  span: { startTime: string; endTime: string },
): Promise<void> {
  const { data = [] } = (await provider.call("queryTachoActivity", { body: span })) as {
    data?: { driverId: string; driverKey: string; activities: { assetRegistration: string }[] }[];
  };
  for (const [at, name] of names.entries()) {
    const driver = data[at];
    if (!driver) throw new Error("the sandbox has no driver who was active that day");
    const ordinal = at + 1;
    provider.names.set(name, driver.driverId).set(`DB123456789${String(ordinal).padStart(3, "0")}01`, driver.driverKey);
    provider.names.set(`FW100${ordinal} AB`, driver.activities[0]?.assetRegistration ?? "");
  }
}
