import { existsSync, readFileSync } from "node:fs";
import type * as z from "zod";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { markdownTable } from "../../../scripts/markdown-table.ts";
import { errorCodeOf } from "../src/client/decode-response.ts";
import { returnsList } from "../src/client/stream-records.ts";
import { type Operation, operations } from "../src/index.ts";
import { requestFields } from "../src/operation-fields.ts";
import { separated } from "../src/plain-text.ts";
import { type Samples, samples } from "../src/samples/index.ts";
import { commentsIn, fieldDoc } from "./interfaces/doc-text.ts";
import { EFFECTS, SCHEMES } from "./interfaces/render.ts";
import { type Side, shapes, shapesWithin, typeText } from "./interfaces/type-text.ts";

const kebab = (name: string) => separated(name, "-");
const code = (text: string) => `\`${text}\``;
const either = (words: readonly string[]) => words.join(" or ");
const block = (language: string, text: string) => `\`\`\`${language}\n${text.trim()}\n\`\`\``;

/** A type as a reader needs it: the values of an enum, a link to a shape, or TypeScript. */
function typeCell(type: string): string {
  const members = type
    .replaceAll("readonly ", "")
    .split(" | ")
    .filter((member) => member !== "undefined");
  const values = members.filter((member) => member.startsWith('"'));
  if (values.length > 0)
    return [...values.map((value) => code(value.slice(1, -1))), ...(members.length > values.length ? ["or another"] : [])].join(", ");
  const [, shape = "", list = ""] = /^(\w+)(\[\])?$/.exec(members.join(" | ")) ?? [];
  return shapes.has(shape) ? `${list && "list of "}[${shape}](#${shape.toLowerCase()})` : code(members.join(" | "));
}

function fieldTable(fields: Readonly<Record<string, z.core.$ZodType>>, side: Side): string {
  const rows = Object.entries(fields).map(([name, schema]) => {
    const type = typeText(schema, side);
    const required = side === "input" && !/ \| undefined$/.test(type) ? ["required"] : [];
    const doc = fieldDoc(schema).map((text) => text.replace("@deprecated ", ""));
    return [code(name), typeCell(type), [...new Set([...required.map((word) => `${word}:`), ...doc])].join(" ")];
  });
  return markdownTable(["field", "type", ""], rows);
}

/** The names of the shapes within a request. */
const requestShapes = (operation: Operation) => Object.values(requestFields(operation)).flatMap(({ schema }) => shapesWithin(schema));

/** A section for each shape, with its fields. */
function shapeSections(names: readonly string[], side: Side): string[] {
  const comments = commentsIn(new URL("../src/schemas/", import.meta.url));
  return [...new Set(names)].flatMap((name) => [`### ${name}`, comments.get(name) ?? "", fieldTable(shapes.get(name)?.shape ?? {}, side)]);
}

function inputSection(operation: Operation): string[] {
  const schemas = Object.fromEntries(Object.entries(requestFields(operation)).map(([name, { schema }]) => [name, schema]));
  if (Object.keys(schemas).length === 0) return ["## Input", "None."];
  return ["## Input", fieldTable(schemas, "input"), ...shapeSections(requestShapes(operation), "input")];
}

function outputSection(operation: Operation): string[] {
  const { output, name, undocumented, idempotencyKey } = operation;
  const sample = block("json", JSON.stringify(samples[name as keyof Samples].output, null, 2));
  const inferred = idempotencyKey ? " and `inferred`, if a response was lost ([more](../client.md#creating-a-job))" : "";
  const type = undocumented ? "What the service sends, unchecked." : `${typeCell(typeText(output, "output"))}${inferred}.`;
  // Those of the request are above.
  const names = shapesWithin(output).filter((shape) => !requestShapes(operation).includes(shape));
  return [
    "## Output",
    `${type} ${undocumented ? "It might be:" : "Every field may be absent. For example:"}`,
    sample,
    ...shapeSections(names, "output"),
  ];
}

function errorSection({ errors = {}, idempotencyKey }: Operation): string[] {
  const rows = Object.entries(errors).map(([status, { when, advice }]) => [
    code(errorCodeOf(Number(status))),
    status,
    when.join("; "),
    advice,
  ]);
  const key = idempotencyKey ? ` Every error after the first request has the \`${idempotencyKey.field}\` that was sent.` : "";
  const others = `Any${rows.length > 0 ? " other" : ""} [error code](../troubleshooting.md#error-codes) can occur; \`input\` occurs before anything is sent.${key}`;
  return ["## Errors", ...(rows.length > 0 ? [markdownTable(["code", "status", "when", "what to do"], rows)] : []), others];
}

function variants({ name, paging }: Operation): string {
  const more = paging
    ? ` \`${name}.iterate(input)\` yields the records of all pages, \`${name}.pages(input)\` the pages.`
    : returnsList(operations[name as keyof typeof operations])
      ? ` \`${name}.iterate(input)\` streams the records.`
      : "";
  return `\`${name}.withMetadata(input)\` also returns status, attempts and duration.${more}`;
}

function page(operation: Operation): string {
  const { name, summary, source, method, path, servers, auth, effect, undocumented, tool } = operation;
  const program = new URL(`../examples/operations/${kebab(name)}.ts`, import.meta.url);
  if (!existsSync(program)) throw new Error(`${name} has no example: write packages/core/examples/operations/${kebab(name)}.ts`);
  const example = readFileSync(program, "utf8");
  const facts = [
    ["request", code(`${method} ${path}`)],
    ["server", servers.map((server) => code(`servers.${server}`)).join(", or if that is not set ")],
    ["credentials", either(auth.map((scheme) => SCHEMES[scheme]))],
    ["effect", EFFECTS[effect]],
    ["described in", `${source}${undocumented ? ", which gives only the path" : ""}`],
    ["types", `${code("FleetClient")}, ${code(`${name.charAt(0).toUpperCase()}${name.slice(1)}Input`)}`],
    ["import alone", code(`@fleetwire/core/operations/${kebab(name)}`)],
    ...(tool ? [["tool", `[${code(kebab(name).replaceAll("-", "_"))}](../tools.md#${kebab(name).replaceAll("-", "_")})`]] : []),
  ];
  const parts = [
    `<!-- Generated by npm run generate. Change the operation, its schemas or packages/core/examples/operations instead. -->`,
    `# ${name}`,
    `${summary}.`,
    markdownTable(["", ""], facts),
    "## Example",
    "This program [runs as it is](../client.md#get-started), with your [settings](../settings.md#connection) or those of the [sandbox](../../packages/sandbox/README.md#start-it) in the environment:",
    block("ts", example),
    variants(operation),
    ...inputSection(operation),
    ...outputSection(operation),
    ...errorSection(operation),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** A page for each operation of the client. */
export async function generate(): Promise<GeneratedFiles> {
  return Object.fromEntries(
    Object.values<Operation>(operations).map((operation) => [`docs/operations/${kebab(operation.name)}.md`, page(operation)]),
  );
}
