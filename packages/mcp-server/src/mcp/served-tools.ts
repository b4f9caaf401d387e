import type { FleetTool, FleetTools } from "@fleetwire/tools";

type ServedTool = Pick<
  FleetTool,
  "name" | "aliases" | "effect" | "title" | "description" | "annotations" | "inputJsonSchema" | "outputJsonSchema" | "execute"
>;

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
}
