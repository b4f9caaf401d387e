import { type DeploymentProfile, FleetError } from "@fleetwire/core";
import { checkedArguments } from "./arguments/checked-arguments.ts";
import { availabilityOf } from "./availability.ts";
import type { SchemaIssue, ToolDescription, ToolSchema } from "./model/fleet-tool.ts";
import type { FleetToolsConfig } from "./model/settings.ts";
import { withObserved } from "./query/undocumented-list.ts";
import { toolsets as standard, tools } from "./tools/index.ts";
import type { Tool } from "./writes/write-tool.ts";

function issuesOf(error: unknown): SchemaIssue[] {
  if (!(error instanceof FleetError)) return [{ message: "the value cannot be read" }];
  const issues = error.errors.map(({ errorMessage = "is not allowed", offendingFields = [] }): SchemaIssue => {
    const [field] = offendingFields;
    return field ? { message: `${field}: ${errorMessage}`, path: field.split(".") } : { message: errorMessage };
  });
  return issues.length > 0 ? issues : [{ message: error.message }];
}

function schemaOf(tool: Tool): ToolSchema {
  const copy = () => structuredClone(tool.inputSchema);
  return {
    "~standard": {
      version: 1,
      vendor: "fleetwire",
      validate: (value) => {
        try {
          return { value: checkedArguments(tool, value) };
        } catch (error) {
          return { issues: issuesOf(error) };
        }
      },
      jsonSchema: { input: copy, output: copy },
    },
  };
}

function describeTool(tool: Tool): ToolDescription {
  const { name, aliases = [], title, description, effect, operations, inputSchema, outputSchema } = tool;
  return {
    name,
    aliases,
    title,
    description,
    effect,
    annotations: { readOnly: effect === "read", destructive: effect === "update", idempotent: effect !== "create", openWorld: true },
    operations,
    inputSchema: schemaOf(tool),
    inputJsonSchema: inputSchema,
    outputJsonSchema: outputSchema,
  };
}

const descriptions = new Map(tools.map((tool) => [tool, describeTool(tool)]));

/** The public description of a tool, with what a profile observed of its fields. */
export function descriptionOf(tool: Tool, profile?: DeploymentProfile): ToolDescription {
  const inputSchema = withObserved(tool.inputSchema, tool, profile);
  return (inputSchema === tool.inputSchema && descriptions.get(tool)) || describeTool({ ...tool, inputSchema });
}

/** Every tool, available or not, in the order in which models see them. */
export const catalogue: readonly ToolDescription[] = [...descriptions.values()];

/** The names of the tools in each toolset. */
export const toolsets: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(standard).map(([set, members]) => [set, members.map(({ name }) => name)]),
);

/** Whether a tool is available with a configuration and, if not, why. */
export type Availability = { tool: ToolDescription } & ({ available: true } | { available: false; reason: string });

/** Returns every tool, and whether it is available with a configuration. */
export function toolAvailability(config: FleetToolsConfig): Availability[] {
  return availabilityOf(config, standard).map(({ tool, reason }) => ({
    tool: descriptionOf(tool),
    ...(reason === undefined ? { available: true } : { available: false, reason }),
  }));
}
