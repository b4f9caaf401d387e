import type { SandboxOptions } from "@fleetwire/sandbox";
import * as z from "zod";
import type { Given } from "../fixtures/fixture.ts";
import { ProviderSandbox } from "./provider-sandbox.ts";
import {
  arrangeGroups,
  bindActiveDrivers,
  bindFaultyVehicle,
  bindJobParameters,
  bindOtherCustomer,
  bindVehicle,
  bindVehicles,
  isDriven,
  isSold,
  positionsOf,
} from "./state-parameters.ts";

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
