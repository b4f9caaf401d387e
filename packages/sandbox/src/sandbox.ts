import type { DeploymentProfile } from "@fleetwire/core";
import { createApp, SERVER_PREFIXES } from "./app.ts";
import { type ConsoleHost, deferredConsole, recentRequests } from "./console/console-host.ts";
import { imitationOf } from "./imitation/imitate-profile.ts";
import { allowingOrigin, isOrigin } from "./service/cors.ts";
import { credentialsOf, tokenIssuer } from "./service/credentials.ts";
import { createCustomer } from "./service/customers.ts";
import { type Connection, ConnectionReset } from "./service/fault-injection.ts";
import { FAULTS, readFaults } from "./service/fault-plan.ts";
import type { DuplicateJobs } from "./service/handler.ts";

export type Rhythm = "nonstop" | "week";

export interface SandboxOptions {
  /** Seed for vehicles, people, journeys and credentials. Default 1. */
  readonly seed?: number;
  /** Vehicles per customer, at least 1. Default 50. */
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
  /**
   * A deployment to imitate, as `fleetwire-contract learn` observed it: its words, units, page sizes, group lists, error bodies and the shapes of jobs and tire
   * events. `profileNotes` says what is not imitated. Default none.
   */
  readonly profile?: DeploymentProfile;
  /**
   * Whether the lists in a group update replace the assigned vehicles and persons or add to them, which is undocumented. Default as in the profile,
   * otherwise "replace".
   */
  readonly groupLists?: "replace" | "add";
  /**
   * What happens to a second job with the same number, which is undocumented. "refuse" (default) returns an error for the field, "overwrite" replaces
   * the first job, and "conflict" responds with 409.
   */
  readonly duplicateJobs?: DuplicateJobs;
  /** Largest request body, in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Maximum jobs stored per customer; the oldest are dropped. The limit for uploaded files is three times as high. Default 10,000. */
  readonly maxJobs?: number;
  /** Maximum bytes stored for each customer's jobs, and for all uploaded files; the oldest are dropped. Default 64 MiB. */
  readonly maxStoredBytes?: number;
  /**
   * Faults to inject: a comma-separated list of `[operation:]fault[=value][@rate]`, such as `latency=200, createJob:reset-after@0.1`.
   * The `x-sandbox-fault` header injects faults into a single request. Default none.
   */
  readonly faults?: string;
  /** Called after each response. It never receives queries, headers or bodies. */
  readonly log?: (entry: RequestLogEntry) => void;
}

export interface RequestLogEntry {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** 0 if a fault reset the connection. */
  readonly status: number;
  /** Time to the start of the response, in ms. */
  readonly ms: number;
}

/** Environment variables for clients, with the sandbox's addresses and credentials. */
export type SandboxEnv = Readonly<Record<string, string>>;

export interface SandboxCustomer {
  readonly id: string;
  readonly name: string;
  readonly env: SandboxEnv;
}

export interface SandboxAddress {
  /** For example `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly env: SandboxEnv;
}

export interface Sandbox {
  /** Handles a request in process. Rejects if a fault resets the connection. */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** The first customer's variables. Before `listen`, their addresses have a loopback origin on which nothing listens. */
  readonly env: SandboxEnv;
  readonly customers: readonly SandboxCustomer[];
  /** Which words of the profile stand for the sandbox's own, and what of it is not imitated. */
  readonly profileNotes: readonly string[];
  /**
   * Listens on 127.0.0.1; port 0 (default) picks a free one. With `console`, a page at `/` shows the first customer's fleet and the requests, and switches
   * faults and a `runningClock`. `cors` is the origin of web pages that may call, such as `http://localhost:5173` (default none). Rejects with the socket's
   * error, such as EADDRINUSE.
   */
  readonly listen: (options?: { readonly port?: number; readonly console?: boolean; readonly cors?: string }) => Promise<SandboxAddress>;
  /** Stops listening and drops open connections; `fetch` still works. */
  readonly close: () => Promise<void>;
}

const PLACEHOLDER_ORIGIN = "http://127.0.0.1:9";
const MEBIBYTE = 1_048_576;

function atLeast(least: number, name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`${name} must be a whole number, at least ${least}`);
  return value;
}

function oneOf<Word extends string>(words: readonly Word[], name: string, value: Word): Word {
  if (!words.includes(value)) throw new RangeError(`${name} must be one of ${words.join(", ")}`);
  return value;
}

/** Creates an in-memory fleet service with all operations of the interface, for a fleet that moves as time passes. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { clock = Date.now, start = clock(), log } = options;
  const seed = atLeast(0, "seed", options.seed ?? 1);
  const vehicles = atLeast(1, "vehicles", options.vehicles ?? 50);
  const ordinals = [...Array(atLeast(1, "customers", options.customers ?? 1)).keys()];
  const limits = {
    maxJobs: atLeast(1, "maxJobs", options.maxJobs ?? 10_000),
    maxStoredBytes: atLeast(1, "maxStoredBytes", options.maxStoredBytes ?? 64 * MEBIBYTE),
  };
  const imitation = options.profile && imitationOf(options.profile);
  const groupLists = oneOf(["replace", "add"], "groupLists", options.groupLists ?? imitation?.groupLists ?? "replace");
  const duplicateJobs = oneOf(["refuse", "overwrite", "conflict"], "duplicateJobs", options.duplicateJobs ?? "refuse");
  const rhythm = oneOf(
    ["nonstop", "week"],
    "rhythm",
    options.rhythm ?? (options.clock && options.start === undefined ? "week" : "nonstop"),
  );
  if (!Number.isFinite(start)) throw new RangeError("start must be a number of milliseconds");
  const fleetStart = rhythm === "nonstop" ? start : undefined;
  const customers = ordinals.map((ordinal) => createCustomer(seed, ordinal, vehicles, groupLists, limits, fleetStart));
  const credentials = ordinals.map((ordinal) => credentialsOf(seed, ordinal));
  const tokens = tokenIssuer(seed, atLeast(1, "tokenTtl", options.tokenTtl ?? 3600));
  const maxBodyBytes = atLeast(1, "maxBodyBytes", options.maxBodyBytes ?? MEBIBYTE);
  let faultList = options.faults ?? "";
  let faults = readFaults(faultList);
  const authenticator = { credentials, tokens };
  const app = createApp({ customers, authenticator, clock, maxBodyBytes, limits, duplicateJobs, seed, faults: () => faults, imitation });
  const requests = recentRequests();
  let origin = PLACEHOLDER_ORIGIN;
  let stop: (() => Promise<void>) | undefined;

  const handle = async (request: Request, connection: Connection = {}, isLogged = true): Promise<Response> => {
    const startedAt = performance.now();
    let operation: string | undefined;
    const identify = (name: string) => {
      operation = name;
    };
    const logStatus = (status: number) => {
      const entry = { method: request.method, path: new URL(request.url).pathname, status, ms: performance.now() - startedAt };
      requests.add({ ...entry, operation, at: Date.now(), client: request.headers.get("user-agent")?.split("/")[0] });
      if (isLogged) log?.(entry);
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

  const consoleHost = (): Omit<ConsoleHost, "folder"> => ({
    env: () => envOf(0),
    fetch: (request) => handle(request, {}, false),
    groups: () => customers[0]?.groups.list() ?? [],
    requests: requests.list,
    clock,
    faults: {
      known: FAULTS,
      list: () => faultList,
      set: (list) => {
        faults = readFaults(list);
        faultList = list;
      },
    },
  });

  return {
    fetch: (input, init) => handle(new Request(input, init)),
    get env() {
      return envOf(0);
    },
    get customers() {
      return customers.map(({ id, ordinal, groups }) => ({ id, name: groups.root.name, env: envOf(ordinal) }));
    },
    profileNotes: imitation?.notes ?? [],
    listen: async ({ port = 0, console: withConsole = false, cors } = {}) => {
      if (stop) throw new Error("The sandbox is already listening");
      if (cors !== undefined && !isOrigin(cors)) throw new RangeError("cors must be an origin, such as http://localhost:5173");
      const { serve } = await import("./serve.ts");
      const page = withConsole ? deferredConsole(consoleHost()) : undefined;
      const respond = cors === undefined ? handle : allowingOrigin(cors, handle);
      const server = await serve(async (request, connection) => (await page?.(request)) ?? respond(request, connection), port);
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
