// Waits for what happens to a fleet, and reports each event once.

import { FleetError } from "@fleetwire/core";
import { isTransient, notify } from "@fleetwire/core/internal";
import { contextOf, type FleetTools } from "./create-fleet-tools.ts";
import { lateAlready } from "./watch/jobs.ts";
import { type ResolvedRule, waitsFor } from "./watch/rule-index.ts";
import { parseRules, type WatchRuleInput } from "./watch/rules.ts";
import { WatchLoop } from "./watch/watch-loop.ts";
import { noStore, type WatchEvent, type WatchStore } from "./watch/watch-store.ts";

export { parseRules, type WatchRule, type WatchRuleInput } from "./watch/rules.ts";
export type { SavedWatch, WatchEvent, WatchStore } from "./watch/watch-store.ts";

/** Rules, as in a file of rules. */
export interface WatchRules {
  rules: readonly WatchRuleInput[];
}

export interface WatchOptions {
  /** Ends the loop, without an error. */
  signal?: AbortSignal | undefined;
  /** Seconds between two reads of the fleet. @default 30 */
  everySeconds?: number | undefined;
  /** Called after each read: the next one begins when it resolves. @default one that waits as `everySeconds` says */
  untilNext?: (() => Promise<void>) | undefined;
  /** Where to keep what is known, so that a later process continues. @default nowhere: a later process begins anew */
  store?: WatchStore | undefined;
  /** Called with each rule in words, once it is understood. */
  onRule?: ((description: string) => void) | undefined;
  /** Called if changed rules are refused; the rules before stay. */
  onRefusal?: ((error: FleetError) => void) | undefined;
  /** Called if the fleet cannot be read, which is tried again. */
  onFailure?: ((error: FleetError) => void) | undefined;
}

const DEFAULT_SECONDS = 30;

/** Waits, but not once the signal has fired. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** Says in words what each rule waits for, and what is so already. */
async function described(
  rules: readonly ResolvedRule[],
  fleet: Pick<FleetTools, "tools">,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const context = { ...contextOf(fleet), callOptions: { signal } };
  const words: string[] = [];
  for (const rule of rules) {
    const late = await lateAlready(rule, context);
    const noted = late === undefined ? rule : { ...rule, note: `late already: ${late}` };
    words.push(context.privacy.text(`${rule.rule.id}: ${waitsFor(noted)}`));
  }
  return words;
}

/**
 * Says in words what each rule waits for.
 *
 * @throws {FleetError} `input` if the rules are wrong or a name in them is not certain; any other code if the fleet cannot be read.
 */
export async function explainRules(fleet: Pick<FleetTools, "tools">, rules: WatchRules, signal?: AbortSignal): Promise<string[]> {
  const loop = new WatchLoop(contextOf(fleet), DEFAULT_SECONDS * 1000);
  return described(await loop.use(parseRules(rules), signal), fleet, signal);
}

/**
 * Yields what happens to a fleet, as the rules say, until the signal fires, which ends the loop without an error. Rules may be a function, which is called before each read: if it
 * returns another object, its rules replace the others, all or none.
 *
 * An event counts as delivered once the loop asks for the next one. With a store, those that were not are yielded again by the next process,
 * with the same ids. What happened while nobody watched is noticed by the state that it left, and marked `late`.
 *
 * @throws {FleetError} `input` if the rules are wrong or a name in them is not certain; any other code if the fleet cannot be read from the
 * start, unless the failure may end by itself (`network`, `timeout`, `rateLimited`, `upstream`).
 *
 * @example
 * ```ts
 * import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
 * import { type WatchRules, watchFleet } from "@fleetwire/tools/watch";
 *
 * const fleet = createFleetTools(fleetToolsConfigFromEnv(process.env));
 * const rules: WatchRules = { rules: [{ id: "arrive", when: "arrives", vehicle: "Van 1", at: { location: "Lyon Depot" } }] };
 * for await (const event of watchFleet(fleet, rules)) console.log(event.text);
 * ```
 */
export async function* watchFleet(
  fleet: Pick<FleetTools, "tools">,
  rules: WatchRules | (() => WatchRules),
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent, void, void> {
  const { signal, everySeconds = DEFAULT_SECONDS, store = noStore } = options;
  if (!(everySeconds > 0)) throw new FleetError("config", "everySeconds must be a positive number");
  const interval = everySeconds * 1000;
  const current = () => (typeof rules === "function" ? rules() : rules);
  let given: WatchRules | undefined;
  let refused: WatchRules | undefined;
  let isRunning = false;
  const saved = await store.load();
  const loop = new WatchLoop(contextOf(fleet), interval, store, saved);

  /** Takes over rules that have changed. The first have to be right, later ones are refused if they are not. */
  const takeOver = async () => {
    let next: WatchRules | undefined;
    try {
      next = current();
      if (next === given || next === refused) return;
      const understood = await loop.use(parseRules(next), signal);
      [given, refused] = [next, undefined];
      isRunning = true;
      if (options.onRule) for (const words of await described(understood, fleet, signal)) notify(options.onRule, words);
    } catch (error) {
      if (!(isRunning && error instanceof FleetError && error.code === "input")) throw error;
      refused = next;
      notify(options.onRefusal, error);
    }
  };

  yield* handed(saved.pending, store);
  while (!signal?.aborted) {
    const begun = performance.now();
    try {
      await takeOver();
      yield* handed(await loop.poll(signal), store);
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof FleetError && isTransient(error))) throw error;
      notify(options.onFailure, error);
      yield* handed(await loop.failed(error.code), store);
    }
    if (options.untilNext) await options.untilNext();
    else await pause(Math.max(0, interval - (performance.now() - begun)), signal);
  }
}

async function* handed(events: readonly WatchEvent[], store: WatchStore): AsyncGenerator<WatchEvent, void, void> {
  for (const event of events) {
    yield event;
    await store.delivered(event.id);
  }
}
