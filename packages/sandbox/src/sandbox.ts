import { createApp, SERVER_PREFIXES } from "./service/app.ts";
import { credentialsOf, tokenIssuer } from "./service/credentials.ts";
import { createCustomer } from "./service/customers.ts";
import { type Connection, ConnectionReset } from "./service/fault-injection.ts";
import { readFaults } from "./service/fault-plan.ts";
import type { DuplicateJobs } from "./service/handler.ts";

export interface SandboxOptions {
  /** Decides everything that is drawn: vehicles, people, journeys, credentials. Default 1. */
  readonly seed?: number;
  /** Vehicles of each customer, 1 or more. Default 50. */
  readonly vehicles?: number;
  /** Customers, each with a fleet and credentials of its own. Default 1. */
  readonly customers?: number;
  /** The time, in epoch ms; may jump to and fro. Default `Date.now`. */
  readonly clock?: () => number;
  /** Seconds for which an access token holds. Default 3600. */
  readonly tokenTtl?: number;
  /** Whether the lists of a group update replace the assigned vehicles and persons or add to them; the interface does not say. Default "replace". */
  readonly groupLists?: "replace" | "add";
  /**
   * What becomes of a second job with the same number; the interface does not say. "refuse" (default) names the field, "overwrite"
   * replaces the first job, "conflict" answers 409.
   */
  readonly duplicateJobs?: DuplicateJobs;
  /** Largest request body, in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Jobs kept of each customer, beyond which the oldest are forgotten; of files, places for three times as many. Default 10,000. */
  readonly maxJobs?: number;
  /** Bytes of jobs kept of each customer, and of all uploaded files, beyond which the oldest are forgotten. Default 64 MiB. */
  readonly maxStoredBytes?: number;
  /**
   * Faults that strike any request, written `[operation:]fault[=value][@rate]` and separated by commas, such as
   * `latency=200, createJob:reset-after@0.1`. A request asks for its own in the header `x-sandbox-fault`. Default none.
   */
  readonly faults?: string;
  /** Called with each answered request; it never sees a query, a header or a body. */
  readonly log?: (entry: RequestLogEntry) => void;
}

export interface RequestLogEntry {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** 0 where a fault reset the connection. */
  readonly status: number;
  /** Until the answer began, in ms. */
  readonly ms: number;
}

/** The variables under which clients find the sandbox and prove who they are. */
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
  /** Answers a request in process; rejects where a fault resets the connection. */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** The variables of the first customer. Until `listen` they name a loopback origin at which nothing listens. */
  readonly env: SandboxEnv;
  readonly customers: readonly SandboxCustomer[];
  /** Serves on 127.0.0.1; port 0 (the default) is any free one. Rejects with the socket's error, such as EADDRINUSE. */
  readonly listen: (options?: { readonly port?: number }) => Promise<SandboxAddress>;
  /** Stops serving and drops open connections; `fetch` goes on to work. */
  readonly close: () => Promise<void>;
}

const PLACEHOLDER_ORIGIN = "http://127.0.0.1:9";
const MEBIBYTE = 1_048_576;

function atLeast(least: number, name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < least) throw new RangeError(`${name} must be a whole number of at least ${least}`);
  return value;
}

/** Starts a fleet service in memory: all operations of the interface over a fleet that moves with the clock. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { clock = Date.now, groupLists = "replace", duplicateJobs = "refuse", log } = options;
  const seed = atLeast(0, "seed", options.seed ?? 1);
  const vehicles = atLeast(1, "vehicles", options.vehicles ?? 50);
  const ordinals = [...Array(atLeast(1, "customers", options.customers ?? 1)).keys()];
  const bounds = {
    maxJobs: atLeast(1, "maxJobs", options.maxJobs ?? 10_000),
    maxStoredBytes: atLeast(1, "maxStoredBytes", options.maxStoredBytes ?? 64 * MEBIBYTE),
  };
  const customers = ordinals.map((ordinal) => createCustomer(seed, ordinal, vehicles, groupLists, bounds));
  const credentials = ordinals.map((ordinal) => credentialsOf(seed, ordinal));
  const tokens = tokenIssuer(seed, atLeast(1, "tokenTtl", options.tokenTtl ?? 3600));
  const maxBodyBytes = atLeast(1, "maxBodyBytes", options.maxBodyBytes ?? MEBIBYTE);
  const faults = readFaults(options.faults ?? "");
  const app = createApp({ customers, gate: { credentials, tokens }, clock, maxBodyBytes, bounds, duplicateJobs, seed, faults });
  let origin = PLACEHOLDER_ORIGIN;
  let stop: (() => Promise<void>) | undefined;

  const answer = async (request: Request, connection: Connection = {}): Promise<Response> => {
    const begun = performance.now();
    const note = (status: number) =>
      log?.({ method: request.method, path: new URL(request.url).pathname, status, ms: performance.now() - begun });
    try {
      const response = await app.fetch(request, connection);
      note(response.status);
      return response;
    } catch (error) {
      if (error instanceof ConnectionReset) note(0);
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

  return {
    fetch: (input, init) => answer(new Request(input, init)),
    get env() {
      return envOf(0);
    },
    get customers() {
      return customers.map(({ id, ordinal, groups }) => ({ id, name: groups.root.name, env: envOf(ordinal) }));
    },
    listen: async ({ port = 0 } = {}) => {
      if (stop) throw new Error("The sandbox is listening already");
      const { serve } = await import("./serve.ts");
      const server = await serve(answer, port);
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
