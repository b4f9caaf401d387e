import { catalogue, type ToolDescription, toolsets } from "@fleetwire/tools";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { markdownTable } from "../../../scripts/markdown-table.ts";
import { exampleOf } from "./tool-examples.ts";

const EFFECTS = { read: "reads", update: "writes; safe to repeat", create: "writes; repeating it creates another record" };

/** The parts of a tool's JSON Schema that the page shows. */
interface InputSchema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  items?: InputSchema;
  required?: readonly string[];
  properties?: Readonly<Record<string, InputSchema>>;
  additionalProperties?: InputSchema;
}

const code = (text: string) => `\`${text}\``;

function typeOf({ type = "", items, enum: choices, properties = {}, additionalProperties }: InputSchema): string {
  if (choices) return choices.map(code).join(", ");
  if (type === "array" && items) return `list of ${typeOf(items)}`;
  const names = Object.keys(properties);
  if (names.length > 0) return `object of ${names.map(code).join(", ")}`;
  return additionalProperties?.type ? `object of ${typeOf(additionalProperties)}` : type;
}

function inputs({ properties = {}, required = [] }: InputSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    return [code(name), typeOf(schema), required.includes(name) ? "yes" : "", schema.description ?? ""];
  });
  return rows.length > 0 ? markdownTable(["input", "type", "required", ""], rows) : "No input.";
}

function calls({ operations }: ToolDescription): string {
  return operations.map(({ name, method, path, source }) => `- \`${name}\`: \`${method} ${path}\` (${source})`).join("\n");
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const setOf = ({ name }: ToolDescription) => Object.entries(toolsets).find(([, names]) => names.includes(name))?.[0] ?? "";

function section(tool: ToolDescription): string {
  const { name, title, description, effect, inputJsonSchema } = tool;
  return [
    `## ${name}`,
    `**${title}**: ${description}`,
    `Toolset: ${code(setOf(tool))}. Effect: ${EFFECTS[effect]}. Calls:`,
    calls(tool),
    inputs(inputJsonSchema as InputSchema),
    "For example:",
    `\`\`\`sh\nfleetwire-mcp call ${name} ${quoted(JSON.stringify(exampleOf(tool)))} --sandbox\n\`\`\``,
  ].join("\n\n");
}

const INTRODUCTION = `Generated from the contract and the tools by \`npm run generate\`; do not edit. A model sees each tool's name, description and inputs. A tool is listed if the
servers it calls are configured; \`FLEET_TOOLSETS\` selects toolsets, and \`fleetwire-mcp doctor\` says why a tool is not listed.`;

/** The page that documents all tools. */
export async function generate(): Promise<GeneratedFiles> {
  const overview = catalogue.map((tool) => [`[\`${tool.name}\`](#${tool.name})`, code(setOf(tool)), tool.effect, tool.title]);
  const parts = ["# Tools", INTRODUCTION, markdownTable(["tool", "toolset", "effect", ""], overview), ...catalogue.map(section)];
  return { "docs/tools.md": `${parts.join("\n\n")}\n` };
}
