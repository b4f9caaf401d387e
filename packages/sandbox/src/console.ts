import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { RunningClock } from "./clock.ts";

/** What the console may read and change in a sandbox. It reads the fleet like any client, through `fetch`. */
export interface ConsoleHost {
  /** The environment of its client. It stays in this process: the page gets no credentials. */
  readonly env: () => Readonly<Record<string, string>>;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The groups, the root without a parent; the interface itself has no operation that reads them. */
  readonly groups: () => readonly { readonly id: string; readonly name: string; readonly parentId?: string | undefined }[];
  /** The latest requests, oldest first. */
  readonly requests: () => readonly {
    /** Counts from 1. */
    readonly id: number;
    /** When the response began, in epoch ms of the real clock. */
    readonly at: number;
    /** Name of the operation; undefined for a path without one. */
    readonly operation: string | undefined;
    /** Without the query. */
    readonly path: string;
    /** 0 if a fault reset the connection. */
    readonly status: number;
    /** Time to the start of the response. */
    readonly ms: number;
    /** The name of the client in its User-Agent header. */
    readonly client: string | undefined;
  }[];
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
type ConsoleHandler = (request: Request) => Promise<Response | undefined>;

const FOLDER = fileURLToPath(new URL("../dist/console-page/", import.meta.url));

/** Loads the console, which packages/console builds into dist/console-page, for the first request that asks for it. */
export function deferredConsole(host: Omit<ConsoleHost, "folder">): ConsoleHandler {
  let handler: ConsoleHandler | undefined;
  return async (request) => {
    if (!/^\/(?:console(?:\/.*)?)?$/.test(new URL(request.url).pathname)) return undefined;
    handler ??= createRequire(import.meta.url)(`${FOLDER}sandbox-console.cjs`).sandboxConsole({
      ...host,
      folder: FOLDER,
    }) as ConsoleHandler;
    return handler(request);
  };
}
