import type { Operation } from "@fleetwire/core";
import { type OperationTexts, toolTexts } from "../query/derived-tool.ts";
import { writeArguments } from "../query/tool-input.ts";
import type { SentWrite } from "./ledger.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "./write-tool.ts";

interface WriteSpec extends OperationTexts {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  plan: (args: any, context: ToolContext) => Promise<PlannedWrite>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  send: (input: any, context: ToolContext, unchecked?: readonly string[]) => Promise<SentWrite>;
}

/** Creates the tool for a single write operation, with the arguments common to all writes. */
export function writeTool(operation: Operation, spec: WriteSpec): WriteTool {
  if (operation.effect === "read") throw new TypeError(`${operation.name} only reads`);
  const texts = toolTexts(operation, { ...spec, arguments: { ...spec.arguments, ...writeArguments } });
  return { ...texts, effect: operation.effect, operation, plan: spec.plan, send: spec.send };
}
