import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { ResponseEvent } from "@fleetwire/core";
import type { ConsoleHandler, ConsoleOptions, ConsoleRequest, FleetConsole } from "@fleetwire/tools/console";
import type { ServerConfig } from "../server-config.ts";

/** The path of the console's page; its assets and what it reads are below. */
export const CONSOLE_PATH = "/console";

const FOLDER = fileURLToPath(new URL("../../dist/console-page/", import.meta.url));
const KEPT = 200;
const LEAST_REFRESH_MS = 1_000;

/** The latest requests to the service, for the console. They contain no arguments. */
export interface RecentRequests {
  add: (event: ResponseEvent) => void;
  list: () => readonly ConsoleRequest[];
}

export function recentRequests(): RecentRequests {
  const kept: ConsoleRequest[] = [];
  let id = 0;
  return {
    add: ({ operation, status = 0, failure, duration: ms }) => {
      kept.push({ id: ++id, at: Date.now(), operation, status, failure, ms });
      if (kept.length > KEPT) kept.shift();
    },
    list: () => kept,
  };
}

interface FleetPage {
  /** What the process's own tools see of the fleet. */
  fleet: () => Promise<FleetConsole>;
  requests: RecentRequests;
  config: Pick<ServerConfig, "snapshotSeconds" | "sandbox">;
}

/** Serves the console of a real fleet, read-only. Its files, which packages/map builds into dist/console-page, are loaded for the first request. */
export function deferredConsole({ fleet, requests, config }: FleetPage): ConsoleHandler {
  let handler: ConsoleHandler | undefined;
  return (request) => {
    if (!handler) {
      const { consoleHandler } = createRequire(import.meta.url)(`${FOLDER}console-handler.cjs`) as {
        consoleHandler: (options: ConsoleOptions) => ConsoleHandler;
      };
      handler = consoleHandler({
        home: CONSOLE_PATH,
        folder: FOLDER,
        fleet,
        about: { kind: config.sandbox ? "sandbox" : "fleet", refreshMs: Math.max(LEAST_REFRESH_MS, config.snapshotSeconds * 1000) },
        status: () => ({ now: Date.now(), groups: [], requests: requests.list() }),
      });
    }
    return handler(request);
  };
}
