import { createFleetClient } from "@fleetwire/core";
import { createSandbox, type SandboxOptions } from "@fleetwire/sandbox";
import { onTestFinished } from "vitest";
import {
  catalogue,
  createFleetTools,
  type FleetTools,
  type FleetToolsConfig,
  type FleetToolsOptions,
  type FleetToolsSettings,
  fleetToolsConfigFromEnv,
} from "../src/index.ts";

const NOW = Date.UTC(2026, 10, 20, 9);

type Calls = Readonly<Record<string, Record<string, unknown>>>;

const OWN_CALLS: Calls = {
  locate_vehicle: { query: "truck 12" },
  find_nearest_vehicles: { to: "truck 12", limit: 3 },
  summarize_fleet: {},
  list_live_positions: { limit: 3 },
  list_vehicle_faults: { limit: 3 },
  driver_hours: {},
  summarize_driver_activity: { period: "yesterday" },
  query_tacho_activity: { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z", limit: 3 },
  where_was: { vehicle: "truck 12", time: "yesterday 12:00" },
  list_jobs: {},
  create_job: { jobTitle: "Collect 4 pallets", address: "Quai Perrache 10, 69002 Lyon, France", vehicleName: "Truck 12" },
  list_tire_events: {},
  update_group: { id: "dthldpkzdw", name: "Pool cars" },
};

/** Arguments that exist in the sandbox's fleet. */
const SAID: Readonly<Record<string, string>> = { vehicle: "truck 12", driver: "Oksana Duda", group: "Lyon Vans", period: "yesterday" };

/** A call of every tool that the sandbox can serve. Tools not listed above get their required arguments. */
export const CALLS: Calls = Object.fromEntries(
  catalogue.map(({ name, inputJsonSchema }) => {
    const { required = [] } = inputJsonSchema as { required?: string[] };
    return [name, OWN_CALLS[name] ?? Object.fromEntries(required.map((field) => [field, SAID[field] ?? "v1"]))];
  }),
);

export const { create_job: JOB = {} } = CALLS;

interface Setup {
  env?: Record<string, string>;
  config?: Partial<FleetToolsConfig>;
  options?: FleetToolsOptions;
  sandbox?: SandboxOptions;
}

interface Fleet {
  tools: FleetTools;
  /** The writes that reached the service, as method and status. */
  writes: () => string[];
  /** All requests that reached the service. */
  requests: () => number;
  /** The numbers of the service's jobs. */
  jobs: () => Promise<string[]>;
  /** Tools of another process for the same fleet. */
  another: (config?: Partial<FleetToolsConfig>, options?: FleetToolsOptions) => FleetTools;
  settings: FleetToolsSettings;
}

/** Tools for a sandbox of their own, over HTTP. */
export async function fleetUnderTest({ env = {}, config = {}, options = {}, sandbox: more = {} }: Setup = {}): Promise<Fleet> {
  const seen: { method: string; path: string; status: number }[] = [];
  const sandbox = createSandbox({ clock: () => NOW, log: (entry) => seen.push(entry), ...more });
  const listening = await sandbox.listen();
  onTestFinished(() => sandbox.close());
  const settings = { ...fleetToolsConfigFromEnv({ ...listening.env, ...env }), retries: 0 };
  const another: Fleet["another"] = (other = {}, own = {}) =>
    createFleetTools({ ...settings, ...config, ...other }, { now: () => NOW, ...options, ...own });
  return {
    tools: another(),
    writes: () =>
      seen.flatMap(({ method, path, status }) => (method === "PUT" || path.endsWith("/job/create") ? [`${method} ${status}`] : [])),
    requests: () => seen.length,
    jobs: async () =>
      ((await createFleetClient(settings).listJobs()) as { jobs: { jobNumber: string }[] }).jobs.map((job) => job.jobNumber),
    another,
    settings,
  };
}
