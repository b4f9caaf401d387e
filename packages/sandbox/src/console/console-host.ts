import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { RunningClock } from "../clock.ts";

/** A request as the console lists it. */
export interface RecentRequest {
  /** Counts from 1. */
  readonly id: number;
  /** When the response began, in epoch ms of the real clock. */
  readonly at: number;
  /** Name of the operation; undefined for a path without one. */
  readonly operation: string | undefined;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** 0 if a fault reset the connection. */
  readonly status: number;
  /** Time to the start of the response, in ms. */
  readonly ms: number;
  /** The name of the client in its User-Agent header. */
  readonly client: string | undefined;
}

const KEPT = 200;

/** Keeps the latest requests. */
export function recentRequests(): { add: (request: Omit<RecentRequest, "id">) => void; list: () => readonly RecentRequest[] } {
  const kept: RecentRequest[] = [];
  let id = 0;
  return {
    add: (request) => {
      kept.push({ ...request, id: ++id });
      if (kept.length > KEPT) kept.shift();
    },
    list: () => kept,
  };
}

/** A group as the console shows it; the interface itself has no operation that reads groups. */
export interface ConsoleGroup {
  readonly id: string;
  readonly name: string;
  /** Absent for the root group. */
  readonly parentId?: string | undefined;
}

/** What the console may read and change in a sandbox. It reads the fleet like any client, through `fetch`. */
export interface ConsoleHost {
  /** The environment of its client. It stays in this process: the page gets no credentials. */
  readonly env: () => Readonly<Record<string, string>>;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly groups: () => readonly ConsoleGroup[];
  readonly requests: () => readonly RecentRequest[];
  /** Can be set only if the sandbox was created with a `RunningClock`. */
  readonly clock: (() => number) | RunningClock;
  readonly faults: {
    /** Every fault with its effect. */
    readonly known: Readonly<Record<string, string>>;
    readonly list: () => string;
    /** Throws a RangeError that quotes an invalid entry. */
    readonly set: (list: string) => void;
  };
  /** The folder of the page and its assets. */
  readonly folder: string;
}

/** Responds to the console's own requests, and ignores all others. */
export type ConsoleHandler = (request: Request) => Promise<Response | undefined>;

const FOLDER = fileURLToPath(new URL("../../dist/console-page/", import.meta.url));

/** Loads the console, which packages/console builds into dist/console-page, for the first request that asks for it. */
export function deferredConsole(host: Omit<ConsoleHost, "folder">): ConsoleHandler {
  let handler: ConsoleHandler | undefined;
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== "/" && pathname !== "/console" && !pathname.startsWith("/console/")) return undefined;
    if (!handler) {
      const { sandboxConsole } = createRequire(import.meta.url)(`${FOLDER}sandbox-console.cjs`) as {
        sandboxConsole: (host: ConsoleHost) => ConsoleHandler;
      };
      handler = sandboxConsole({ ...host, folder: FOLDER });
    }
    return handler(request);
  };
}
