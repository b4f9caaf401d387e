import { createFleetTools } from "@fleetwire/tools";
import { explainRules, parseRules, type WatchEvent, watchFleet } from "@fleetwire/tools/watch";
import { settlesWithin } from "../limits.ts";
import { createLog } from "../log.ts";
import { deliver } from "../watch/deliver.ts";
import { rehearse } from "../watch/rehearse.ts";
import { rulesFile } from "../watch/rules-file.ts";
import { runProgram } from "../watch/run-program.ts";
import type { StateStore, WatchState } from "../watch/state-store.ts";
import { variablesBesideServer, watchConfigFromEnv, watchVariables } from "../watch/watch-variables.ts";
import { webhookTo } from "../watch/webhook.ts";
import { createFleet } from "./create-fleet.ts";
import { isTerminal, notify, print } from "./print.ts";
import { type CommandOptions, failConfiguration, openRuntime } from "./runtime.ts";
import { stateOf } from "./watch-state.ts";

export interface WatchCommandOptions extends CommandOptions {
  rules: string;
  state?: string;
  exec?: string;
  webhook?: string;
  webhookPrivate?: boolean;
  check?: boolean;
  resend?: boolean;
}

export interface WatchSeconds {
  /** Between two reads of the fleet. */
  every: number;
  /** Before an event is sent for the second time. */
  firstRetry?: number | undefined;
}

const SECOND = 1_000;
const REHEARSED_HOURS = 4;
/** How long a delivery in progress may delay the end, in milliseconds. */
const FINISH = 3_000;
/** How long a store may take to note what was cancelled, in milliseconds. */
const CANCEL = 1_000;

const lineOf = ({ at, text, late }: WatchEvent) => `${at.slice(0, 16).replace("T", " ")} UTC  ${text}${late ? " (noticed late)" : ""}`;

type Channel = Parameters<typeof deliver>[1];

function channelsOf({ exec, webhook, webhookPrivate = false }: WatchCommandOptions, secret: string | undefined): Channel[] {
  const sender = webhook === undefined ? undefined : webhookTo(webhook, secret, webhookPrivate);
  return [
    ...(exec === undefined
      ? []
      : [{ name: "--exec", address: exec, send: (event, signal) => runProgram(exec, event, signal), notify } satisfies Channel]),
    ...(sender ? [{ name: "--webhook", address: webhook as string, send: sender.send, notify }] : []),
  ];
}

async function check(tools: Parameters<typeof explainRules>[0], rules: ReturnType<ReturnType<typeof rulesFile>>): Promise<void> {
  print((await explainRules(tools, rules)).join("\n"));
  const { events, untried } = await rehearse(rules.rules, REHEARSED_HOURS);
  const heading = `In the last ${REHEARSED_HOURS} hours of the sandbox, whose vehicles are made up:`;
  print(
    ["", heading, ...(events.length === 0 ? ["nothing"] : events.map(lineOf)), ...untried.map((why) => `not tried: ${why}`)].join("\n"),
  );
}

/** Says which receivers do not get everything until the user decides otherwise. */
async function announceReceivers(store: StateStore, channels: readonly Channel[], isResent: boolean): Promise<void> {
  for (const { name } of channels) {
    if (isResent) await store.revive(name);
    const dead = store.deadLetters(name);
    if (store.isDisabled(name))
      notify(`${name}: disabled, since the receiver responded with 410; dead letters: ${dead}; add --resend to send there again`);
    else if (dead > 0) notify(`${name}: dead letters: ${dead}; add --resend to send them again`);
  }
}

interface Watched {
  events: (store: StateStore, signal: AbortSignal) => AsyncIterable<WatchEvent>;
  channels: readonly Channel[];
  pace: Pick<Parameters<typeof deliver>[2], "look" | "firstRetry">;
}

/** Prints and delivers what happens until the signal fires, or this process may no longer write to the store. */
async function watchWith(store: StateStore, { events, channels, pace }: Watched, signal: AbortSignal): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  if (signal.aborted) end();
  for (const either of [signal, store.lost]) either?.addEventListener("abort", end, { once: true });
  const cancelling = new AbortController();
  const delivering = Promise.all(
    channels.map((channel) => deliver(store, channel, { ...pace, ending: ending.signal, cancelling: cancelling.signal })),
  );
  // A store that fails ends the watch.
  delivering.catch(end);
  const finish = async () => {
    if (await settlesWithin(FINISH, delivering)) return;
    cancelling.abort();
    await settlesWithin(CANCEL, delivering);
  };
  try {
    for await (const event of events(store, ending.signal)) print(isTerminal() ? lineOf(event) : JSON.stringify(event));
    await finish();
  } catch (error) {
    end();
    // What is being delivered is marked as such, if that is possible, so that it is not sent again.
    await finish().catch(() => {});
    throw error;
  }
}

/** Watches whenever this process has the state. */
async function watchInTurns(state: WatchState, watched: Watched, isResent: boolean, signal: AbortSignal): Promise<void> {
  let isFirst = true;
  for (;;) {
    const store = await state.open(signal);
    if (!store) return;
    try {
      await announceReceivers(store, watched.channels, isResent && isFirst);
      isFirst = false;
      await watchWith(store, watched, signal);
    } catch (error) {
      if (!store.lost?.aborted) throw error;
    } finally {
      await store.close();
    }
    if (!store.lost?.aborted) return;
  }
}

/** Watches the fleet until it is interrupted, and prints what happens. */
export async function watch({ every, firstRetry }: WatchSeconds, options: WatchCommandOptions): Promise<void> {
  const ending = new AbortController();
  let state: WatchState | undefined;
  const { config, close } = await openRuntime(options, watchConfigFromEnv, watchVariables, variablesBesideServer);
  try {
    const current = rulesFile(options.rules, (problem) => problem !== undefined && notify(problem));
    parseRules(current());
    const tools = createFleetTools(config, {
      fleet: createFleet(config, createLog(config.log)),
      gazetteer: () => import("@fleetwire/tools/gazetteer"),
    });
    if (options.check) return await check(tools, current());
    const channels = channelsOf(options, config.webhookSecret);
    state = await stateOf(options.state, config, channels);
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ending.abort());
    const announced = new Set<string>();
    const onRule = (description: string) => {
      if (!announced.has(description)) notify(`watching ${description}`);
      announced.add(description);
    };
    const onRefusal = ({ message }: Error) => notify(`${message}; the rules before stay`);
    const events: Watched["events"] = (store, signal) =>
      watchFleet(tools, current, { signal, everySeconds: every, store, onRule, onRefusal });
    const pace = { look: every * SECOND, ...(firstRetry && { firstRetry: firstRetry * SECOND }) };
    await watchInTurns(state, { events, channels, pace }, options.resend ?? false, ending.signal);
  } catch (error) {
    ending.abort();
    failConfiguration(error);
  } finally {
    ending.abort();
    await state?.close();
    await close();
  }
}
