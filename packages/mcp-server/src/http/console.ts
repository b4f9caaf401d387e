import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { ConsoleHandler, ConsoleOptions, FleetConsole } from "@fleetwire/tools/console";
import type { ServerConfig } from "../server-config.ts";
import { CONSOLE_PATH } from "./app.ts";
import type { RecentRequests } from "./recent-requests.ts";

const FOLDER = fileURLToPath(new URL("../../dist/console-page/", import.meta.url));
const LEAST_REFRESH_MS = 1_000;

/** What the console shows. */
export interface FleetPage {
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
