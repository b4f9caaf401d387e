import { FleetError } from "@fleetwire/core";
import { createFleetTools } from "@fleetwire/tools";
import { explainRules, parseRules, type WatchEvent, watchFleet } from "@fleetwire/tools/watch";
import { settlesWithin } from "../limits.ts";
import { createLog } from "../log.ts";
import { withPackage } from "../optional-package.ts";
import { type Channel, channelsOf, deliver } from "../watch/channels.ts";
import { inMemory, Outbox, type WatchState } from "../watch/outbox.ts";
import { lineOf, rehearse, rulesFile } from "../watch/rules.ts";
import { variablesBesideServer, type WatchConfig, watchConfigFromEnv, watchVariables } from "../watch/watch-variables.ts";
import { createFleet } from "./create-fleet.ts";
import { REDIS_CLIENT, sharedRedis } from "./http-config.ts";
import { isTerminal, notify, print } from "./print.ts";
import { type CommandOptions, failConfiguration, openRuntime } from "./runtime.ts";

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
/** How long a delivery in progress may delay the end, in milliseconds. */
const FINISH = 3_000;
/** How long a store may take to note what was cancelled, in milliseconds. */
const CANCEL = 1_000;

const STATE_NAME = /^[\w.-]{1,64}$/;

/** The name in `redis` or `redis:NAME`; undefined if the text is a file. */
function redisName(text: string): string | undefined {
  const found = /^redis(?::(.*))?$/s.exec(text);
  if (!found) return undefined;
  const [, name = "default"] = found;
  if (STATE_NAME.test(name)) return name;
  throw new FleetError(
    "config",
    "--state redis: a name such as redis:north has at most 64 letters, digits, dots, hyphens and underscores",
    { advice: "The address of Redis belongs in FLEET_REDIS_URL" },
  );
}

/** Where `--state` says that the state is kept; without it, nowhere. */
async function stateOf(text: string | undefined, { redisUrl, sealKey, customerId }: WatchConfig): Promise<WatchState> {
  const close = async () => {};
  if (text === undefined) return { open: async () => inMemory, close };
  const name = redisName(text);
  if (name === undefined) {
    const { sqliteJournal } = await import("../watch/sqlite-journal.ts");
    return { open: () => sqliteJournal(text), close };
  }
  const redis = sharedRedis(redisUrl, sealKey);
  if (!redis) throw new FleetError("config", "--state redis needs FLEET_REDIS_URL", { advice: "Set it to the address of Redis or Valkey" });
  const { redisState } = await withPackage(REDIS_CLIENT, () => import("../watch/redis-journal.ts"));
  return redisState({ ...redis, name, customerId, notify });
}

/** Says which receivers do not get everything until the user decides otherwise. */
async function announceReceivers(outbox: Outbox, channels: readonly Channel[], isResent: boolean): Promise<void> {
  for (const { name } of channels) {
    if (isResent) await outbox.revive(name);
    const dead = outbox.deadLetters(name);
    if (outbox.isDisabled(name))
      notify(`${name}: disabled, since the receiver responded with 410; dead letters: ${dead}; add --resend to send there again`);
    else if (dead > 0) notify(`${name}: dead letters: ${dead}; add --resend to send them again`);
  }
}

interface Watched {
  events: (outbox: Outbox, signal: AbortSignal) => AsyncIterable<WatchEvent>;
  channels: readonly Channel[];
  pace: Pick<Parameters<typeof deliver>[2], "look" | "firstRetry">;
}

/** Prints and delivers what happens until the signal fires. */
async function watchWith(outbox: Outbox, { events, channels, pace }: Watched, signal: AbortSignal): Promise<void> {
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  const cancelling = new AbortController();
  const delivering = Promise.all(
    channels.map((channel) => deliver(outbox, channel, { ...pace, notify, ending, cancelling: cancelling.signal })),
  );
  // A journal that fails ends the watch.
  delivering.catch(() => failing.abort());
  const finish = async () => {
    if (await settlesWithin(FINISH, delivering)) return;
    cancelling.abort();
    await settlesWithin(CANCEL, delivering);
  };
  try {
    for await (const event of events(outbox, ending)) print(isTerminal() ? lineOf(event) : JSON.stringify(event));
    await finish();
  } catch (error) {
    failing.abort();
    // What is being delivered is marked as such, if that is possible, so that it is not sent again.
    await finish().catch(() => {});
    throw error;
  }
}

/** Watches whenever this process has the state. */
async function watchInTurns(state: WatchState, watched: Watched, isResent: boolean, signal: AbortSignal): Promise<void> {
  let isFirst = true;
  for (;;) {
    const journal = await state.open(signal);
    if (!journal) return;
    const { lost } = journal;
    try {
      const outbox = await Outbox.open(watched.channels, journal);
      await announceReceivers(outbox, watched.channels, isResent && isFirst);
      isFirst = false;
      await watchWith(outbox, watched, lost ? AbortSignal.any([signal, lost]) : signal);
    } catch (error) {
      if (!lost?.aborted) throw error;
    } finally {
      await journal.close();
    }
    if (!lost?.aborted) return;
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
    if (options.check) {
      const rules = current();
      print((await explainRules(tools, rules)).join("\n"));
      return print(["", ...(await rehearse(rules.rules))].join("\n"));
    }
    const channels = channelsOf(options, config.webhookSecret);
    state = await stateOf(options.state, config);
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
