export { createFleetConsole, type FleetConsole } from "./data/fleet-console.ts";
export type { ConsoleEvent, ConsoleEvents, ConsoleRequest } from "./data/page-data.ts";
export { consoleHandler } from "./handler/console-handler.ts";
