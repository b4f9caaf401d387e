import { createApp, SERVER_PREFIXES } from "./app.ts";
import type { ConsoleHost } from "./serve.ts";
import { credentialsOf, customerId, tokenIssuer } from "./service/credentials.ts";
import { type Connection, ConnectionReset, FAULTS, readFaults } from "./service/fault-injection.ts";
import { groupStore } from "./service/group-store.ts";
import type { Customer } from "./service/handler.ts";
import { jobStore, uploadStore } from "./service/job-store.ts";
import { createFleet } from "./simulation/fleet.ts";

export type Rhythm = "nonstop" | "week";

export interface SandboxOptions {
  /** Seed for vehicles, people, journeys and credentials. Default 1. */
  readonly seed?: number;
  /** Vehicles per customer, from 1 to 100,000. Default 50. */
  readonly vehicles?: number;
  /** Number of customers, each with its own fleet and credentials. Default 1. */
  readonly customers?: number;
  /** The time in epoch ms; may jump back and forth. Default `Date.now`. */
  readonly clock?: () => number;
  /**
   * When vehicles drive. "nonstop": at any time, at least a quarter of a fleet of 20 or more vehicles is moving, and truck 12 is under
   * way at `start`; timestamps follow the clock. "week": ordinary weeks that all differ, with quiet nights and Sundays, teams and some oddities, such as
   * broken rules and missing records. Default "week" if there is a `clock` and no `start`, otherwise "nonstop".
   */
  readonly rhythm?: Rhythm;
  /** When a fleet with the rhythm "nonstop" starts, in epoch ms: its past and future depend on it. Default: the clock's time on creation. */
  readonly start?: number;
  /** Lifetime of an access token in seconds. Default 3600. */
  readonly tokenTtl?: number;
  /** Whether the lists in a group update replace the assigned vehicles and persons or add to them, which is undocumented. Default "replace". */
  readonly groupLists?: "replace" | "add";
  /**
   * What happens to a second job with the same number, which is undocumented. "refuse" (default) returns an error for the field, "overwrite" replaces
   * the first job, and "conflict" responds with 409.
   */
  readonly duplicateJobs?: "refuse" | "overwrite" | "conflict";
  /** Maximum jobs stored per customer; the oldest are dropped. The limit for uploaded files is three times as high. Default 10,000. */
  readonly maxJobs?: number;
  /** Maximum bytes stored for each customer's jobs, and for all uploaded files; the oldest are dropped. Default 64 MiB. */
  readonly maxStoredBytes?: number;
  /**
   * Faults to inject: a comma-separated list of `[operation:]fault[=value][@rate]`, such as `latency=200, createJob:reset-after@0.1`.
   * The `x-sandbox-fault` header injects faults into a single request. Default none.
   */
  readonly faults?: string;
  /**
   * Called after each response. It never receives queries, headers or bodies: `path` is without the query, `status` is 0 if a fault reset the connection,
   * and `ms` is the time to the start of the response.
   */
  readonly log?: (entry: { readonly method: string; readonly path: string; readonly status: number; readonly ms: number }) => void;
}

/** Environment variables for clients, with the sandbox's addresses and credentials. */
export type SandboxEnv = Readonly<Record<string, string>>;

export interface Sandbox {
  /** Handles a request in process. Rejects if a fault resets the connection. */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** The first customer's variables. Before `listen`, their addresses have a loopback origin on which nothing listens. */
  readonly env: SandboxEnv;
  readonly customers: readonly { readonly id: string; readonly name: string; readonly env: SandboxEnv }[];
  /**
   * Listens on 127.0.0.1; port 0 (default) picks a free one. With `console`, a page at `/` shows the first customer's fleet and the requests, and switches
   * faults and a `runningClock`. `cors` is the origin of web pages that may call, such as `http://localhost:5173` (default none). Rejects with the socket's
   * error, such as EADDRINUSE. The origin is one such as `http://127.0.0.1:41234`.
   */
  readonly listen: (options?: {
    readonly port?: number;
    readonly console?: boolean;
    readonly cors?: string;
  }) => Promise<{ readonly origin: string; readonly env: SandboxEnv }>;
  /** Stops listening and drops open connections; `fetch` still works. */
  readonly close: () => Promise<void>;
}

const PLACEHOLDER_ORIGIN = "http://127.0.0.1:9";
const MAX_STORED_BYTES = 67_108_864;
const MAX_VEHICLES = 100_000;
const MAX_CUSTOMERS = 1000;
const KEPT_REQUESTS = 200;

function whole(least: number, name: string, value: number, most = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new RangeError(
      `${name} must be a whole number, ${most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `at least ${least}`}`,
    );
  return value;
}

function oneOf<Word extends string>(words: readonly Word[], name: string, value: Word): Word {
  if (!words.includes(value)) throw new RangeError(`${name} must be one of ${words.join(", ")}`);
  return value;
}

/** Creates an in-memory fleet service with all operations of the interface, for a fleet that moves as time passes. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { clock = Date.now, start = clock(), log } = options;
  const seed = whole(0, "seed", options.seed ?? 1);
  const vehicles = whole(1, "vehicles", options.vehicles ?? 50, MAX_VEHICLES);
  const ordinals = [...Array(whole(1, "customers", options.customers ?? 1, MAX_CUSTOMERS)).keys()];
  const limits = {
    maxJobs: whole(1, "maxJobs", options.maxJobs ?? 10_000),
    maxStoredBytes: whole(1, "maxStoredBytes", options.maxStoredBytes ?? MAX_STORED_BYTES),
  };
  const groupLists = oneOf(["replace", "add"], "groupLists", options.groupLists ?? "replace");
  const duplicateJobs = oneOf(["refuse", "overwrite", "conflict"], "duplicateJobs", options.duplicateJobs ?? "refuse");
  const usualRhythm = options.clock && options.start === undefined ? "week" : "nonstop";
  const rhythm = oneOf(["nonstop", "week"], "rhythm", options.rhythm ?? usualRhythm);
  if (!Number.isFinite(start)) throw new RangeError("start must be a number of milliseconds");
  const fleetStart = rhythm === "nonstop" ? start : undefined;
  const customers = ordinals.map((ordinal): Customer => {
    const fleet = createFleet(seed, ordinal, vehicles, fleetStart);
    const groups = groupStore(fleet, ordinal, groupLists);
    return { ordinal, id: customerId(seed, ordinal), fleet, groups, jobs: jobStore(seed, ordinal, limits) };
  });
  const credentials = ordinals.map((ordinal) => credentialsOf(seed, ordinal));
  const tokens = tokenIssuer(seed, whole(1, "tokenTtl", options.tokenTtl ?? 3600));
  let faultList = options.faults ?? "";
  let faults = readFaults(faultList);
  const authenticator = { credentials, tokens };
  const app = createApp({ customers, authenticator, clock, uploads: uploadStore(limits), duplicateJobs, seed, faults: () => faults });
  const requests: ReturnType<ConsoleHost["requests"]>[number][] = [];
  let requestId = 0;
  let origin = PLACEHOLDER_ORIGIN;
  let stop: (() => Promise<void>) | undefined;

  const handle = async (request: Request, connection: Connection = {}, isLogged = true): Promise<Response> => {
    const startedAt = performance.now();
    let operation: string | undefined;
    const identify = (name: string) => {
      operation = name;
    };
    const logStatus = (status: number) => {
      const path = new URL(request.url).pathname;
      const ms = performance.now() - startedAt;
      const client = request.headers.get("user-agent")?.split("/")[0];
      requests.push({ id: ++requestId, at: Date.now(), operation, path, status, ms, client });
      if (requests.length > KEPT_REQUESTS) requests.shift();
      if (isLogged) log?.({ method: request.method, path, status, ms });
    };
    try {
      const response = await app(request, { ...connection, identify });
      logStatus(response.status);
      return response;
    } catch (error) {
      if (error instanceof ConnectionReset) logStatus(0);
      throw error;
    }
  };
  const envOf = (ordinal: number): SandboxEnv => ({
    FLEET_CUSTOMER_ID: customers[ordinal]?.id ?? "",
    FLEET_CLIENT_ID: credentials[ordinal]?.clientId ?? "",
    FLEET_CLIENT_SECRET: credentials[ordinal]?.clientSecret ?? "",
    FLEET_BASE_URL: origin + SERVER_PREFIXES.base,
    FLEET_FLEET_URL: origin + SERVER_PREFIXES.fleet,
    FLEET_API_HOST: origin + SERVER_PREFIXES.apiHost,
    FLEET_JOB_URL: origin + SERVER_PREFIXES.job,
    FLEET_TACHO_URL: origin + SERVER_PREFIXES.tacho,
    FLEET_AUTH_URL: origin + SERVER_PREFIXES.auth,
  });

  const consoleHost: Omit<ConsoleHost, "folder"> = {
    env: () => envOf(0),
    fetch: (request) => handle(request, {}, false),
    groups: () => customers[0]?.groups.list() ?? [],
    requests: () => requests,
    clock,
    faults: {
      known: FAULTS,
      list: () => faultList,
      set: (list) => {
        faults = readFaults(list);
        faultList = list;
      },
    },
  };

  return {
    fetch: (input, init) => handle(new Request(input, init)),
    get env() {
      return envOf(0);
    },
    get customers() {
      return customers.map(({ id, ordinal, groups }) => ({ id, name: groups.root.name, env: envOf(ordinal) }));
    },
    listen: async ({ port = 0, console: withConsole = false, cors } = {}) => {
      if (stop) throw new Error("The sandbox is already listening");
      if (cors !== undefined && !(/^https?:/.test(cors) && URL.canParse(cors) && new URL(cors).origin === cors))
        throw new RangeError("cors must be an origin, such as http://localhost:5173");
      const { serve } = await import("./serve.ts");
      const server = await serve({ handle, console: withConsole ? consoleHost : undefined, origin: cors }, port);
      stop = server.stop;
      origin = server.origin;
      return { origin, env: envOf(0) };
    },
    close: async () => {
      const stopping = stop;
      stop = undefined;
      origin = PLACEHOLDER_ORIGIN;
      await stopping?.();
    },
  };
}
