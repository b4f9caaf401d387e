import { createFleetClient, type FleetClient, type Operation } from "@fleetwire/core";
import { notify } from "@fleetwire/core/internal";
import { instructionsFor, matchesName, noSuchTool, selectTools } from "./availability.ts";
import { descriptionOf } from "./catalogue.ts";
import { createToolFleet } from "./fleet/masked-client.ts";
import { completeNames, type NameKind } from "./lookup/complete-names.ts";
import type { ExecuteOptions, FleetTool, FleetToolResult, ToolHooks } from "./model/fleet-tool.ts";
import { type FleetToolsConfig, settingsOf } from "./model/settings.ts";
import { type LoadGazetteer, townsOf } from "./places/town-index.ts";
import { lookUp, type SharedContext, toolCalls } from "./run-tool.ts";
import { CALL_TIMEOUT } from "./runtime/call-deadline.ts";
import { MARK_TOKENS } from "./text/result-marks.ts";
import { toolsetsWith } from "./tools/index.ts";
import { mapPositions } from "./tools/map-positions.ts";
import { vehicleRecord, watchedVehicle } from "./tools/vehicle-record.ts";
import { callerEvents } from "./tools/watch-fleet.ts";
import { CallerRules } from "./watch/caller-rules.ts";
import { Ledger } from "./writes/ledger.ts";
import type { WriteStore } from "./writes/signed-store.ts";
import type { ToolContext } from "./writes/write-tool.ts";

/** Options that are not part of the configuration. */
export interface FleetToolsOptions extends ToolHooks {
  /** The client that the tools call. @default a client created from the configuration */
  fleet?: FleetClient | undefined;
  /**
   * Your own read operations, created with `defineOperation` and described by `tool`. They become tools, masked and paginated like any
   * other, and follow the built-in tools of their toolset.
   */
  operations?: readonly Operation[] | undefined;
  /**
   * Loads a map of towns, so that users can name places that no vehicle reports: `() => import("@fleetwire/tools/gazetteer")` for Europe's
   * towns. Called once, when a town is first asked for. @default only the towns that vehicles report
   */
  gazetteer?: LoadGazetteer | undefined;
  /** Coordinates writes with other processes. The configuration then needs a `sealKey`. @default writes are known to this process only */
  writeStore?: WriteStore | undefined;
  /** Returns the current time in milliseconds since 1970. @default Date.now */
  now?: (() => number) | undefined;
  /** Timeout of a call in milliseconds. Most hosts give up after a minute without a result. @default 50000 */
  callTimeout?: number | undefined;
}

type LookupOptions = Pick<ExecuteOptions, "signal" | "timeout" | "trace">;

/** The tools of one fleet. They share a read cache, confirmation tokens and a record of recent writes. */
export interface FleetTools {
  /** The tools available with the configuration, in the order in which to show them to a model. */
  tools: readonly FleetTool[];
  /** The same tools by name. */
  byName: ReadonlyMap<string, FleetTool>;
  /** Instructions for a model that cover all tools; pass them once. */
  instructions: string;
  /** Calls a tool by its name or an alias. The call fails if there is no such tool. Never throws. */
  call: (name: string, args: unknown, options?: ExecuteOptions) => Promise<FleetToolResult>;
  /**
   * Returns completions for the part of a name that a user has typed, best match first; empty if the fleet cannot be read. Never throws.
   */
  completeNames: (kind: NameKind, typed: string) => Promise<string[]>;
  /**
   * Returns all fields of the vehicle with this name, registration or id as `structured.vehicle`. Without a certain match,
   * `structured.result` is set instead. Never throws.
   */
  readVehicle: (query: string, options?: LookupOptions) => Promise<FleetToolResult>;
  /**
   * Returns the whole fleet for a map, as rows in `structured`: at most a megabyte, those with one of the `asked` ids or names and those near
   * them first. For what users see, not models: no token budget applies, but everything is masked as in any tool, and the call is reported
   * as one of the tool `read_map`. Never throws.
   */
  readMap: (asked: readonly string[], options?: LookupOptions & Pick<ExecuteOptions, "onCall">) => Promise<FleetToolResult>;
  /**
   * Calls `onChange` whenever the vehicle with this name, registration or id has changed, left the fleet or returned to it, until `signal`
   * fires. Compares only what a model may see of it, in the live view that all tools use. Without a certain match, `structured.result` says so,
   * and nothing is watched. At most 500 vehicles are watched at a time; any more fail with `rateLimited`. While the service fails, nothing
   * is reported. Never throws.
   */
  watchVehicle: (
    query: string,
    onChange: () => void,
    options: { signal: AbortSignal; timeout?: number | undefined },
  ) => Promise<FleetToolResult>;
  /**
   * Returns the rules that a caller has made with `watch_fleet` and what they have noticed lately, newest first, as `structured.rules` and
   * `structured.events`. `watch_fleet` still reports those events. Never throws.
   */
  readEvents: (callerId: string | undefined, options?: LookupOptions) => Promise<FleetToolResult>;
  /** Calls `onChange` whenever the rules of a caller change or notice something, until `signal` fires. */
  watchEvents: (callerId: string | undefined, onChange: () => void, options: { signal: AbortSignal }) => void;
  /** Returns the age of the live view in milliseconds, while questions keep it current; otherwise, or before the first list, undefined. */
  viewAge: () => number | undefined;
  /** Resolves once no write is in flight, including writes whose caller is gone. Await it before the process exits. */
  writesSettled: () => Promise<void>;
}

const contexts = new WeakMap<object, ToolContext>();

/**
 * Returns what the calls of these tools share, so that a console uses the same view and the same masking. Throws a TypeError if they were not
 * created by `createFleetTools`.
 */
export function contextOf(tools: object): ToolContext {
  const context = contexts.get(tools);
  if (!context) throw new TypeError("These tools were not created by createFleetTools");
  return context;
}

/**
 * Creates the tools with which a model queries and changes a fleet, for any agent in this process.
 *
 * @throws {FleetError} `config` if the configuration is incomplete or names an unknown tool, or if an operation cannot become a tool.
 *
 * @example
 * ```ts
 * import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
 *
 * const fleet = createFleetTools(fleetToolsConfigFromEnv(process.env));
 * const { text } = await fleet.call("locate_vehicle", { query: "truck 12" });
 *
 * // Show the preview to the user, and send the write once they approve it.
 * const job = { address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" };
 * const createJob = fleet.byName.get("create_job");
 * const preview = await createJob?.preview(job, { idempotencyKey: "run-7/1" });
 * const created = await createJob?.execute(job, { approved: true, idempotencyKey: "run-7/1" });
 * ```
 */
export function createFleetTools(config: FleetToolsConfig, options: FleetToolsOptions = {}): FleetTools {
  const settings = settingsOf(config);
  const { fleet = createFleetClient(config), now = Date.now, callTimeout = CALL_TIMEOUT, onCall, onWrite } = options;
  const toolsets = toolsetsWith(options.operations ?? []);
  // Another process, which may serve the next call, would not know a rule.
  const available = selectTools(settings, toolsets).filter((tool) => options.writeStore === undefined || !("changes" in tool));
  const readable = new Set(available.flatMap(({ operations }) => operations.map(({ name }) => name)));
  const shared: SharedContext = {
    ...createToolFleet(fleet, settings, now),
    towns: townsOf(options.gazetteer),
    // The sandbox mark counts towards the budget.
    settings: settings.sandbox ? { ...settings, maxResultTokens: settings.maxResultTokens - MARK_TOKENS } : settings,
    writes: new Ledger(options.writeStore, settings.sealKey, [settings.customerId, settings.servers]),
    rules: new CallerRules(readable, settings.snapshotSeconds, now),
    now,
    callOptions: {},
    callTimeout,
    canElicit: false,
    caller: {},
    offered: new Set(available.map(({ name }) => name)),
    progress: () => {},
    onCall,
    onWrite: (event) => notify(onWrite, event),
  };
  const tools = available.map((tool): FleetTool => ({ ...descriptionOf(tool, settings.profile), ...toolCalls(tool, shared) }));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const fleetTools: FleetTools = {
    tools,
    byName,
    instructions: instructionsFor(available, settings),
    call: async (name, args, callOptions) => {
      const tool = tools.find((one) => matchesName(one, name));
      if (tool) return tool.execute(args, callOptions);
      return lookUp(() => Promise.reject(noSuchTool(name, settings, toolsets)), undefined, shared);
    },
    completeNames: (kind, typed) => completeNames(kind, typed, shared),
    readVehicle: (query, lookup) => lookUp((context) => vehicleRecord(query, context), lookup, shared),
    readMap: (asked, lookup) => lookUp((context) => mapPositions(asked, context), lookup, shared, "read_map"),
    watchVehicle: (query, onChange, lookup) =>
      lookUp(async (context) => watchedVehicle(query, () => notify(onChange), lookup.signal, context), lookup, shared),
    readEvents: (id, lookup) => {
      const caller = id === undefined ? {} : { id };
      return lookUp((context) => callerEvents({ ...context, caller }), lookup, shared);
    },
    watchEvents: (id = "", onChange, { signal }) => shared.rules.listen(id, () => notify(onChange), signal),
    viewAge: () => shared.reader.ageInUse,
    writesSettled: () => shared.writes.settled(),
  };
  contexts.set(fleetTools, shared);
  return fleetTools;
}
