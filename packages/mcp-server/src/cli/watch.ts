import { createFleetTools } from "@fleetwire/tools";
import { explainRules, parseRules, type WatchEvent, watchFleet } from "@fleetwire/tools/watch";
import { settlesWithin } from "../limits.ts";
import { createLog } from "../log.ts";
import { serverConfigFromEnv } from "../server-config.ts";
import { deliver, outboxInMemory } from "../watch/deliver.ts";
import { rehearse } from "../watch/rehearse.ts";
import { rulesFile } from "../watch/rules-file.ts";
import { runProgram } from "../watch/run-program.ts";
import { openStore, type SqliteStore } from "../watch/sqlite-store.ts";
import { watchVariables } from "../watch/watch-variables.ts";
import { webhookTo } from "../watch/webhook.ts";
import { createFleet } from "./create-fleet.ts";
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

const REHEARSED_HOURS = 4;
/** How long a delivery in progress may delay the end, in milliseconds. */
const FINISH = 5_000;

const lineOf = ({ at, text, late }: WatchEvent) => `${at.slice(0, 16).replace("T", " ")} UTC  ${text}${late ? " (noticed late)" : ""}`;

type Channel = Parameters<typeof deliver>[1];

function channelsOf({ exec, webhook, webhookPrivate = false }: WatchCommandOptions, secret: string | undefined): Channel[] {
  const sender = webhook === undefined ? undefined : webhookTo(webhook, secret, webhookPrivate);
  return [
    ...(exec === undefined ? [] : [{ name: "--exec", address: exec, send: (event: WatchEvent) => runProgram(exec, event), notify }]),
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
function announceReceivers(store: SqliteStore, names: readonly string[], isResent = false): void {
  for (const name of names) {
    if (isResent) store.revive(name, Date.now());
    const dead = store.deadLetters(name);
    if (store.isDisabled(name))
      notify(`${name}: disabled, since the receiver responded with 410; dead letters: ${dead}; add --resend to send there again`);
    else if (dead > 0) notify(`${name}: dead letters: ${dead}; add --resend to send them again`);
  }
}

/** Watches the fleet until it is interrupted, and prints what happens. */
export async function watch(every: number, options: WatchCommandOptions): Promise<void> {
  let store: SqliteStore | undefined;
  let delivering: Promise<unknown> | undefined;
  const ending = new AbortController();
  const { config, close } = await openRuntime(options, serverConfigFromEnv, watchVariables);
  try {
    const current = rulesFile(options.rules, notify);
    parseRules(current());
    const tools = createFleetTools(config, {
      fleet: createFleet(config, createLog(config.log)),
      gazetteer: () => import("@fleetwire/tools/gazetteer"),
    });
    if (options.check) return await check(tools, current());
    const channels = channelsOf(options, process.env["FLEET_WEBHOOK_SECRET"]);
    const names = channels.map(({ name }) => name);
    if (options.state !== undefined) store = await openStore(options.state, channels);
    if (store) announceReceivers(store, names, options.resend);
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ending.abort());
    const memory = outboxInMemory(names);
    delivering = Promise.all(channels.map((channel) => deliver(store ?? memory, channel, ending.signal)));
    // A store that fails ends the watch.
    delivering.catch(() => ending.abort());
    const events = watchFleet(tools, current, {
      signal: ending.signal,
      everySeconds: every,
      store,
      onRule: (description) => notify(`watching ${description}`),
      onRefusal: ({ message }) => notify(`${message}; the rules before stay`),
    });
    for await (const event of events) {
      if (!store) memory.add(event);
      print(isTerminal() ? lineOf(event) : JSON.stringify(event));
    }
    await settlesWithin(FINISH, delivering);
    store?.close();
  } catch (error) {
    ending.abort();
    // What is being delivered is marked as such, if that is possible, so that it is not sent again.
    if (delivering) await settlesWithin(FINISH, delivering).catch(() => {});
    store?.close();
    failConfiguration(error);
  } finally {
    ending.abort();
    await close();
  }
}
