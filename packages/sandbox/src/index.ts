export { type RunningClock, runningClock } from "./clock.ts";
export type { ConsoleGroup, ConsoleHandler, ConsoleHost, RecentRequest } from "./console/console-host.ts";
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
