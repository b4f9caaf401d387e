import type { Operation } from "@fleetwire/core";
import type { FleetTool, FleetTools } from "@fleetwire/tools";
import type { ServedEvents } from "./served-events.ts";

/** An operation as listed. */
type ServedOperation = Pick<Operation, "name" | "summary"> & { tool?: { title: string } };

type ServedTool = Pick<
  FleetTool,
  "name" | "aliases" | "effect" | "title" | "description" | "annotations" | "inputJsonSchema" | "outputJsonSchema" | "execute"
> & { operations: readonly ServedOperation[] };

/** What a server needs from the tools: their descriptions immediately, the rest on first use. */
export interface ServedTools
  extends Pick<FleetTools, "instructions" | "completeNames" | "readEvents" | "readMap" | "readVehicle" | "watchVehicle" | "writesSettled"> {
  watchEvents: (...args: Parameters<FleetTools["watchEvents"]>) => void | Promise<void>;
  tools: readonly ServedTool[];
  byName: Pick<FleetTools["byName"], "has">;
  /** Tools that the caller's scopes do not include. They are not listed; the response to a call states the scopes that it needs. */
  withheld?: readonly Pick<ServedTool, "name" | "aliases">[];
  /** Tools that the settings exclude. They are not listed, which costs no tokens; the response to a call says why. */
  unavailable: readonly (Pick<ServedTool, "name" | "aliases"> & { reason: string })[];
  /** Loads what serves events about the fleet. */
  events: () => Promise<ServedEvents>;
  /** The hosts to which events may be sent; none unless the operator allows some. */
  callbackHosts?: readonly string[] | undefined;
  /** Whether the caller's next request may reach another process. */
  isReplica?: boolean | undefined;
  /** Returns the documentation of an operation that a tool calls, in Markdown. */
  operationDocument: (name: string) => Promise<string>;
}
