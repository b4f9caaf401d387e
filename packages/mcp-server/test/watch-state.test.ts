import { createHash } from "node:crypto";
import { linkSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchEvent } from "@fleetwire/tools/watch";
import sqlite from "node-sqlite3-wasm";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { type Channel, channelsOf, deliver } from "../src/watch/channels.ts";
import { inMemory, Outbox } from "../src/watch/outbox.ts";
import { sqliteJournal } from "../src/watch/sqlite-journal.ts";
import { run } from "./run-program.ts";
import { start } from "./spawned-bin.ts";
import { failingVehicle, listening, SECRET, watchArguments, watching } from "./watch-under-test.ts";

const DAY = 86_400_000;
const CHANNEL = "--webhook";
const RECEIVERS = [{ name: CHANNEL, address: "https://example.com/hook" }];
const EVENT = { id: "e1", rule: "r1", when: "faultBegins", text: "a fault", at: "2026-11-20T08:00:00Z" } as unknown as WatchEvent;

const save = (outbox: Outbox) => outbox.save({ tracks: new Map([["v1", "{}"]]), events: [EVENT], readAt: 1, noData: undefined });

/** Uses an outbox, and closes what keeps it. */
async function withFile(path: string, use: (outbox: Outbox) => Promise<void>): Promise<void> {
  const journal = await sqliteJournal(path);
  await use(await Outbox.open(RECEIVERS, journal));
  await journal.close();
}

const webhookTo = (webhook: string, webhookPrivate: boolean) => channelsOf({ webhook, webhookPrivate }, SECRET)[0] as Channel;

interface Response {
  status: number;
  headers?: Record<string, string>;
}

/** Delivers what is in a store to a receiver that refuses once, with a response, until `end` is called. */
async function delivering(outbox: Outbox, response: Response) {
  const received: Response[] = [];
  const receiver = await listening(() => {
    const next = received.length === 0 ? response : { status: 204 };
    received.push(next);
    return next;
  });
  const [ending, cancelling] = [new AbortController(), new AbortController()];
  const pace = { look: 2, notify: () => {}, ending: ending.signal, cancelling: cancelling.signal };
  const ended = deliver(outbox, webhookTo(receiver, true), pace);
  onTestFinished(() => ending.abort());
  const end = async () => {
    ending.abort();
    await ended;
  };
  // Then the refusal has been noted.
  await expect.poll(() => received.length > 0 && outbox.due(CHANNEL, Date.now()) === undefined, { interval: 5 }).toBe(true);
  return { received, end };
}

const setClock = (ahead: number) => {
  vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true });
  vi.setSystemTime(Date.now() + ahead);
};

afterEach(() => void vi.useRealTimers());

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.each<[string, (use: (outbox: Outbox) => Promise<void>) => Promise<void>]>([
  ["a file", (use) => withFile(join(temporaryFolder(), "watch.db"), use)],
  ["memory", async (use) => use(await Outbox.open(RECEIVERS, inMemory))],
])("an event that has to be sent again, in %s", (_, using) => {
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
  ])("is sent again %s", (_, response, ahead, expected) =>
    using(async (outbox) => {
      await save(outbox);
      const { received, end } = await delivering(outbox, response);
      setClock(ahead);
      if (expected === "sent") await expect.poll(() => received, { interval: 5, timeout: 5_000 }).toHaveLength(2);
      else await pause(50);
      await end();
      expect(received).toHaveLength(expected === "sent" ? 2 : 1);
    }),
  );
});

it("is not sent again after a restart at a clock that was ahead, but at once when it is revived", async () => {
  const file = join(temporaryFolder(), "watch.db");
  setClock(400 * DAY);
  await withFile(file, async (outbox) => {
    await save(outbox);
    await (await delivering(outbox, { status: 503, headers: { "retry-after": "3600" } })).end();
  });
  await withFile(file, async (outbox) => {
    expect(outbox.due(CHANNEL, Date.now())).toBeUndefined();
    await outbox.revive(CHANNEL);
    expect(outbox.due(CHANNEL, Date.now())).toMatchObject({ event: EVENT });
  });
});

it.each<[string, (origin: string) => string, boolean, problem: string, expected: string[]]>([
  ["is not sent on after a redirect", (origin) => origin, true, "status 307", ["/hook"]],
  [
    "is not sent to a name that leads to a private address",
    (origin) => origin.replace("http:", "https:").replace("127.0.0.1", "localhost"),
    false,
    "the host name leads to a private address",
    [],
  ],
])("an event %s", async (_, address, isPrivate, problem, expected) => {
  const paths: string[] = [];
  const receiver = await listening((path) => {
    paths.push(path);
    return { status: 307, headers: { location: "/elsewhere" } };
  });
  const attempt = await webhookTo(`${address(receiver)}/hook`, isPrivate).send(EVENT, new AbortController().signal);
  expect([attempt.problem, attempt.isGone ?? false]).toEqual([problem, false]);
  expect(paths).toEqual(expected);
});

it.each([
  ...[
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "0x7f.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.1",
    "192.168.1.1",
    "198.18.0.1",
  ],
  ...["224.0.0.1", "240.0.0.1", "[::]", "[::1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2001::1]", "[2001:db8::1]", "[2002:7f00:1::1]"],
  ...["[fc00::1]", "[fe80::1]", "[fec0::1]", "[ff02::1]"],
])("nothing is sent to %s", (host) => {
  expect(() => webhookTo(`https://${host}/hook`, false)).toThrow(/--webhook: is a private address/);
});

it.each(["8.8.8.8", "[2606:4700::1111]", "example.com"])("something may be sent to %s", (host) => {
  expect(() => webhookTo(`https://${host}/hook`, false)).not.toThrow();
});

describe("a state file", () => {
  async function stateFile() {
    const file = join(temporaryFolder(), "watch.db");
    await withFile(file, save);
    return file;
  }

  function changed(file: string, sql: string): void {
    const database = new sqlite.Database(file);
    database.exec(sql);
    database.close();
  }

  /** Makes a file as earlier versions have. */
  function earlier(file: string, version: number, more = ""): void {
    rmSync(file, { force: true });
    const [event, dead] = [EVENT, { ...EVENT, id: "dead" }].map((one) => JSON.stringify(one));
    const address = createHash("sha256").update("https://example.com/hook").digest("base64url");
    changed(
      file,
      `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
      CREATE TABLE tracks (key TEXT PRIMARY KEY, track TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE events (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, event TEXT, saved INTEGER NOT NULL, isPending INTEGER NOT NULL);
      CREATE TABLE deliveries (id TEXT NOT NULL, channel TEXT NOT NULL, attempts INTEGER NOT NULL, next INTEGER NOT NULL, isDead INTEGER NOT NULL,
        ${version === 1 ? "" : "delay INTEGER NOT NULL DEFAULT 0, "}PRIMARY KEY (channel, id)) WITHOUT ROWID;
      INSERT INTO meta VALUES ('version', '${version}'), ('readAt', '1'), ('noData', 'n1'), ('disabled ${CHANNEL}', '${address}');
      INSERT INTO tracks VALUES ('v1', '{}');
      INSERT INTO events VALUES (1, 'gone', NULL, ${Date.now()}, 0), (2, 'dead', '${dead}', 1, 0), (3, 'e1', '${event}', 1, 1);
      INSERT INTO deliveries (id, channel, attempts, next, isDead) VALUES ('dead', '${CHANNEL}', 8, 0, 1), ('e1', '${CHANNEL}', 1, 5000, 0);
      ${more}`,
    );
  }

  const NEWER = "it was written by a newer version. Install that version, or name another file";
  const NOT_OURS = "it is not a state file of a watch, or it is damaged";

  it.each<[string, (file: string) => void, string]>([
    ["truncated", (file) => truncateSync(file, statSync(file).size / 2), NOT_OURS],
    ["overwritten in the middle", (file) => writeFileSync(file, readFileSync(file).fill(0x41, statSync(file).size / 2)), NOT_OURS],
    ["another database", (file) => changed(file, "DROP TABLE meta; CREATE TABLE meta (a)"), NOT_OURS],
    ["a text", (file) => writeFileSync(file, "not a database".repeat(100)), NOT_OURS],
    ["a track that is not JSON", (file) => changed(file, "UPDATE meta SET value = '{' WHERE name = 'track v1'"), NOT_OURS],
    [
      "an event without a text",
      (file) => changed(file, `UPDATE meta SET value = '{"event":{"id":"e1"}}' WHERE name = 'event e1'`),
      NOT_OURS,
    ],
    ["a time that is none", (file) => changed(file, `UPDATE meta SET value = '{"readAt":"x"}' WHERE name = 'read'`), NOT_OURS],
    ["a damaged one of an earlier version", (file) => earlier(file, 2, "UPDATE tracks SET track = '{'"), NOT_OURS],
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

  it.each([1, 2])("of version %i is continued", async (version) => {
    const file = join(temporaryFolder(), "watch.db");
    earlier(file, version);
    for (const time of ["first", "second"])
      await withFile(file, async (outbox) => {
        const { tracks, ...saved } = outbox.load();
        expect([...tracks], time).toEqual([["v1", "{}"]]);
        expect(saved).toEqual({ pending: [EVENT], readAt: 1, noData: "n1" });
        expect(outbox.due(CHANNEL, 5_000)).toEqual({ event: EVENT, attempts: 1 });
        expect([outbox.deadLetters(CHANNEL), outbox.isDisabled(CHANNEL)]).toEqual([1, true]);
        await outbox.save({ tracks: new Map(), events: [{ ...EVENT, id: "gone" }], readAt: 1, noData: "n1" });
      });
  });

  it("is used by one process at a time, whatever its name, until that is killed", async () => {
    const fleet = await failingVehicle();
    const { child, ended } = start(watchArguments(fleet), fleet.env);
    await new Promise((resolve) => child.stderr.once("data", resolve));
    expect(statSync(fleet.state).mode & 0o777).toBe(0o600);
    const names = [fleet.state, `${fleet.state}.link`, `${fleet.state}.hard`] as const;
    symlinkSync(fleet.state, names[1]);
    linkSync(fleet.state, names[2]);
    const open = () => Promise.allSettled(names.map(sqliteJournal));
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
