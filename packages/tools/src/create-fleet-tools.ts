import { createFleetClient, type Effect, type FleetClient, type Operation } from "@fleetwire/core";
import { checkedArguments } from "./arguments/checked-arguments.ts";
import { availableTools, descriptionOf, noSuchTool, toolCalled } from "./available-tools.ts";
import { VehicleWatches } from "./fleet/vehicle-watches.ts";
import { instructionsFor } from "./instructions.ts";
import { completeNames, type NameKind } from "./lookup/complete-names.ts";
import type { ExecuteOptions, FleetTool, FleetToolResult, ToolHooks } from "./model/fleet-tool.ts";
import { type FleetToolsConfig, settingsOf } from "./model/settings.ts";
import type { ToolFailure, ToolQuestion, ToolResult } from "./model/tool-result.ts";
import type { WriteStore } from "./model/write-store.ts";
import type { LoadGazetteer } from "./places/load-towns.ts";
import { previewTool } from "./preview-tool.ts";
import { failureOf, finalizeResult, runTool } from "./run-tool.ts";
import { CALL_TIMEOUT, unlessAborted, withDeadline } from "./runtime/call-deadline.ts";
import { markedRecord } from "./text/sandbox-mark.ts";
import { createToolContext } from "./tool-context.ts";
import { rememberContext } from "./tool-contexts.ts";
import { callReporter, guarded } from "./tool-hooks.ts";
import { toolsetsWith } from "./tools/index.ts";
import { mapPositions } from "./tools/map-positions.ts";
import { vehicleRecord, watchedVehicle } from "./tools/vehicle-record.ts";
import type { Tool, ToolContext } from "./writes/write-tool.ts";

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
  /** Resolves once no write is in flight, including writes whose caller is gone. Await it before the process exits. */
  writesSettled: () => Promise<void>;
}

type Outcome = ToolResult | ToolFailure | ToolQuestion;

function resultOf(outcome: Outcome, { settings }: ToolContext): FleetToolResult {
  if ("error" in outcome) return { ok: false, text: outcome.error, structured: outcome.structured };
  if (!("ask" in outcome)) return { ok: true, ...outcome };
  const { ask: text, state } = outcome;
  const structured = markedRecord({ result: "question", question: text }, settings);
  return { ok: true, text, structured, question: { text, state } };
}

/** Whether a call, once approved, sends a write: not a read, a dry run or a call whose arguments are invalid. Without arguments, whether any call may. */
function maySendWrite(tool: Tool, args: unknown): boolean {
  if (tool.effect === "read") return false;
  if (args === undefined) return true;
  try {
    return checkedArguments(tool, args)["dryRun"] !== true;
  } catch {
    return false;
  }
}

/** Runs one of the caller's callbacks, and returns a fallback if it throws. */
async function withFallback<Value>(of: () => Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await of();
  } catch {
    return otherwise;
  }
}

/** Runs a tool with the options of one call. The options, or any of them, may be null or missing. */
async function execute(
  tool: Tool,
  args: unknown,
  shared: ToolContext,
  given: ExecuteOptions | null | undefined,
  callTimeout: number,
): Promise<Outcome> {
  const { signal, timeout, elicitation, delivered, trace, ...options } = given ?? {};
  const context: ToolContext = {
    ...shared,
    canElicit: Boolean(elicitation),
    caller: {
      ...(signal && { signal }),
      ...(delivered && { delivered: () => withFallback(delivered, false) }),
    },
    approved: options.approved === true,
    idempotencyKey: options.idempotencyKey,
    progress: guarded(options.progress),
    onWrite: options.onWrite ? guarded(options.onWrite) : shared.onWrite,
  };
  const run = (reply: ToolContext["reply"]) =>
    withDeadline(timeout ?? callTimeout, signal, (ending, endsAt) =>
      runTool(tool, args, {
        ...context,
        reply,
        callOptions: { signal: ending, ...(trace && { trace }) },
        ...(endsAt !== undefined && { endsAt }),
      }),
    );
  const outcome = await run(elicitation?.reply);
  if (!("ask" in outcome) || elicitation?.ask === undefined) return outcome;
  const { ask: text, state } = outcome;
  // The second run has a timeout of its own, so the time that the user takes does not count.
  const { ask } = elicitation;
  // The user may never reply.
  return run({ answer: await withFallback(() => unlessAborted(signal, Promise.resolve(ask({ text, state }))), "notAsked"), state });
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
  const { fleet = createFleetClient(config), now = Date.now, callTimeout = CALL_TIMEOUT } = options;
  const toolsets = toolsetsWith(options.operations ?? []);
  const available = availableTools(settings, toolsets);
  const shared: ToolContext = {
    ...createToolContext(fleet, settings, now, available, options.gazetteer, options.writeStore),
    onWrite: guarded(options.onWrite),
  };
  const reportCall = callReporter(options.onCall);

  /** Turns any error into a failure, including those caused by invalid options such as a bogus signal. */
  const toOutcome = (effect: Effect, run: () => Promise<Outcome>): Promise<Outcome> =>
    run().catch((error: unknown) => finalizeResult(failureOf(error, effect, shared), shared));

  const fleetToolOf = (tool: Tool): FleetTool => ({
    ...descriptionOf(tool),
    preview: async (args, given) =>
      resultOf(
        await toOutcome(tool.effect, async () => {
          const { signal, idempotencyKey, timeout } = given ?? {};
          return withDeadline(timeout ?? callTimeout, signal, (ending) =>
            previewTool(tool, args, { ...shared, idempotencyKey, previewOnly: true, callOptions: { signal: ending } }),
          );
        }),
        shared,
      ),
    needsApproval: (args) => settings.confirm !== "never" && maySendWrite(tool, args),
    execute: async (args, given) => {
      const report = reportCall(tool.name, given);
      const outcome = await toOutcome(tool.effect, () => execute(tool, args, shared, given, callTimeout));
      report(outcome);
      return resultOf(outcome, shared);
    },
  });

  /** Looks something up for the host rather than the model. */
  const lookup = async (
    given: LookupOptions | undefined,
    run: (context: ToolContext) => Promise<ToolResult>,
    report: (outcome: Outcome) => void = () => {},
  ) => {
    const outcome = await toOutcome("read", async () => {
      const { signal, timeout, trace } = given ?? {};
      return withDeadline(timeout ?? callTimeout, signal, async (ending) => {
        const context = { ...shared, callOptions: { signal: ending, ...(trace && { trace }) } };
        const outcome = await run(context).catch((error: unknown) => failureOf(error, "read", context));
        return finalizeResult(outcome, context);
      });
    });
    report(outcome);
    return resultOf(outcome, shared);
  };

  const watches = new VehicleWatches(shared.reader, settings.snapshotSeconds);
  const tools = available.map(fleetToolOf);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const fleetTools: FleetTools = {
    tools,
    byName,
    instructions: instructionsFor(available, settings),
    call: async (name, args, given) => {
      const called = toolCalled(name, available);
      const tool = called && byName.get(called.name);
      return tool
        ? tool.execute(args, given)
        : resultOf(finalizeResult(failureOf(noSuchTool(name, settings, toolsets), "read", shared), shared), shared);
    },
    completeNames: (kind, typed) => completeNames(kind, typed, shared),
    readVehicle: (query, given) => lookup(given, (context) => vehicleRecord(query, context)),
    readMap: (asked, given) => lookup(given, (context) => mapPositions(asked, context), reportCall("read_map", given)),
    watchVehicle: (query, onChange, given) =>
      lookup(given, (context) => watchedVehicle(query, { watches, onChange: guarded(onChange), signal: given.signal }, context)),
    writesSettled: () => shared.writes.settled(),
  };
  return rememberContext(fleetTools, shared);
}
