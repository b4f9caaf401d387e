import type { LivePosition } from "@fleetwire/core";
import type { SandboxOptions } from "@fleetwire/sandbox";
import * as z from "zod";
import type { Given } from "../fixtures/fixture.ts";
import { ProviderSandbox } from "./provider-sandbox.ts";

/** A group in a provider state. Without `parentId`, it is a child of the root group. */
interface GivenGroup {
  id: string;
  name?: string | undefined;
  parentId?: string | undefined;
  vehicleIds?: readonly string[] | undefined;
  personIds?: readonly string[] | undefined;
}

const ROOT_GROUP = "g1001";

const isSold = ({ status }: LivePosition) => status === "SOLD";
const isDriven = ({ driverId }: LivePosition) => driverId !== undefined;

const positionsOf = async (provider: ProviderSandbox, customer = 0): Promise<LivePosition[]> =>
  (await provider.call("listLivePositions", { query: { showAllVehicleStatus: "true" } }, customer)) as unknown as LivePosition[];

/** Binds v1001 to a vehicle in the sandbox, and FW1001 AB, Truck 1, p1001 and g1001 to its registration, name, driver and group. */
function bindVehicle(provider: ProviderSandbox, name: string, position: LivePosition | undefined): void {
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

async function bindVehicles(provider: ProviderSandbox, names: readonly string[]): Promise<void> {
  const positions = (await positionsOf(provider)).filter(isDriven);
  for (const [at, name] of names.entries()) bindVehicle(provider, name, positions[at]);
}

/** Binds Truck 1 with its default driver, Truck 2, a pool vehicle, and another driver if one is named. */
async function bindJobParameters(provider: ProviderSandbox, anotherDriver: string | undefined): Promise<void> {
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
async function arrangeGroups(provider: ProviderSandbox, given: readonly GivenGroup[], others: readonly string[]): Promise<void> {
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
async function bindOtherCustomer(provider: ProviderSandbox): Promise<void> {
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

async function bindFaultyVehicle(provider: ProviderSandbox, vehicle: string, group: string, alsoFinished: boolean): Promise<void> {
  const query = { pageSize: "500", startDate: "2026-11-01T00:00:00" };
  const { items = [] } = (await provider.call("listVehicleFaults", { query })) as { items?: FaultyVehicle[] };
  const both = items.find(({ faults = [] }) => faults.some(({ inProgress }) => inProgress) && faults.some(({ inProgress }) => !inProgress));
  const id = (alsoFinished ? both : items[0])?.id;
  const position = (await positionsOf(provider)).find(({ assetId }) => assetId === id);
  bindVehicle(provider, vehicle, position);
  provider.names.set(group, position?.assetGroupId ?? "");
}

async function bindActiveDrivers(
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

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How to put the sandbox into a state, and the parameters that the state takes. */
interface State<Params> {
  params: z.ZodType<Params>;
  options?: (params: Params) => SandboxOptions;
  /** Finds or creates what the parameters name. */
  setUp?: (provider: ProviderSandbox, params: Params) => Promise<void>;
}

const nothing = z.strictObject({});
const state = <Params>(spec: State<Params>): State<Params> => spec;
const plain = state({ params: nothing });

const Group = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  parentId: z.string().optional(),
  vehicleIds: z.array(z.string()).optional(),
  personIds: z.array(z.string()).optional(),
});

/** The state in which `record --sandbox` records. */
export const SANDBOX_AT_START = "the sandbox as it starts";

/** The state for fixtures that hide speeds. */
export const SPEED_SENSITIVE_GROUP = "a fleet with a speed-sensitive group";

/** All provider states used by reproducible fixtures, by name. */
const STATES = {
  "credentials that the service knows": plain,
  "credentials that the service does not know": state({
    params: nothing,
    setUp: async (provider) => {
      provider.unknownCredentials = true;
    },
  }),
  [SANDBOX_AT_START]: plain,
  "a fleet": state({
    params: z.strictObject({ size: z.int().min(1).optional() }),
    options: ({ size }) => (size === undefined ? {} : { vehicles: size }),
  }),
  "a fleet of vehicles": state({
    params: z.strictObject({ vehicles: z.array(z.string()) }),
    setUp: (provider, { vehicles }) => bindVehicles(provider, vehicles),
  }),
  "a fleet of two groups": state({
    params: z.strictObject({ vehicles: z.tuple([z.string(), z.string()]) }),
    setUp: async (provider, { vehicles: [first, second] }) => {
      const positions = await positionsOf(provider);
      bindVehicle(provider, first, positions[0]);
      const isElsewhere = ({ assetGroupId }: (typeof positions)[number]) => assetGroupId !== positions[0]?.assetGroupId;
      bindVehicle(provider, second, positions.find(isElsewhere));
    },
  }),
  "a fleet with a sold vehicle": state({
    params: z.strictObject({ vehicle: z.string(), sold: z.string() }),
    options: () => ({ vehicles: 200 }),
    setUp: async (provider, { vehicle, sold }) => {
      const positions = await positionsOf(provider);
      const unsold = positions.filter((position) => !isSold(position));
      bindVehicle(provider, vehicle, unsold.find(isDriven));
      bindVehicle(provider, sold, positions.find(isSold));
      provider.names.set("g1001", positions.find(isSold)?.assetGroupId ?? "").set("g1002", unsold[0]?.assetGroupId ?? "");
    },
  }),
  [SPEED_SENSITIVE_GROUP]: state({ params: nothing, options: () => ({ vehicles: 400 }) }),
  "a fleet with groups": state({
    params: z.strictObject({
      groups: z.array(Group).default([]),
      /** Vehicles and persons in none of the groups. */
      others: z.array(z.string()).default([]),
      /** Whether g9001, v9001 and p9001 belong to another customer. */
      strangers: z.boolean().default(false),
    }),
    setUp: async (provider, { groups, others, strangers }) => {
      await arrangeGroups(provider, groups, others);
      if (strangers) await bindOtherCustomer(provider);
    },
  }),
  "a fleet that takes jobs": state({
    params: z.strictObject({ anotherDriver: z.string().optional(), jobNumber: z.string().optional() }),
    setUp: async (provider, { anotherDriver, jobNumber }) => {
      await bindJobParameters(provider, anotherDriver);
      if (jobNumber !== undefined)
        await provider.call("createJob", { body: { address: "Quai Perrache 10, 69002 Lyon, France", jobNumber } });
    },
  }),
  "a fleet with jobs": state({
    params: nothing,
    setUp: async (provider) => {
      await provider.call("createJob", { body: { address: "Quai Perrache 10, 69002 Lyon, France" } });
    },
  }),
  "a fleet with tire events": plain,
  "a fleet without faults": state({ params: nothing, options: () => ({ vehicles: 1, seed: 3 }) }),
  "a fleet with faults": state({
    params: z.strictObject({ vehicle: z.string(), group: z.string().default("g1002"), alsoFinished: z.boolean().default(false) }),
    setUp: (provider, { vehicle, group, alsoFinished }) => bindFaultyVehicle(provider, vehicle, group, alsoFinished),
  }),
  "drivers who were active": state({
    params: z.strictObject({ day: z.iso.date(), drivers: z.array(z.string()) }),
    // No drivers are active on a day that has not yet begun.
    options: ({ day, drivers }) => ({ clock: () => Date.parse(day) + (drivers.length > 0 ? DAY + 8 * HOUR : -DAY) }),
    setUp: async (provider, { day, drivers }) => {
      if (drivers.length === 0) return;
      const next = new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
      await bindActiveDrivers(provider, drivers, { startTime: `${day}T00:00:00`, endTime: `${next}T00:00:00` });
    },
  }),
} as const;

/** Starts a sandbox in a state. Throws if the state does not exist or does not take these parameters. */
export async function setUpState(given: Given, options: SandboxOptions = {}): Promise<ProviderSandbox> {
  const { state: name, params = {} } = typeof given === "string" ? { state: given } : given;
  const found = Object.hasOwn(STATES, name) ? (STATES[name as keyof typeof STATES] as State<unknown>) : undefined;
  if (!found) throw new Error(`unknown provider state "${name}": provider/states.ts defines ${Object.keys(STATES).join("; ")}`);
  const parsed = found.params.safeParse(params);
  if (!parsed.success) throw new Error(`provider state "${name}": ${z.prettifyError(parsed.error).replaceAll("\n", " ")}`);
  const provider = new ProviderSandbox({ ...found.options?.(parsed.data), ...options });
  await found.setUp?.(provider, parsed.data);
  return provider;
}
