import { fileURLToPath } from "node:url";
import type { ConsoleEvents, ConsoleRequest } from "@fleetwire/console";
import type { FleetTools } from "@fleetwire/tools";
import { type ServerConfig, tilesSource } from "../server-config.ts";
import { CONSOLE_PATH } from "./access.ts";
import type { FleetPage, PageHandler } from "./fleet.ts";

const FOLDER = fileURLToPath(new URL("../../dist/console-page/", import.meta.url));
const KEPT_REQUESTS = 200;
const LEAST_REFRESH_MS = 1_000;

/**
 * Serves the console of a fleet, read-only, under these host names besides those of this machine. It shows what the process's own tools see. It is loaded for the first request, from the bundle: only
 * the command line serves it, since packages/console is not published.
 */
export function deferredConsole(
  tools: () => Pick<FleetTools, "tools">,
  { sandbox, snapshotSeconds, tilesUrl }: ServerConfig,
  { hosts, events }: { hosts?: readonly string[]; events?: { read: () => Promise<ConsoleEvents>; end: () => void } | undefined } = {},
): FleetPage {
  const requests: ConsoleRequest[] = [];
  const load = async (): Promise<PageHandler> => {
    const { consoleHandler, createFleetConsole } = await import("@fleetwire/console");
    return consoleHandler({
      home: CONSOLE_PATH,
      folder: FOLDER,
      hosts,
      fleet: () => createFleetConsole(tools()),
      about: { kind: sandbox ? "sandbox" : "fleet", refreshMs: Math.max(LEAST_REFRESH_MS, snapshotSeconds * 1000) },
      tiles: tilesUrl === undefined ? undefined : { url: tilesUrl, source: tilesSource(tilesUrl) },
      status: () => ({ now: Date.now(), groups: [], requests }),
      events: events?.read,
    });
  };
  let handler: Promise<PageHandler> | undefined;
  let id = 0;
  return {
    endEvents: events?.end,
    hooks: {
      onResponse: ({ operation, status = 0, failure, duration: ms }) => {
        requests.push({ id: ++id, at: Date.now(), operation, status, failure, ms });
        if (requests.length > KEPT_REQUESTS) requests.shift();
      },
    },
    handler: async (request) => {
      handler ??= load();
      return (await handler)(request);
    },
  };
}
