import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { CallHooks } from "@fleetwire/core";
import type { ConsoleHandler, ConsoleOptions, ConsoleRequest, FleetConsole } from "@fleetwire/tools/console";
import type { ServerConfig } from "../server-config.ts";
import { CONSOLE_PATH } from "./access.ts";

const FOLDER = fileURLToPath(new URL("../../dist/console-page/", import.meta.url));
const KEPT = 200;
const LEAST_REFRESH_MS = 1_000;

/** The console of one fleet. */
export interface FleetPage {
  handler: ConsoleHandler;
  /** Record the client's requests to the service, without their arguments. */
  hooks: CallHooks;
}

/**
 * Serves the console of a real fleet, read-only. It shows what the process's own tools see. Its files, which packages/map builds into
 * dist/console-page, are loaded for the first request.
 */
export function deferredConsole(fleet: () => Promise<FleetConsole>, { sandbox, snapshotSeconds }: ServerConfig): FleetPage {
  const requests: ConsoleRequest[] = [];
  let handler: ConsoleHandler | undefined;
  let id = 0;
  return {
    hooks: {
      onResponse: ({ operation, status = 0, failure, duration: ms }) => {
        requests.push({ id: ++id, at: Date.now(), operation, status, failure, ms });
        if (requests.length > KEPT) requests.shift();
      },
    },
    handler: (request) => {
      if (!handler) {
        const { consoleHandler } = createRequire(import.meta.url)(`${FOLDER}console-handler.cjs`) as {
          consoleHandler: (options: ConsoleOptions) => ConsoleHandler;
        };
        handler = consoleHandler({
          home: CONSOLE_PATH,
          folder: FOLDER,
          fleet,
          about: { kind: sandbox ? "sandbox" : "fleet", refreshMs: Math.max(LEAST_REFRESH_MS, snapshotSeconds * 1000) },
          status: () => ({ now: Date.now(), groups: [], requests }),
        });
      }
      return handler(request);
    },
  };
}
