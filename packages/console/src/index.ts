export type { ConsoleEvent, ConsoleEvents } from "./data/console-events.ts";
export type { ConsoleRequest } from "./data/console-status.ts";
export { createFleetConsole, type FleetConsole } from "./data/fleet-console.ts";
export { type ConsoleHandler, type ConsoleOptions, consoleHandler } from "./handler/console-handler.ts";
