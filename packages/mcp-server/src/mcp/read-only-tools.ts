import { instructionsFor } from "@fleetwire/tools/host";
import type { ServerConfig } from "../server-config.ts";
import type { ServedTools } from "./served-tools.ts";

/** Leaves out the tools that write, for callers who may only read. They share the live view and the cache with callers who may write. */
export function readOnlyTools(tools: ServedTools, config: ServerConfig): ServedTools {
  const reads = tools.tools.filter(({ effect }) => effect === "read");
  return {
    ...tools,
    tools: reads,
    byName: new Map(reads.map((tool) => [tool.name, tool])),
    instructions: instructionsFor(reads, config),
    withheld: tools.tools.filter(({ effect }) => effect !== "read"),
  };
}
