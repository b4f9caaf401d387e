import { FleetError, missingServers, serverVariables } from "@fleetwire/core";
import { tools, toolsets } from "./catalogue/index.ts";
import type { Tool } from "./tool.ts";
import type { FleetToolsConfig } from "./tools-config.ts";

export type Availability = { tool: Tool } & ({ available: true } | { available: false; why: string });

function missingVariables({ operations }: Tool, config: FleetToolsConfig): string[] {
  const servers = new Set(operations.flatMap((operation) => missingServers(operation, config)));
  return [...servers].map((server) => serverVariables[server]);
}

const answersTo = ({ name, aliases = [] }: Tool, called: string) => name === called || aliases.includes(called);

/** Refuses a choice of tools that names none. */
function checkChoice({ tools: chosen = [], toolsets: sets = [] }: FleetToolsConfig): void {
  const noTool = chosen.filter((name) => !tools.some((tool) => answersTo(tool, name)));
  const noSet = sets.filter((name) => !Object.hasOwn(toolsets, name));
  const problems = [
    ...noTool.map((name) => `FLEET_TOOLS: there is no tool ${name}`),
    ...noSet.map((name) => `FLEET_TOOLSETS: there is no set ${name}`),
  ];
  if (problems.length === 0) return;
  throw new FleetError("config", `configuration: ${problems.join("; ")}`, {
    advice: `Tools: ${tools.map(({ name }) => name).join(", ")}. Sets: ${Object.keys(toolsets).join(", ")}`,
  });
}

function whyNot(tool: Tool, config: FleetToolsConfig): string | undefined {
  const { tools: chosen, toolsets: sets } = config;
  const inSet = sets?.some((set) => toolsets[set]?.includes(tool)) ?? false;
  const named = chosen?.some((name) => answersTo(tool, name)) ?? false;
  if ((chosen !== undefined || sets !== undefined) && !inSet && !named) return "not chosen by FLEET_TOOLS or FLEET_TOOLSETS";
  if (tool.effect !== "read" && config.readOnly) return "writes, and FLEET_READ_ONLY is set";
  const missing = missingVariables(tool, config);
  return missing.length > 0 ? `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set` : undefined;
}

/** Every tool, and why those are missing that cannot be called under a configuration. */
export function toolAvailability(config: FleetToolsConfig): Availability[] {
  checkChoice(config);
  return tools.map((tool) => {
    const why = whyNot(tool, config);
    return why === undefined ? { tool, available: true } : { tool, available: false, why };
  });
}

/** The tools that can be called under a configuration: chosen, with their servers configured, and none that writes in read-only mode. */
export function availableTools(config: FleetToolsConfig): Tool[] {
  return toolAvailability(config).flatMap(({ tool, available }) => (available ? [tool] : []));
}

/** The available tool that a name calls, an older name included. */
export function toolCalled(name: string, available: readonly Tool[]): Tool | undefined {
  return available.find((tool) => answersTo(tool, name));
}
