import { availableTools } from "./available-tools.ts";
import type { ToolClient } from "./fleet/masked-client.ts";
import { createToolFleet } from "./fleet/tool-client.ts";
import type { FleetToolsSettings } from "./model/settings.ts";
import type { WriteStore } from "./model/write-store.ts";
import { type LoadGazetteer, townsOf } from "./places/load-towns.ts";
import { MARK_TOKENS } from "./text/sandbox-mark.ts";
import { createConfirmationTokens } from "./writes/confirmation-token.ts";
import { createSharedWrites } from "./writes/shared-writes.ts";
import { createUndeliveredWrites } from "./writes/undelivered-writes.ts";
import type { Tool, ToolContext } from "./writes/write-tool.ts";
import { createWritesByKey } from "./writes/writes-by-key.ts";

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
  const scope = [config.customerId, config.servers];
  const sharedWrites = createSharedWrites(writeStore, config.sealKey, scope);
  return {
    ...createToolFleet(fleet, config, now),
    towns: townsOf(gazetteer),
    // The sandbox mark counts towards the budget.
    settings: config.sandbox ? { ...config, maxResultTokens: config.maxResultTokens - MARK_TOKENS } : config,
    confirmationTokens: createConfirmationTokens(config.sealKey, scope, sharedWrites),
    undeliveredWrites: createUndeliveredWrites(),
    sharedWrites,
    now,
    callOptions: {},
    canElicit: false,
    caller: {},
    writesByKey: createWritesByKey(),
    onWrite: () => {},
    offered: new Set(available.map(({ name }) => name)),
    progress: () => {},
  };
}
