export { type RunningClock, runningClock } from "./clock.ts";
export { createSandbox, type Rhythm, type Sandbox, type SandboxEnv, type SandboxOptions } from "./sandbox.ts";
export type { ConsoleHost } from "./serve.ts";
