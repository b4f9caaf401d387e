// Writes docs/tools.md from the contract and the tools; `--check [FILE]` compares instead and fails where they differ.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { catalogue, toolsets } from "@fleetwire/tools";
import { exampleOf } from "./tool-examples.mjs";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

const EFFECTS = { read: "reads", update: "writes; repeating it changes nothing more", create: "writes; repeating it makes another one" };

/** Rows as a Markdown table with columns of equal width, as the formatter would have it. */
function table(head, rows) {
  const lines = [head, head.map(() => "-"), ...rows.map((row) => row.map((cell) => String(cell).replaceAll("|", "\\|")))];
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)));
  return lines
    .map((line, at) => `| ${line.map((cell, column) => cell.padEnd(widths[column], at === 1 ? "-" : " ")).join(" | ")} |`)
    .join("\n");
}

function typeOf({ type, items, enum: choices, properties, additionalProperties }) {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(", ");
  if (type === "array") return `list of ${typeOf(items)}`;
  if (properties && Object.keys(properties).length > 0)
    return `object of ${Object.keys(properties)
      .map((name) => `\`${name}\``)
      .join(", ")}`;
  return additionalProperties?.type ? `object of ${typeOf(additionalProperties)}` : type;
}

function inputs({ properties, required = [] }) {
  const rows = Object.entries(properties).map(([name, schema]) => {
    return [`\`${name}\``, typeOf(schema), required.includes(name) ? "yes" : "", schema.description];
  });
  return rows.length > 0 ? table(["input", "type", "required", ""], rows) : "It takes no input.";
}

function calls({ operations }) {
  return operations.map(({ name, method, path, source }) => `- \`${name}\`: \`${method} ${path}\` (${source})`).join("\n");
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function section(set, tool) {
  const { name, title, description, effect, inputJsonSchema } = tool;
  return [
    `## ${name}`,
    `**${title}**: ${description}`,
    `Set: \`${set}\`. Effect: ${EFFECTS[effect]}. Calls:`,
    calls(tool),
    inputs(inputJsonSchema),
    "For example:",
    `\`\`\`sh\nfleetwire-mcp call ${name} ${quoted(JSON.stringify(exampleOf(tool)))} --sandbox\n\`\`\``,
  ].join("\n\n");
}

const all = catalogue.map((tool) => ({ set: Object.keys(toolsets).find((name) => toolsets[name].includes(tool.name)), tool }));
const overview = all.map(({ set, tool }) => [`[\`${tool.name}\`](#${tool.name})`, `\`${set}\``, tool.effect, tool.title]);
const text = `${[
  "# Tools",
  [
    "Written from the contract and the tools by `npm run docs`; change them there. What a model sees of each is its name, its description and its inputs. A",
    "tool is listed where what it calls is configured; `FLEET_TOOLSETS` chooses by set, and `fleetwire-mcp doctor` says why one is not listed.",
  ].join("\n"),
  table(["tool", "set", "effect", ""], overview),
  ...all.map(({ set, tool }) => section(set, tool)),
].join("\n\n")}\n`;

const [check, target = file("../../../docs/tools.md")] = process.argv.slice(2);
if (check !== "--check") {
  writeFileSync(target, text);
} else if (readFileSync(target, "utf8") !== text) {
  process.stderr.write(`${target} is not what the tools say: npm run docs writes it anew\n`);
  process.exitCode = 1;
}
