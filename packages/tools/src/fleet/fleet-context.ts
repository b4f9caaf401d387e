import type { FleetClient } from "@fleetwire/core";
import type { Render, ReportProgress, ToolSettings, ToolTexts } from "../model/tool.ts";
import type { TownIndex } from "../places/town-index.ts";
import type { ReadOptions } from "./cached-client.ts";
import type { FleetReader } from "./fleet-reader.ts";
import type { Privacy } from "./privacy.ts";

/** Everything a read uses during one call. */
export interface FleetContext {
  /** The client; its results are masked. */
  fleet: FleetClient;
  /** Reads the whole fleet, indexed by name. */
  reader: FleetReader;
  /** Returns Europe's towns, loaded on first use; undefined if the application provides none. */
  towns: () => Promise<TownIndex | undefined>;
  /** Masks text that does not come from the client. */
  privacy: Privacy;
  settings: ToolSettings;
  now: () => number;
  /** Passed to every client call, so that cancellation reaches it. */
  callOptions: ReadOptions;
  /** The names of the available tools. */
  offered: ReadonlySet<string>;
  progress: ReportProgress;
}

export interface ReadTool extends ToolTexts {
  effect: "read";
  /** Reads data and computes the result, which is rendered later, once its budget is known. */
  run: (args: Record<string, unknown>, context: FleetContext) => Promise<Render>;
}
