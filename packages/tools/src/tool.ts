import type { Effect, Operation } from "@fleetwire/core";
import type * as z from "zod";
import type { FleetReader } from "./fleet/fleet-reader.ts";
import type { ToolClient } from "./fleet/masked-client.ts";
import type { Privacy } from "./fleet/privacy.ts";
import type { ReadOptions } from "./fleet/read-cache.ts";
import type { TownIndex } from "./names/town-index.ts";
import type { Render } from "./results/tool-result.ts";
import type { FleetToolsSettings } from "./tools-config.ts";
import type { Caller, Ledger, SentWrite } from "./writes/ledger.ts";

/** The settings that tools use. */
export type ToolSettings = Pick<
  FleetToolsSettings,
  | "customerId"
  | "confirm"
  | "jobNumbers"
  | "snapshotSeconds"
  | "fullReadSeconds"
  | "maxVehicles"
  | "maxResultTokens"
  | "privacy"
  | "driverNames"
  | "timeZone"
  | "activityWords"
  | "sandbox"
>;

/** The user's answer; `notAsked` if the question could not be shown. */
export type Answer = "yes" | "declined" | "cancelled" | "notAsked";

/** The reply to a question, with the `state` that came with the question. */
export interface Reply {
  answer: Answer;
  state: string | undefined;
}

/** A write that is about to be sent, or its outcome. Log both, so that the job number is not lost if the caller is gone. */
export interface WriteEvent {
  tool: string;
  /** The job number in the request, or the one that the service assigned. */
  jobNumber?: string | undefined;
  /** What is sent, by field, for an audit: ids, times, numbers and documented words; any other value is `(withheld)`. */
  fields: Readonly<Record<string, unknown>>;
  /** Not set before the request is sent. `created`, `inferred` and `updated` mean success; anything else is an error code. */
  outcome?: string;
}

/** Reports the progress of a call that needs several requests; `total` is undefined if the service does not state it. */
export type ReportProgress = (done: number, total: number | undefined, message: string) => void;

/** Everything a tool uses during one call. */
export interface ToolContext {
  /** The client; its results are masked. */
  fleet: ToolClient;
  /** Reads the whole fleet, indexed by name. */
  reader: FleetReader;
  /** Returns Europe's towns, loaded on first use; undefined if the application provides none. */
  towns: () => Promise<TownIndex | undefined>;
  /** Masks text that does not come from the client. */
  privacy: Privacy;
  settings: ToolSettings;
  writes: Ledger;
  now: () => number;
  /** Passed to every client call, so that cancellation reaches it. */
  callOptions: ReadOptions;
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
  /** The names of the available tools. */
  offered: ReadonlySet<string>;
  /** The call's deadline on the clock of `performance.now`; undefined if there is none. */
  endsAt?: number;
  progress: ReportProgress;
}

interface ToolTexts {
  name: string;
  /** Unlisted names that also call the tool: former names, and the operation's name in the OpenAPI document. */
  aliases?: readonly string[];
  title: string;
  description: string;
  /** The operations that the tool calls. It is available only if all their servers are configured. */
  operations: readonly Operation[];
  /** Validates the arguments, unlisted ones included. */
  input: z.ZodObject;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
}

export interface ReadTool extends ToolTexts {
  effect: "read";
  /** Reads data and computes the result, which is rendered later, once its budget is known. */
  run: (args: Record<string, unknown>, context: ToolContext) => Promise<Render>;
}

/** A line of a preview: a field as it will be sent, or a sentence. */
export type PreviewLine = string | { field: string; value: unknown };

/** What a write would send, computed before anything is sent. */
export interface PlannedWrite {
  /** The operation's input, exactly as it will be sent, but for a generated job number. */
  input: Record<string, unknown>;
  /** The job number generated for it. */
  number?: string | undefined;
  /** Returns the lines that explain the input, with values not yet escaped. Called only if the preview is shown. */
  preview: () => Promise<PreviewLine[]>;
  /** What could not be checked, one sentence each. Included in the result of a write that was sent, and of a dry run. */
  unchecked?: readonly string[];
}

export interface WriteTool extends ToolTexts {
  effect: Exclude<Effect, "read">;
  /** The operation that makes the change. */
  operation: Operation;
  /** Reads and checks everything that the request depends on. Changes nothing. */
  plan: (args: Record<string, unknown>, context: ToolContext) => Promise<PlannedWrite>;
  send: (input: Record<string, unknown>, context: ToolContext, unchecked?: readonly string[]) => Promise<SentWrite>;
}

/** An entry of the catalogue. Annotations, read-only mode and confirmation are derived from `effect`. */
export type Tool = ReadTool | WriteTool;
