export { type RunningClock, runningClock } from "./clock.ts";
export type { ConsoleGroup, ConsoleHandler, ConsoleHost } from "./console/console-host.ts";
export type { RecentRequest } from "./console/recent-requests.ts";
export {
  createSandbox,
  type RequestLogEntry,
  type Rhythm,
  type Sandbox,
  type SandboxAddress,
  type SandboxCustomer,
  type SandboxEnv,
  type SandboxOptions,
} from "./sandbox.ts";
export type { DuplicateJobs } from "./service/handler.ts";
