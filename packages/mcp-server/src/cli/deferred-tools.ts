import type { FleetToolResult } from "@fleetwire/tools";
import { availabilityOf, instructionsFor, withObserved } from "@fleetwire/tools/host";
import type { ServedTools } from "../mcp/served-tools.ts";
import type { ServerConfig } from "../server-config.ts";
import { toolDefinitions } from "./start-data.ts";

/** Serves the tools' descriptions immediately, and loads the tools themselves on first use: a host may start a server that it never calls. */
export function deferredTools(config: ServerConfig, load: () => Promise<ServedTools>): ServedTools {
  const all = availabilityOf(config, toolDefinitions);
  const available = all.flatMap(({ tool, reason }) => (reason === undefined ? [tool] : []));
  let loaded: Promise<ServedTools> | undefined;
  const loadOnce = () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  return {
    tools: available.map((tool) => ({
      ...tool,
      inputJsonSchema: withObserved(tool.inputJsonSchema, tool, config.profile),
      execute: async (args, options): Promise<FleetToolResult> => {
        const { tools } = await loadOnce();
        const found = tools.find(({ name }) => name === tool.name);
        if (!found) throw new TypeError(`${tool.name} is listed but not available`);
        return found.execute(args, options);
      },
    })),
    unavailable: all.flatMap(({ tool, reason }) => (reason === undefined ? [] : [{ ...tool, reason }])),
    byName: new Map(available.map((tool) => [tool.name, tool])),
    instructions: instructionsFor(available, config),
    completeNames: async (kind, typed) => (await loadOnce()).completeNames(kind, typed),
    readVehicle: async (query, options) => (await loadOnce()).readVehicle(query, options),
    readEvents: async (callerId, options) => (await loadOnce()).readEvents(callerId, options),
    readMap: async (asked, options) => (await loadOnce()).readMap(asked, options),
    watchVehicle: async (query, onChange, options) => (await loadOnce()).watchVehicle(query, onChange, options),
    watchEvents: async (callerId, onChange, options) => (await loadOnce()).watchEvents(callerId, onChange, options),
    // Without tools, there are no writes.
    writesSettled: async () => (await loaded?.catch(() => undefined))?.writesSettled(),
  };
}
