import { FleetError } from "@fleetwire/core";
import { checkChoice, matchesName, selectTools, unavailableReason } from "./availability.ts";
import { describeTool } from "./describe-tool.ts";
import type { ToolDescription } from "./model/fleet-tool.ts";
import type { FleetToolsConfig } from "./model/settings.ts";
import { singleLine } from "./text/clip-values.ts";
import { toolsets as standard, type Toolsets, tools } from "./tools/index.ts";
import type { Tool } from "./writes/write-tool.ts";

const MAX_NAME_LENGTH = 64;

/** Whether a tool is available with a configuration and, if not, why. */
export type Availability = { tool: ToolDescription } & ({ available: true } | { available: false; reason: string });

const descriptions = new Map(tools.map((tool) => [tool, describeTool(tool)]));

/** Every tool, available or not, in the order in which models see them. */
export const catalogue: readonly ToolDescription[] = [...descriptions.values()];

/** The names of the tools in each toolset. */
export const toolsets: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(standard).map(([set, members]) => [set, members.map(({ name }) => name)]),
);

/** The public description of a tool. */
export const descriptionOf = (tool: Tool): ToolDescription => descriptions.get(tool) ?? describeTool(tool);

function availabilityOf(sets: Toolsets, config: FleetToolsConfig): Availability[] {
  checkChoice(config, sets);
  return Object.values(sets).flatMap((members) =>
    members.map((tool) => {
      const [reason, described] = [unavailableReason(tool, config, sets), descriptionOf(tool)];
      return reason === undefined ? { tool: described, available: true } : { tool: described, available: false, reason };
    }),
  );
}

/** Returns every tool, and whether it is available with a configuration. */
export function toolAvailability(config: FleetToolsConfig): Availability[] {
  return availabilityOf(standard, config);
}

/** Returns the tools available with a configuration. */
export const availableTools = (config: FleetToolsConfig, sets: Toolsets = standard): Tool[] => selectTools(config, sets);

/** The error for a name that refers to no available tool. It lists the available tools. */
export function noSuchTool(name: string, config: FleetToolsConfig, sets: Toolsets): FleetError {
  const known = availabilityOf(sets, config).find(({ tool }) => matchesName(tool, name));
  const shown = singleLine(typeof name === "string" ? name : `that is a ${typeof name}`, MAX_NAME_LENGTH);
  const problem = known && !known.available ? `${shown} is not available: ${known.reason}` : `there is no tool ${shown}`;
  const available = availableTools(config, sets).map((tool) => tool.name);
  return new FleetError("input", `${problem}; available: ${available.join(", ")}`, { advice: "Call one of these" });
}

/** Finds an available tool by its name or alias. */
export function toolCalled(name: string, available: readonly Tool[]): Tool | undefined {
  return available.find((tool) => matchesName(tool, name));
}
