import { toolAvailability } from "@fleetwire/tools";
import { serverConfigFromEnv } from "../server-config.ts";
import { notify } from "./print.ts";
import { type CommandOptions, failConfiguration, openRuntime, type Runtime } from "./runtime.ts";

/** Reads a verb's configuration, and exits the process if it is invalid. */
export async function open(options: CommandOptions): Promise<Runtime> {
  try {
    const runtime = await openRuntime(options, process.env, serverConfigFromEnv);
    try {
      toolAvailability(runtime.config);
    } catch (error) {
      await runtime.close();
      throw error;
    }
    for (const notice of runtime.notices) notify(notice);
    return runtime;
  } catch (error) {
    return failConfiguration(error);
  }
}
