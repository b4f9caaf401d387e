import type { CallOptions, Effect, FleetClient, FleetConfig, Operation } from "@fleetwire/core";
import type * as z from "zod";
import type { ToolResult } from "./results/tool-result.ts";

/** The settings that tools obey, beside the client's own. */
export type ToolSettings = Pick<FleetConfig, "confirm" | "maxResultTokens" | "privacy" | "driverNames">;

/** What a tool works with during one call. */
export interface ToolContext {
  fleet: FleetClient;
  settings: ToolSettings;
  /** Stands the driver's pseudonym in for a name where names are hidden. */
  driverAlias: (name: string) => string;
  now: () => number;
  /** Passed on with each call of the client, so that cancellation reaches it. */
  callOptions: CallOptions;
}

/** One entry of the catalogue. The effect is required: annotations, read-only mode and confirmation follow from it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  effect: Effect;
  /** The operations it calls; it is offered where all of them can be reached. */
  operations: readonly Operation[];
  /** Checks the arguments, unknown ones included. */
  input: z.ZodType<Record<string, unknown>>;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  run: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolResult>;
}
