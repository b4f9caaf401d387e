import {
  createFleetTools,
  type FleetToolResult,
  type FleetTools,
  type FleetToolsConfig,
  type FleetToolsOptions,
  fleetToolsConfigFromEnv,
} from "../src/index.ts";
import { CUSTOMER, type FleetService, fleetService, type Script } from "./fleet-service.ts";

export const NOW = Date.parse("2026-11-20T08:34:00Z");

interface Setup {
  /** What the service responds, by operation. */
  script?: Script;
  /** Overrides of the full configuration; undefined removes a variable. */
  env?: Record<string, string | undefined>;
  config?: Partial<FleetToolsConfig>;
  options?: FleetToolsOptions;
}

type Args = Record<string, unknown>;

export interface ServedFleet {
  tools: FleetTools;
  service: FleetService;
  call: (tool: string, args?: Args) => Promise<FleetToolResult>;
  /** The text of a call that must succeed. */
  text: (tool: string, args?: Args) => Promise<string>;
  /** The record of a call that must succeed, with the rows of a list as `items`, each with its values by column. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
  record: (tool: string, args?: Args) => Promise<any>;
  /** The rows of all pages of a list. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
  allItems: (tool: string, args?: Args) => Promise<any[]>;
  /** The question of a call whose name is ambiguous or unknown. */
  question: (tool: string, args?: Args) => Promise<string>;
  /** The error text of a call that must fail. */
  failure: (tool: string, args?: Args) => Promise<string>;
  /** Tools of another process for the same service. */
  another: (config?: Partial<FleetToolsConfig>, options?: FleetToolsOptions) => FleetTools;
}

/** The rows of a list, each with its values by column. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
export function withItems({ columns, rows, ...record }: Record<string, unknown>): any {
  if (!Array.isArray(columns) || !Array.isArray(rows)) return { columns, rows, ...record };
  const items = (rows as unknown[][]).map((row) =>
    Object.fromEntries(columns.flatMap((column, at) => (row[at] === null ? [] : [[column, row[at]]]))),
  );
  return { ...record, columns, items };
}

/** Tools for a service with scripted responses, over HTTP. Writes are sent at once, and nothing is cached, unless `env` says so. */
export async function servedFleet({ script = {}, env = {}, config = {}, options = {} }: Setup = {}): Promise<ServedFleet> {
  const service = await fleetService(script, undefined, CUSTOMER, options.operations);
  const { origin } = service;
  const settings = fleetToolsConfigFromEnv({
    ...{ FLEET_CUSTOMER_ID: CUSTOMER, FLEET_CLIENT_ID: "client", FLEET_CLIENT_SECRET: "secret" },
    ...{ FLEET_BASE_URL: origin, FLEET_API_HOST: origin, FLEET_JOB_URL: origin, FLEET_TACHO_URL: origin, FLEET_AUTH_URL: origin },
    ...{ FLEET_TIME_ZONE: "UTC", FLEET_CONFIRM: "never", FLEET_SNAPSHOT_SECONDS: "0" },
    ...env,
  });
  const another: ServedFleet["another"] = (other = {}, own = {}) =>
    createFleetTools({ ...settings, retries: 0, ...config, ...other }, { now: () => NOW, ...options, ...own });
  const tools = another();
  const call: ServedFleet["call"] = (tool, args = {}) => tools.call(tool, args);
  const succeeded = async (tool: string, args?: Args) => {
    const result = await call(tool, args);
    if (!result.ok) throw new Error(`${tool} failed: ${result.text}`);
    return result;
  };
  const record: ServedFleet["record"] = async (tool, args) => withItems((await succeeded(tool, args)).structured);
  return {
    tools,
    service,
    another,
    call,
    text: async (tool, args) => (await succeeded(tool, args)).text,
    record,
    allItems: async (tool, args) => {
      const all: unknown[] = [];
      for (let cursor: string | undefined | null = null; cursor !== undefined; ) {
        const { items, next } = await record(tool, { ...args, ...(cursor !== null && { cursor }) });
        all.push(...items);
        cursor = next;
      }
      return all;
    },
    question: async (tool, args) => {
      const { text, structured } = await succeeded(tool, args);
      const { result } = structured;
      if (result !== "ambiguous" && result !== "notFound") throw new Error(`${tool} asked nothing: ${text}`);
      return text;
    },
    failure: async (tool, args) => {
      const result = await call(tool, args);
      if (result.ok) throw new Error(`${tool} did not fail: ${result.text}`);
      return result.text;
    },
  };
}
