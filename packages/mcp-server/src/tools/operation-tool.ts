import type { Operation } from "@fleetwire/core";
import * as z from "zod";
import type { ToolResult } from "../results/tool-result.ts";
import type { Tool, ToolContext } from "../tool.ts";
import { toolInput } from "./tool-input.ts";

interface OperationToolSpec {
  /** Arguments that the tool has beside the operation's input. */
  arguments?: Readonly<Record<string, z.ZodType>>;
  outputSchema: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: each tool names the arguments it takes; they were checked against its own schema
  run: (args: any, context: ToolContext) => Promise<ToolResult>;
}

/** `listLivePositions` as a tool is `list_live_positions`. */
function toolNameOf(operationName: string): string {
  return operationName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The tool of one operation: name, texts, effect and input come from the contract. */
export function operationTool(operation: Operation, spec: OperationToolSpec): Tool {
  const { name, tool, effect, query, body, paging } = operation;
  if (!tool) throw new TypeError(`${name} is not offered as a tool`);
  const fields: Readonly<Record<string, z.ZodType>> = { ...query, ...body };
  // A model turns pages by cursor, whatever the operation's own way is.
  const turned = paging === undefined ? [] : paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];
  const offered = (tool.inputs ?? Object.keys(fields)).filter((field) => !turned.includes(field));
  return {
    name: toolNameOf(name),
    title: tool.title,
    description: tool.description,
    effect,
    operations: [operation],
    ...toolInput({ ...Object.fromEntries(offered.map((field) => [field, fields[field] ?? z.never()])), ...spec.arguments }),
    outputSchema: spec.outputSchema,
    run: spec.run,
  };
}
