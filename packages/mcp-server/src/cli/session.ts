import { toolAvailability } from "@fleetwire/tools";
import { serverConfigFromEnv } from "../server-config.ts";
import { type CommandOptions, openRuntime, type Runtime } from "./runtime.ts";

/** Reads a verb's configuration, and exits the process if it is invalid. */
export const open = (options: CommandOptions): Promise<Runtime> =>
  openRuntime(options, (env) => {
    const config = serverConfigFromEnv(env);
    toolAvailability(config);
    return config;
  });
