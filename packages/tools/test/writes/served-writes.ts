import type { ExecuteOptions, FleetToolResult, FleetTools, FleetToolsConfig, FleetToolsOptions, WriteStore } from "../../src/index.ts";
import { NOW, type Script, servedFleet } from "../served-fleet.ts";

const MINUTE = 60_000;

interface Entry {
  value: unknown;
  ttl: number;
  until: number;
}

/** A store in this process, for any number of fleets, each of which can lose it. Times in it pass so much faster, so that a hold ends soon. */
export function memoryStore(faster = 3) {
  const entries = new Map<string, Entry>();
  const read = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.until > performance.now() ? (entry.value as string) : undefined;
  };
  const write = (key: string, value: string, ttl: number) => void entries.set(key, { value, ttl, until: performance.now() + ttl / faster });
  /** `at` is called before and after each of the process's commands, such as `before add 1`, and may delay it. */
  const connect = (at: (point: string) => Promise<void> = async () => {}) => {
    let problem: Error | "hangs" | undefined;
    let delay = 0;
    let commands = 0;
    const run = async <Value>(name: string, of: () => Value): Promise<Value> => {
      if (problem === "hangs") return new Promise(() => {});
      if (problem) throw problem;
      commands += 1;
      const point = `${name} ${commands}`;
      await at(`before ${point}`);
      // Commands arrive in order, and replies are late.
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      const value = of();
      await at(`after ${point}`);
      return value;
    };
    const store: WriteStore = {
      get: (key) => run("get", () => read(key)),
      add: (key, value, ttl) =>
        run("add", () => {
          if (read(key) !== undefined) return false;
          write(key, value, ttl);
          return true;
        }),
      extend: (key, value, ttl) =>
        run("extend", () => {
          if (read(key) !== value) return false;
          write(key, value, ttl);
          return true;
        }),
      remove: (key, value) => run("remove", () => void (read(key) === value && entries.delete(key))),
    };
    return {
      store,
      fail: (with_: typeof problem) => (problem = with_),
      slow: (milliseconds: number) => (delay = milliseconds),
    };
  };
  return {
    connect,
    /** Ends what a process holds, as if it had been paused. */
    endHolds: () => {
      for (const [key, { ttl }] of entries) if (ttl < MINUTE) entries.delete(key);
    },
    /** Replaces the value of each entry that is a hold, or each that is not. */
    alter: (which: "hold" | "record", change: (value: string) => unknown) => {
      for (const entry of entries.values()) {
        if ((which === "hold") === entry.ttl < MINUTE) entry.value = change(entry.value as string);
      }
    },
    clear: () => entries.clear(),
    text: () => JSON.stringify([...entries]),
  };
}

export const PLACE = { lat: 45.5, lng: 4.5 };
export const JOB = { address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" };
export const SEAL_KEY = btoa("k".repeat(32));

const FLEET = [
  { assetId: "v1", assetName: "Truck 1", assetGroupId: "north", driverId: "p1", driverName: "Anna", driverGroupId: "south" },
  { assetId: "v2", assetName: "Van 7", assetGroupId: "south", driverId: "p2", driverName: "Bert", driverGroupId: "north" },
  { assetId: "v3", assetName: "Truck 3", assetGroupId: "north" },
  { assetId: "v12", assetName: "Truck 12" },
];

export type Args = Record<string, unknown>;

export const WRITES: [tool: string, args: Args, operation: "createJob" | "updateGroup"][] = [
  ["create_job", JOB, "createJob"],
  ["update_group", { id: "north", vehicleIds: ["v1", "v2"] }, "updateGroup"],
];

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
export const recordOf = (result: FleetToolResult | undefined) => result?.structured as any;

/** A fleet whose service accepts every write; none is sent without approval unless `env` says so. */
export async function servedWrites({ script = {}, env = {}, ...more }: Parameters<typeof servedFleet>[0] & { script?: Script } = {}) {
  const clock = { now: NOW };
  const fleet = await servedFleet({
    script: {
      createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }),
      updateGroup: ({ body }) => ({ body: { ...body, path: "root" } }),
      listLivePositions: () => ({ body: FLEET }),
      ...script,
    },
    env: { FLEET_CONFIRM: "auto", ...env },
    ...more,
    options: { now: () => clock.now, ...more.options },
  });
  return {
    ...fleet,
    clock,
    /** The bodies of the writes that reached the service. */
    sent: () => [...fleet.service.of("createJob"), ...fleet.service.of("updateGroup")].map(({ body }) => body as Args),
    confirmation: async (tool: string, args: Args, tools: FleetTools = fleet.tools) =>
      recordOf(await tools.call(tool, args)).confirmation as string,
    create: (args: Args = JOB, options: ExecuteOptions = { approved: true }) => fleet.tools.call("create_job", args, options),
  };
}

/** Processes that share a store, for a service that creates a job once for each number. */
export async function servedProcesses(config: Partial<FleetToolsConfig> = {}, script: Script = {}) {
  const shared = memoryStore(1);
  const created: string[] = [];
  const createJob: Script["createJob"] = ({ body }) => {
    if (created.includes(body.jobNumber)) return { body: { errors: [{ field: "jobNumber", message: "already exists" }] } };
    created.push(body.jobNumber);
    return { body: { job: { ...body, jobId: "j1" } } };
  };
  const listJobs: Script["listJobs"] = () => ({ body: { jobs: created.map((jobNumber) => ({ jobNumber })) } });
  const fleet = await servedWrites({ script: { createJob, listJobs, ...script }, config: { sealKey: SEAL_KEY, ...config } });
  /** A process; `at` is called before and after each of its commands to the store. */
  const process = (options: FleetToolsOptions = {}, at?: (point: string) => Promise<void>, own: Partial<FleetToolsConfig> = {}) => {
    const { store, ...connection } = shared.connect(at);
    return { tools: fleet.another(own, { writeStore: store, ...options }), ...connection };
  };
  return { ...fleet, shared, process, created };
}

export type Processes = Awaited<ReturnType<typeof servedProcesses>>;
