// For programs that show the fleet to people, such as a console: masked like everything that the tools see, but without a token budget.
export type { PositionChanges } from "./console/changed-positions.ts";
export type { ConsoleJob } from "./console/console-jobs.ts";
export type {
  ConsoleAbout,
  ConsoleGroup,
  ConsoleHandler,
  ConsoleOptions,
  ConsoleRequest,
  ConsoleStatus,
} from "./console/console-page.ts";
export type { Section } from "./console/console-section.ts";
export type { DayActivity, DriverDay } from "./console/driver-day.ts";
export {
  type ConsoleFleet,
  type ConsoleSearch,
  type ConsoleVehicle,
  createFleetConsole,
  type FleetConsole,
} from "./console/fleet-console.ts";
