import type { Effect, FleetClient, Operation } from "@fleetwire/core";
import type * as z from "zod";
import type { FleetReader } from "./fleet/fleet-view.ts";
import type { Privacy } from "./fleet/privacy.ts";
import type { ReadOptions } from "./fleet/read-cache.ts";
import type { Render } from "./results/tool-result.ts";
import type { FleetToolsSettings } from "./tools-config.ts";
import type { ConfirmationTokens } from "./writes/confirmation-token.ts";
import type { IdempotentWrites } from "./writes/idempotent-writes.ts";
import type { SentWrite } from "./writes/sent-write.ts";
import type { Caller, UndeliveredWrites } from "./writes/undelivered-writes.ts";

/** The settings that tools obey, beside the client's own. */
export type ToolSettings = Pick<
  FleetToolsSettings,
  "customerId" | "confirm" | "jobNumbers" | "snapshotSeconds" | "maxResultTokens" | "privacy" | "driverNames" | "timeZone" | "sandbox"
>;

/** What a question to the user brought: `notAsked` where it could not be put. */
export type Answer = "yes" | "declined" | "cancelled" | "notAsked";

/** What came back to the question of which `state` is a part. */
export interface Reply {
  answer: Answer;
  state: string | undefined;
}

/** A write on its way out, and what came of it: for the log, so that a job's number is not lost with its caller. */
export interface WriteEvent {
  tool: string;
  /** The number that the request carries, or that the service gave. */
  jobNumber?: string | undefined;
  /** Absent before the request goes out. `created`, `inferred` and `updated` are successes, anything else is the code of a failure. */
  outcome?: string;
}

/** How far a call of several requests is: `total` where the service says it. */
export type ReportProgress = (done: number, total: number | undefined, message: string) => void;

/** What a tool works with during one call. */
export interface ToolContext {
  /** All its results are as a model may see them. */
  fleet: FleetClient;
  /** The whole fleet, with its names. */
  reader: FleetReader;
  /** What a model may see, for texts that no result of the client is. */
  privacy: Privacy;
  settings: ToolSettings;
  confirmationTokens: ConfirmationTokens;
  undeliveredWrites: UndeliveredWrites;
  now: () => number;
  /** Passed on with each call of the client, so that cancellation reaches it. */
  callOptions: ReadOptions;
  /** Whether a write may end in a question to the user. */
  canElicit: boolean;
  reply?: Reply | undefined;
  caller: Caller;
  /** Whether the user approved exactly this call, so that a write is sent at once. */
  approved?: boolean;
  /** Whether a write only shows what it would send. */
  previewOnly?: boolean;
  /** What the application knows this call by: a repeated one makes no second job. */
  idempotencyKey?: string | undefined;
  idempotentWrites: IdempotentWrites;
  onWrite: (event: WriteEvent) => void;
  /** Names of the tools that are offered. */
  offered: ReadonlySet<string>;
  /** When the time of this call is up, by the clock of `performance.now`; never where undefined. */
  endsAt?: number;
  progress: ReportProgress;
}

interface ToolTexts {
  name: string;
  /** Other names that call it, which are listed nowhere: names of before, and what the OpenAPI document calls its operation. */
  aliases?: readonly string[];
  title: string;
  description: string;
  /** The operations it calls; it is offered where all of them can be reached. */
  operations: readonly Operation[];
  /** Checks the arguments, unknown ones included. */
  input: z.ZodObject;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
}

export interface ReadTool extends ToolTexts {
  effect: "read";
  /** Reads and computes; the result is rendered once its size is known. */
  run: (args: Record<string, unknown>, context: ToolContext) => Promise<Render>;
}

/** A line of a preview: a field as it will be sent, or a sentence. */
export type PreviewLine = string | { field: string; value: unknown };

/** What a write would send, known before anything is sent. */
export interface PlannedWrite {
  /** The operation's input, exactly as it will be sent. */
  input: Record<string, unknown>;
  /** What it means, a line each, with texts as they are; computed only where it is shown. */
  preview: () => Promise<PreviewLine[]>;
  /** What could not be checked, a sentence each: said whatever comes of the write. */
  unchecked?: readonly string[];
}

export interface WriteTool extends ToolTexts {
  effect: Exclude<Effect, "read">;
  /** The operation that changes something. */
  operation: Operation;
  /** Reads and checks whatever decides what is sent. Sends nothing that changes anything. */
  plan: (args: Record<string, unknown>, context: ToolContext) => Promise<PlannedWrite>;
  send: (input: Record<string, unknown>, context: ToolContext, unchecked?: readonly string[]) => Promise<SentWrite>;
}

/** One entry of the catalogue. The effect is required: annotations, read-only mode and confirmation follow from it. */
export type Tool = ReadTool | WriteTool;
