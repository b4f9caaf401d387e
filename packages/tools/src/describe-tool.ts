import { FleetError } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import { checkedArguments } from "./arguments/checked-arguments.ts";
import type { ToolAnnotations, ToolDescription } from "./model/fleet-tool.ts";
import { toolSchema } from "./model/tool-schema.ts";
import type { Tool } from "./writes/write-tool.ts";

const annotationsOf = ({ effect }: Tool): ToolAnnotations => ({
  readOnly: effect === "read",
  destructive: effect === "update",
  idempotent: effect !== "create",
  openWorld: true,
});

/** Checks only required fields: other fields are passed through as the service sends them. */
function checkedRecord({ name, outputSchema }: Tool, value: unknown): Record<string, unknown> {
  const record = isRecord(value) ? value : undefined;
  const { required = [] } = outputSchema as { required?: readonly string[] };
  const absent = record === undefined ? [] : required.filter((field) => record[field] === undefined);
  if (record !== undefined && absent.length === 0) return record;
  throw new FleetError(
    "contract",
    `${name}: ${record === undefined ? "the result is not a record" : `the result has no ${absent.join(", ")}`}`,
  );
}

/** The public description of a tool. */
export function describeTool(tool: Tool): ToolDescription {
  const { name, aliases = [], title, description, effect, operations, inputSchema, outputSchema } = tool;
  return {
    name,
    aliases,
    title,
    description,
    effect,
    annotations: annotationsOf(tool),
    operations,
    inputSchema: toolSchema(inputSchema, (value) => checkedArguments(tool, value)),
    inputJsonSchema: inputSchema,
    outputSchema: toolSchema(outputSchema, (value) => checkedRecord(tool, value)),
    outputJsonSchema: outputSchema,
  };
}
