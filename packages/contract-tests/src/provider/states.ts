import type { SandboxOptions } from "@fleetwire/sandbox";
import * as z from "zod";
import type { Given } from "../fixtures/fixture.ts";
import { Stage } from "./provider-sandbox.ts";
import {
  arrangeGroups,
  castActiveDrivers,
  castFaulty,
  castJobParts,
  castStrangers,
  castVehicle,
  castVehicles,
  isDriven,
  isSold,
  positionsOf,
} from "./state-parameters.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A way to bring the sandbox into a state, with the parameters that a fixture may give it. */
interface State<Params> {
  params: z.ZodType<Params>;
  options?: (params: Params) => SandboxOptions;
  /** Finds, or makes, who plays the parts that the parameters name. */
  arrange?: (stage: Stage, params: Params) => Promise<void>;
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

/** The state in which `record --sandbox` finds it. */
export const SANDBOX_AT_START = "the sandbox as it starts";

/** The state of fixtures that hide speeds. */
export const SPEED_SENSITIVE_GROUP = "a fleet with a speed-sensitive group";

/** Every state in which a reproducible fixture may be given, by name. */
const STATES = {
  "credentials that the service knows": plain,
  "credentials that the service does not know": state({
    params: nothing,
    arrange: async (stage) => {
      stage.strangers = true;
    },
  }),
  [SANDBOX_AT_START]: plain,
  "a fleet": state({
    params: z.strictObject({ size: z.int().min(1).optional() }),
    options: ({ size }) => (size === undefined ? {} : { vehicles: size }),
  }),
  "a fleet of vehicles": state({
    params: z.strictObject({ vehicles: z.array(z.string()) }),
    arrange: (stage, { vehicles }) => castVehicles(stage, vehicles),
  }),
  "a fleet of two groups": state({
    params: z.strictObject({ vehicles: z.tuple([z.string(), z.string()]) }),
    arrange: async (stage, { vehicles: [first, second] }) => {
      const positions = await positionsOf(stage);
      castVehicle(stage, first, positions[0]);
      const isElsewhere = ({ assetGroupId }: (typeof positions)[number]) => assetGroupId !== positions[0]?.assetGroupId;
      castVehicle(stage, second, positions.find(isElsewhere));
    },
  }),
  "a fleet with a sold vehicle": state({
    params: z.strictObject({ vehicle: z.string(), sold: z.string() }),
    options: () => ({ vehicles: 200 }),
    arrange: async (stage, { vehicle, sold }) => {
      const positions = await positionsOf(stage);
      const kept = positions.filter((position) => !isSold(position));
      castVehicle(stage, vehicle, kept.find(isDriven));
      castVehicle(stage, sold, positions.find(isSold));
      stage.cast.set("g1001", positions.find(isSold)?.assetGroupId ?? "").set("g1002", kept[0]?.assetGroupId ?? "");
    },
  }),
  [SPEED_SENSITIVE_GROUP]: state({ params: nothing, options: () => ({ vehicles: 400 }) }),
  "a fleet with groups": state({
    params: z.strictObject({
      groups: z.array(Group).default([]),
      /** Vehicles and persons that none of the groups has. */
      others: z.array(z.string()).default([]),
      /** Whether g9001, v9001 and p9001 are those of another customer. */
      strangers: z.boolean().default(false),
    }),
    arrange: async (stage, { groups, others, strangers }) => {
      await arrangeGroups(stage, groups, others);
      if (strangers) await castStrangers(stage);
    },
  }),
  "a fleet that takes jobs": state({
    params: z.strictObject({ anotherDriver: z.string().optional(), jobNumber: z.string().optional() }),
    arrange: async (stage, { anotherDriver, jobNumber }) => {
      await castJobParts(stage, anotherDriver);
      if (jobNumber !== undefined) await stage.ask("createJob", { body: { address: "Quai Perrache 10, 69002 Lyon, France", jobNumber } });
    },
  }),
  "a fleet with jobs": state({
    params: nothing,
    arrange: async (stage) => {
      await stage.ask("createJob", { body: { address: "Quai Perrache 10, 69002 Lyon, France" } });
    },
  }),
  "a fleet with tire events": plain,
  "a fleet without faults": state({ params: nothing, options: () => ({ vehicles: 1, seed: 3 }) }),
  "a fleet with faults": state({
    params: z.strictObject({ vehicle: z.string(), group: z.string().default("g1002"), alsoFinished: z.boolean().default(false) }),
    arrange: (stage, { vehicle, group, alsoFinished }) => castFaulty(stage, vehicle, group, alsoFinished),
  }),
  "drivers who were active": state({
    params: z.strictObject({ day: z.iso.date(), drivers: z.array(z.string()) }),
    // Nobody was active on a day that has not begun.
    options: ({ day, drivers }) => ({ clock: () => Date.parse(day) + (drivers.length > 0 ? DAY + 8 * HOUR : -DAY) }),
    arrange: async (stage, { day, drivers }) => {
      if (drivers.length === 0) return;
      const next = new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
      await castActiveDrivers(stage, drivers, { startTime: `${day}T00:00:00`, endTime: `${next}T00:00:00` });
    },
  }),
} as const;

/** Starts a sandbox in a state, or throws where there is no such state or it takes no such parameters. */
export async function stageFor(given: Given, options: SandboxOptions = {}): Promise<Stage> {
  const { state: name, params = {} } = typeof given === "string" ? { state: given } : given;
  const found = Object.hasOwn(STATES, name) ? (STATES[name as keyof typeof STATES] as State<unknown>) : undefined;
  if (!found) throw new Error(`there is no provider state "${name}": provider/states.ts has ${Object.keys(STATES).join("; ")}`);
  const parsed = found.params.safeParse(params);
  if (!parsed.success) throw new Error(`provider state "${name}": ${z.prettifyError(parsed.error).replaceAll("\n", " ")}`);
  const stage = new Stage({ ...found.options?.(parsed.data), ...options });
  await found.arrange?.(stage, parsed.data);
  return stage;
}
