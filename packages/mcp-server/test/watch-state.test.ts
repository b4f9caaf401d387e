import { linkSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchEvent } from "@fleetwire/tools/watch";
import sqlite from "node-sqlite3-wasm";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { deliver } from "../src/watch/deliver.ts";
import { openStore } from "../src/watch/sqlite-store.ts";
import { type StateStore, stateInMemory } from "../src/watch/state-store.ts";
import { webhookTo } from "../src/watch/webhook.ts";
import { run } from "./run-program.ts";
import { start } from "./spawned-bin.ts";
import { failingVehicle, listening, SECRET, watchArguments, watching } from "./watch-under-test.ts";

const DAY = 86_400_000;
const CHANNEL = "--webhook";
const RECEIVERS = [{ name: CHANNEL, address: "https://example.com/hook" }];
const EVENT = { id: "e1", rule: "r1", when: "faultBegins", text: "a fault", at: "2026-11-20T08:00:00Z" } as unknown as WatchEvent;

const save = (store: StateStore) => store.save({ tracks: new Map([["v1", "{}"]]), events: [EVENT], readAt: 1, noData: undefined });

interface Response {
  status: number;
  headers?: Record<string, string>;
}

/** Delivers what is in a store to a receiver that refuses once, with a response, until `end` is called. */
async function delivering(store: StateStore, response: Response) {
  const received: Response[] = [];
  const receiver = await listening(() => {
    const next = received.length === 0 ? response : { status: 204 };
    received.push(next);
    return next;
  });
  const [ending, cancelling] = [new AbortController(), new AbortController()];
  const { send } = webhookTo(receiver, SECRET, true);
  const channel = { ...RECEIVERS[0], name: CHANNEL, address: receiver, send, notify: () => {} };
  const ended = deliver(store, channel, { look: 2, ending: ending.signal, cancelling: cancelling.signal });
  onTestFinished(() => ending.abort());
  const end = async () => {
    ending.abort();
    await ended;
  };
  // Then the refusal has been noted.
  await expect.poll(() => received.length > 0 && store.due(CHANNEL, Date.now()) === undefined, { interval: 5 }).toBe(true);
  return { received, end };
}

const setClock = (ahead: number) => {
  vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true });
  vi.setSystemTime(Date.now() + ahead);
};

afterEach(() => void vi.useRealTimers());

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.each<[string, () => Promise<StateStore>]>([
  ["a file", () => openStore(join(temporaryFolder(), "watch.db"), RECEIVERS)],
  ["memory, as a state in Redis has it too", async () => stateInMemory(RECEIVERS)],
])("an event that has to be sent again, in %s", (_, open) => {
  it.each<[string, Response, number, "sent" | "kept"]>([
    ["after 5 s, before", { status: 500 }, 0, "kept"],
    ["after 5 s", { status: 500 }, 6_000, "sent"],
    ["if the clock is set back by a day", { status: 500 }, -DAY, "sent"],
    ["when Retry-After says", { status: 429, headers: { "retry-after": "60" } }, 61_000, "sent"],
    [
      "when Retry-After says, as a date",
      { status: 503, headers: { "retry-after": new Date(Date.now() + 600_000).toUTCString() } },
      500_000,
      "kept",
    ],
    ["an hour later at most", { status: 503, headers: { "retry-after": "86400" } }, 3_601_000, "sent"],
    ["if the clock is set back while the receiver wants nothing", { status: 503, headers: { "retry-after": "60" } }, -DAY, "sent"],
  ])("is sent again %s", async (_, response, ahead, expected) => {
    const store = await open();
    await save(store);
    const { received, end } = await delivering(store, response);
    setClock(ahead);
    if (expected === "sent") await expect.poll(() => received, { interval: 5, timeout: 5_000 }).toHaveLength(2);
    else await pause(50);
    await end();
    expect(received).toHaveLength(expected === "sent" ? 2 : 1);
    await store.close();
  });
});

it("is not sent again after a restart at a clock that was ahead, but at once when it is revived", async () => {
  const file = join(temporaryFolder(), "watch.db");
  setClock(400 * DAY);
  const before = await openStore(file, RECEIVERS);
  await save(before);
  await (await delivering(before, { status: 503, headers: { "retry-after": "3600" } })).end();
  await before.close();
  const store = await openStore(file, RECEIVERS);
  expect(store.due(CHANNEL, Date.now())).toBeUndefined();
  await store.revive(CHANNEL);
  expect(store.due(CHANNEL, Date.now())).toMatchObject({ event: EVENT });
  await store.close();
});

it.each<[string, (origin: string) => string, boolean, why: string, expected: string[]]>([
  ["is not sent on after a redirect", (origin) => origin, true, "status 307", ["/hook"]],
  [
    "is not sent to a name that leads to a private address",
    (origin) => origin.replace("http:", "https:").replace("127.0.0.1", "localhost"),
    false,
    "the host name leads to a private address",
    [],
  ],
])("an event %s", async (_, address, isPrivate, why, expected) => {
  const paths: string[] = [];
  const receiver = await listening((path) => {
    paths.push(path);
    return { status: 307, headers: { location: "/elsewhere" } };
  });
  const { send } = webhookTo(`${address(receiver)}/hook`, SECRET, isPrivate);
  expect(await send(EVENT, new AbortController().signal)).toMatchObject({ isDelivered: false, why, isGone: false });
  expect(paths).toEqual(expected);
});

describe("a state file", () => {
  async function stateFile() {
    const file = join(temporaryFolder(), "watch.db");
    const store = await openStore(file, RECEIVERS);
    await save(store);
    await store.close();
    return file;
  }

  function changed(file: string, sql: string): void {
    const database = new sqlite.Database(file);
    database.exec(sql);
    database.close();
  }

  const NEWER = "it was written by a newer version. Install that version, or name another file";
  const NOT_OURS = "it is not a state file of a watch, or it is damaged";

  it.each<[string, (file: string) => void, string]>([
    ["truncated", (file) => truncateSync(file, statSync(file).size / 2), NOT_OURS],
    ["overwritten in the middle", (file) => writeFileSync(file, readFileSync(file).fill(0x41, statSync(file).size / 2)), NOT_OURS],
    ["another database", (file) => changed(file, "DROP TABLE events; CREATE TABLE events (a)"), NOT_OURS],
    ["a text", (file) => writeFileSync(file, "not a database".repeat(100)), NOT_OURS],
    ["a track that is not JSON", (file) => changed(file, "UPDATE tracks SET track = '{'"), NOT_OURS],
    ["a time that is none", (file) => changed(file, "UPDATE meta SET value = 'x' WHERE name = 'readAt'"), NOT_OURS],
    ["a newer version", (file) => changed(file, "UPDATE meta SET value = '99' WHERE name = 'version'"), NEWER],
  ])("is refused, and left as it is: %s", async (_, damage, problem) => {
    const fleet = { ...(await failingVehicle()), state: await stateFile() };
    damage(fleet.state);
    const before = readFileSync(fleet.state);
    const { code, stderr } = await run(watchArguments(fleet), fleet.env);
    const advice = problem === NOT_OURS ? ". Name another file, or restore this one from a backup" : "";
    expect([code, stderr]).toEqual([2, `fleetwire-mcp: --state ${fleet.state}: ${problem}${advice}\n`]);
    expect(readFileSync(fleet.state)).toEqual(before);
  });

  it("is refused in one line if it is a folder", async () => {
    const fleet = await failingVehicle();
    const { code, stderr } = await run(watchArguments({ ...fleet, state: temporaryFolder() }), fleet.env);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^fleetwire-mcp: --state \S+: it is a folder[^\n]*\n$/)]);
  });

  it("of an earlier version is continued", async () => {
    const file = await stateFile();
    changed(file, "ALTER TABLE deliveries DROP COLUMN delay; UPDATE meta SET value = '1' WHERE name = 'version'");
    const store = await openStore(file, RECEIVERS);
    await store.postpone(CHANNEL, EVENT.id, { next: Date.now() + 1_000, delay: 1_000 });
    expect([store.due(CHANNEL, Date.now()), store.due(CHANNEL, Date.now() + 2_000)]).toEqual([undefined, { event: EVENT, attempts: 1 }]);
    await store.close();
  });

  it("is used by one process at a time, whatever its name, until that is killed", async () => {
    const fleet = await failingVehicle();
    const { child, ended } = start(watchArguments(fleet), fleet.env);
    await new Promise((resolve) => child.stderr.once("data", resolve));
    expect(statSync(fleet.state).mode & 0o777).toBe(0o600);
    const names = [fleet.state, `${fleet.state}.link`, `${fleet.state}.hard`] as const;
    symlinkSync(fleet.state, names[1]);
    linkSync(fleet.state, names[2]);
    const open = () => Promise.allSettled(names.map((name) => openStore(name, RECEIVERS)));
    for (const outcome of await open())
      expect(outcome).toMatchObject({ reason: { message: expect.stringContaining("is in use by another process") } });
    child.kill("SIGKILL");
    await ended;
    const outcomes = await open();
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
    for (const outcome of outcomes) if (outcome.status === "fulfilled") await outcome.value.close();
  });
});

it("the watch ends within five seconds of a signal while a receiver sends its response a byte at a time, or a program takes its time", async () => {
  const receiver = await listening(() => ({ status: 200, body: "slow" }));
  const program = join(temporaryFolder(), "slow");
  writeFileSync(program, "#!/bin/sh\nexec sleep 60\n", { mode: 0o700 });
  const fleet = await failingVehicle();
  const watch = watching(fleet, "--exec", program, "--webhook", receiver, "--webhook-private");
  await fleet.read(2);
  fleet.begin();
  await fleet.read(4);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const ended = watch.stop();
  await vi.advanceTimersByTimeAsync(4_000);
  vi.useRealTimers();
  expect((await ended).code).toBe(0);
});
