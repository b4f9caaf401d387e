import type { CallOptions, Effect, FleetClient, FleetConfig, Operation } from "@fleetwire/core";
import type * as z from "zod";
import type { DriverAlias } from "./driver-names.ts";
import type { ToolResult } from "./results/tool-result.ts";
import type { Sealer } from "./writes/seal.ts";

/** The settings that tools obey, beside the client's own. */
export type ToolSettings = Pick<
  FleetConfig,
  "customerId" | "confirm" | "jobNumbers" | "snapshotSeconds" | "maxResultTokens" | "result" | "privacy" | "driverNames" | "timeZone"
>;

/** The person behind the host. */
export interface Person {
  /** Whether the host can put a question to the person. */
  canBeAsked: boolean;
  /** What the person said to the question whose state came back with it. */
  reply?: { answer: "yes" | "declined" | "cancelled"; state: string | undefined };
}

/** What a tool works with during one call. */
export interface ToolContext {
  fleet: FleetClient;
  settings: ToolSettings;
  /** Stands the driver's pseudonym in for a name where names are hidden. */
  driverAlias: DriverAlias;
  sealer: Sealer;
  now: () => number;
  /** Passed on with each call of the client, so that cancellation reaches it. */
  callOptions: CallOptions;
  person: Person;
  /** Milliseconds after which a call of a host is ended: hosts give up after a minute, and then know nothing of it. */
  callTimeout: number;
  /** Tells a host that asked for it how far a call of several requests is. */
  progress: (done: number, total: number | undefined, message: string) => void;
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
  run: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolResult>;
}

/** What a write would send, known before anything is sent. */
export interface PlannedWrite {
  /** The operation's input, exactly as it will be sent. */
  input: Record<string, unknown>;
  /** What it means, in words, a line each; asked for only where it is shown. */
  preview: () => Promise<string[]>;
  /** What could not be checked, a sentence each: said whatever comes of the write. */
  unchecked?: readonly string[];
}

export interface WriteTool extends ToolTexts {
  effect: Exclude<Effect, "read">;
  /** The operation that changes something. */
  operation: Operation;
  /** Reads and checks whatever decides what is sent. Sends nothing that changes anything. */
  plan: (args: Record<string, unknown>, context: ToolContext) => Promise<PlannedWrite>;
  send: (input: Record<string, unknown>, context: ToolContext, unchecked?: readonly string[]) => Promise<ToolResult>;
}

/** One entry of the catalogue. The effect is required: annotations, read-only mode and confirmation follow from it. */
export type Tool = ReadTool | WriteTool;
