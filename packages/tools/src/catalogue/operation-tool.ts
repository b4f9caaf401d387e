import type { Operation } from "@fleetwire/core";
import * as z from "zod";
import { toolInput, writeArguments } from "../arguments/tool-input.ts";
import type { Rendering } from "../results/tool-result.ts";
import type { PlannedWrite, ReadTool, SentWrite, ToolContext, WriteTool } from "../tool.ts";

interface OperationTexts {
  /** Arguments that the tool has beside the operation's input. */
  arguments?: Readonly<Record<string, z.ZodType>>;
  /** What a model is told of a field, where the contract says more than it needs: each word is paid for on every turn. */
  hints?: Readonly<Record<string, string>>;
  /** Fields of the operation that are taken, but not shown to a model: another argument says the same as people do. */
  unlisted?: readonly string[];
  /** What is taken in the place of an argument that is shown otherwise. */
  accepts?: Readonly<Record<string, z.ZodType>>;
  outputSchema: Record<string, unknown>;
}

interface ReadSpec extends OperationTexts {
  // biome-ignore lint/suspicious/noExplicitAny: each tool names the arguments it takes; they were checked against its own schema
  run: (args: any, context: ToolContext) => Promise<Rendering>;
}

interface WriteSpec extends OperationTexts {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  plan: (args: any, context: ToolContext) => Promise<PlannedWrite>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  send: (input: any, context: ToolContext, unchecked?: readonly string[]) => Promise<SentWrite>;
}

/** `listLivePositions` as a tool is `list_live_positions`. */
export function toolNameOf(operationName: string): string {
  return operationName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Name, texts and input of an operation's tool come from the contract. */
function toolTexts(operation: Operation, { arguments: more, hints = {}, unlisted = [], accepts = {}, outputSchema }: OperationTexts) {
  const { name, tool, query, body, paging } = operation;
  if (!tool) throw new TypeError(`${name} is not offered as a tool`);
  const fields: Readonly<Record<string, z.ZodType>> = { ...query, ...body };
  // A model turns pages by cursor, whatever the operation's own way is.
  const turned = paging === undefined ? [] : paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];
  const offered = (tool.inputs ?? Object.keys(fields)).filter((field) => !turned.includes(field));
  const schemasOf = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((field) => {
        const { [field]: schema = z.never() } = fields;
        return [field, hints[field] === undefined ? schema : schema.describe(hints[field])];
      }),
    );
  const taken = Object.entries(schemasOf(offered.filter((field) => unlisted.includes(field)))).map(([field, schema]) => [
    field,
    schema.optional(),
  ]);
  return {
    name: toolNameOf(name),
    aliases: [name],
    title: tool.title,
    description: tool.description,
    operations: [operation],
    ...toolInput(
      { ...schemasOf(offered.filter((field) => !unlisted.includes(field))), ...more },
      { ...Object.fromEntries(taken), ...accepts },
    ),
    outputSchema,
  };
}

/** The tool of one operation that reads. */
export function operationTool(operation: Operation, spec: ReadSpec): ReadTool {
  if (operation.effect !== "read") throw new TypeError(`${operation.name} writes`);
  return { ...toolTexts(operation, spec), effect: operation.effect, run: spec.run };
}

/** The tool of one operation that writes, with the arguments that every write has. */
export function writeTool(operation: Operation, spec: WriteSpec): WriteTool {
  if (operation.effect === "read") throw new TypeError(`${operation.name} only reads`);
  const texts = toolTexts(operation, { ...spec, arguments: { ...spec.arguments, ...writeArguments } });
  return { ...texts, effect: operation.effect, operation, plan: spec.plan, send: spec.send };
}
