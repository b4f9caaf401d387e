import { FleetError, missingServers, serverVariables } from "@fleetwire/core";
import { toolsets as standard, type Toolsets, tools } from "./catalogue/index.ts";
import { describeTool } from "./describe-tool.ts";
import type { ToolDescription } from "./fleet-tool.ts";
import { singleLine } from "./results/clip-values.ts";
import type { Tool } from "./tool.ts";
import type { FleetToolsConfig } from "./tools-config.ts";

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

function missingVariables({ operations }: Tool, config: FleetToolsConfig): string[] {
  const servers = new Set(operations.flatMap((operation) => missingServers(operation, config)));
  return [...servers].map((server) => serverVariables[server]);
}

/** Whether a name or alias refers to a tool. */
export const matchesName = ({ name, aliases = [] }: Pick<Tool, "name" | "aliases">, called: string) =>
  name === called || aliases.includes(called);

/** Throws if the configuration names a tool or toolset that does not exist. */
function checkChoice({ tools: chosen = [], toolsets: chosenSets = [] }: FleetToolsConfig, sets: Toolsets): void {
  const tools = Object.values(sets).flat();
  const noTool = chosen.filter((name) => !tools.some((tool) => matchesName(tool, name)));
  const noSet = chosenSets.filter((name) => !Object.hasOwn(sets, name));
  const problems = [
    ...noTool.map((name) => `FLEET_TOOLS: there is no tool ${name}`),
    ...noSet.map((name) => `FLEET_TOOLSETS: there is no toolset ${name}`),
  ];
  if (problems.length === 0) return;
  throw new FleetError("config", `configuration: ${problems.join("; ")}`, {
    advice: `Tools: ${tools.map(({ name }) => name).join(", ")}. Toolsets: ${Object.keys(sets).join(", ")}`,
  });
}

function unavailableReason(tool: Tool, config: FleetToolsConfig, sets: Toolsets): string | undefined {
  const { tools: chosen, toolsets: chosenSets } = config;
  const inSet = chosenSets?.some((set) => sets[set]?.includes(tool)) ?? false;
  const named = chosen?.some((name) => matchesName(tool, name)) ?? false;
  if ((chosen !== undefined || chosenSets !== undefined) && !inSet && !named) return "not selected by FLEET_TOOLS or FLEET_TOOLSETS";
  if (tool.effect !== "read" && config.readOnly) return "it writes, and FLEET_READ_ONLY is set";
  const missing = missingVariables(tool, config);
  return missing.length > 0 ? `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set` : undefined;
}

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

/** Returns the tools available with a configuration: those selected whose servers are configured, except write tools in read-only mode. */
export function availableTools(config: FleetToolsConfig, sets: Toolsets = standard): Tool[] {
  checkChoice(config, sets);
  return Object.values(sets).flatMap((members) => members.filter((tool) => unavailableReason(tool, config, sets) === undefined));
}

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
