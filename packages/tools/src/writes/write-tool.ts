import type { Effect, Operation } from "@fleetwire/core";
import type { FleetContext, ReadTool } from "../fleet/fleet-context.ts";
import type { Reply, ToolResult, ToolTexts, WriteEvent } from "../model/tool.ts";
import { type OperationTexts, toolTexts } from "../query/derived-tool.ts";
import { writeArguments } from "../query/tool-input.ts";
import type { CallerRules } from "../watch/caller-rules.ts";
import type { Caller, Ledger, SentWrite } from "./ledger.ts";

/** Everything a tool uses during one call. */
export interface ToolContext extends FleetContext {
  writes: Ledger;
  /** What callers want to be told of. */
  rules: CallerRules;
  /** Whether a write may ask the user. */
  canElicit: boolean;
  reply?: Reply | undefined;
  caller: Caller;
  /** Whether the user has approved exactly this call, so that a write is sent right away. */
  approved?: boolean;
  /** Whether a write only shows what it would send. */
  previewOnly?: boolean;
  /** The application's identifier for the call: repeating the call with it creates no second job. */
  idempotencyKey?: string | undefined;
  onWrite: (event: WriteEvent) => void;
  /** The call's deadline on the clock of `performance.now`; undefined if there is none. */
  endsAt?: number;
}

/** A line of a preview: a field as it will be sent, or a sentence. */
export type PreviewLine = string | { field: string; value: unknown };

/** What a write would send, computed before anything is sent. */
export interface PlannedWrite {
  /** The operation's input, exactly as it will be sent, but for a generated job number. */
  input: Record<string, unknown>;
  number?: string | undefined;
  /** Returns the lines that explain the input, with values not yet escaped. Called only if the preview is shown. */
  preview: () => Promise<PreviewLine[]>;
  /** What could not be checked, one sentence each. Included in the result of a write that was sent, and of a dry run. */
  unchecked?: readonly string[];
}

/** A tool whose changes a user approves. */
export interface ApprovedTool extends ToolTexts {
  effect: Exclude<Effect, "read">;
  /** The operation that makes the change, if the service makes it. */
  operation?: Operation | undefined;
}

export interface WriteTool extends ApprovedTool {
  operation: Operation;
  /** Reads and checks everything that the request depends on. Changes nothing. */
  // biome-ignore lint/suspicious/noExplicitAny: each tool names the arguments it takes; they were checked against its own schema
  plan: (args: any, context: ToolContext) => Promise<PlannedWrite>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  send: (input: any, context: ToolContext, unchecked?: readonly string[]) => Promise<SentWrite>;
}

/** A change that is complete but for the user's approval. */
export interface PlannedChange extends Pick<PlannedWrite, "input" | "preview"> {
  make: () => Promise<ToolResult>;
}

/** A tool that changes only what this process keeps for its caller. Nothing is sent to the service, so it needs no ledger. */
export interface LocalTool extends ApprovedTool {
  operation?: undefined;
  /** Whether a call with these arguments changes anything; any other call only reads. */
  changes: (args: Record<string, unknown>) => boolean;
  plan: (args: Record<string, unknown>, context: ToolContext) => Promise<PlannedChange>;
  read: (context: ToolContext) => Promise<ToolResult>;
}

/** An entry of the catalogue. Annotations, read-only mode and confirmation are derived from `effect`. */
export type Tool = ReadTool | WriteTool | LocalTool;

/** Creates the tool for a single write operation, with the arguments common to all writes. */
export function writeTool(operation: Operation, spec: OperationTexts & Pick<WriteTool, "plan" | "send">): WriteTool {
  if (operation.effect === "read") throw new TypeError(`${operation.name} only reads`);
  const texts = toolTexts(operation, { ...spec, arguments: { ...spec.arguments, ...writeArguments } });
  return { ...texts, effect: operation.effect, operation, plan: spec.plan, send: spec.send };
}
