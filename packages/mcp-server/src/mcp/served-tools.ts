import type { Operation } from "@fleetwire/core";
import type { FleetTool, FleetTools } from "@fleetwire/tools";
import type { FleetConsole } from "@fleetwire/tools/console";

/** An operation as it is listed. */
type ServedOperation = Pick<Operation, "name" | "summary"> & { tool?: { title: string } };

type ServedTool = Pick<
  FleetTool,
  "name" | "aliases" | "title" | "description" | "annotations" | "inputJsonSchema" | "outputJsonSchema" | "execute"
> & { operations: readonly ServedOperation[] };

/** What a server needs of the tools: their descriptions at once, the rest when first used. */
export interface ServedTools extends Pick<FleetTools, "instructions" | "completeNames" | "readVehicle" | "watchVehicle" | "writesSettled"> {
  tools: readonly ServedTool[];
  byName: Pick<FleetTools["byName"], "has">;
  /** Returns the documentation of an operation that a tool calls, in Markdown. */
  operationDocument: (name: string) => Promise<string>;
  /** Creates what the console shows of the fleet. */
  console?: () => Promise<FleetConsole>;
}
