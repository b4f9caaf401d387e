export { type RunningClock, runningClock } from "./clock.ts";
export type { ConsoleGroup, ConsoleHandler, ConsoleHost, RecentRequest } from "./console/console-host.ts";
export {
  createSandbox,
  type Rhythm,
  type Sandbox,
  type SandboxEnv,
  type SandboxOptions,
} from "./sandbox.ts";
