import { availableTools } from "./available-tools.ts";
import type { ToolClient } from "./fleet/masked-client.ts";
import { createToolFleet } from "./fleet/tool-client.ts";
import type { FleetToolsSettings } from "./model/settings.ts";
import type { WriteStore } from "./model/write-store.ts";
import { type LoadGazetteer, townsOf } from "./places/load-towns.ts";
import { MARK_TOKENS } from "./text/sandbox-mark.ts";
import { Ledger } from "./writes/ledger.ts";
import type { Tool, ToolContext } from "./writes/write-tool.ts";

/**
 * Creates the state shared by all calls, including the read cache. Elicitation, progress and cancellation are off unless set for a call.
 */
export function createToolContext(
  fleet: ToolClient,
  config: FleetToolsSettings,
  now: () => number = Date.now,
  available: readonly Pick<Tool, "name">[] = availableTools(config),
  gazetteer?: LoadGazetteer | undefined,
  writeStore?: WriteStore | undefined,
): ToolContext {
  return {
    ...createToolFleet(fleet, config, now),
    towns: townsOf(gazetteer),
    // The sandbox mark counts towards the budget.
    settings: config.sandbox ? { ...config, maxResultTokens: config.maxResultTokens - MARK_TOKENS } : config,
    writes: new Ledger(writeStore, config.sealKey, [config.customerId, config.servers]),
    now,
    callOptions: {},
    canElicit: false,
    caller: {},
    onWrite: () => {},
    offered: new Set(available.map(({ name }) => name)),
    progress: () => {},
  };
}
