export { type RunningClock, runningClock } from "./clock.ts";
export type { ConsoleHost } from "./console.ts";
export {
  createSandbox,
  type Rhythm,
  type Sandbox,
  type SandboxEnv,
  type SandboxOptions,
} from "./sandbox.ts";
