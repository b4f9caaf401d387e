import type { Operation } from "@fleetwire/core";
import type { FleetTool, FleetTools } from "@fleetwire/tools";

/** An operation as it is listed. */
type ServedOperation = Pick<Operation, "name" | "summary"> & { tool?: { title: string } };

type ServedTool = Pick<
  FleetTool,
  "name" | "aliases" | "effect" | "title" | "description" | "annotations" | "inputJsonSchema" | "outputJsonSchema" | "execute"
> & { operations: readonly ServedOperation[] };

/** What a server needs of the tools: their descriptions at once, the rest when first used. */
export interface ServedTools
  extends Pick<FleetTools, "instructions" | "completeNames" | "readMap" | "readVehicle" | "watchVehicle" | "writesSettled"> {
  tools: readonly ServedTool[];
  byName: Pick<FleetTools["byName"], "has">;
  /** Tools that the caller's scopes do not include. They are not listed; a call is answered with the scopes that it needs. */
  withheld?: readonly Pick<ServedTool, "name" | "aliases">[];
  /** Returns the documentation of an operation that a tool calls, in Markdown. */
  operationDocument: (name: string) => Promise<string>;
}
