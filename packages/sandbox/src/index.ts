export {
  createSandbox,
  type Listening,
  type RequestLogEntry,
  type Sandbox,
  type SandboxCustomer,
  type SandboxEnv,
  type SandboxOptions,
} from "./sandbox.ts";
export type { DuplicateJobs } from "./service/handler.ts";
