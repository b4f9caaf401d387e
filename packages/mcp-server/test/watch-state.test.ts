import { linkSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import sqlite from "node-sqlite3-wasm";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { run } from "./run-program.ts";
import { start } from "./spawned-bin.ts";
import { failingVehicle, folder, listening, SECRET } from "./watch-under-test.ts";

type Fleet = Awaited<ReturnType<typeof failingVehicle>>;

/** Without a state, its name is empty. */
const argsOf = ({ rules }: Fleet, state: string, ...more: string[]) => [
  ...["watch", "--rules", rules, "--every", "0.05"],
  ...(state === "" ? [] : ["--state", state]),
  ...more,
];

/** Runs `fleetwire-mcp watch` in this process until `stop` is called. */
function watching(fleet: Fleet, ...more: string[]) {
  const before = process.listeners("SIGTERM");
  const ended = run(argsOf(fleet, fleet.state, ...more), { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET });
  return () => {
    for (const listener of process.listeners("SIGTERM")) if (!before.includes(listener)) listener("SIGTERM");
    return ended;
  };
}

const DAY = 86_400_000;

afterEach(() => void vi.useRealTimers());

/** A watch with one event that its receiver has refused once, and what the receiver does next. */
async function refusedOnce(response: { status: number; retryAfter?: string }, isInMemory = false) {
  const started = await failingVehicle();
  const fleet = isInMemory ? { ...started, state: "" } : started;
  let next: { status: number; retryAfter?: string } = response;
  const received: string[] = [];
  const receiver = await listening((_, { body }) => {
    received.push((JSON.parse(body) as { data: { cause: { code: string } } }).data.cause.code);
    return next;
  });
  const hook = ["--webhook", receiver, "--webhook-private"];
  const stop = watching(fleet, ...hook);
  await fleet.read();
  fleet.begin();
  await expect.poll(() => received, { timeout: 20_000 }).toEqual(["P1001"]);
  next = { status: 204 };
  // By then, the watch has noted the refusal.
  await fleet.read(1);
  return { fleet, hook, stop, received };
}

const setClock = (ahead: number) => {
  vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true });
  vi.setSystemTime(Date.now() + ahead);
};

describe("an event that has to be sent again", () => {
  it.each<[string, { status: number; retryAfter?: string }, number, "sent" | "kept"]>([
    ["after 5 s, before", { status: 500 }, 0, "kept"],
    ["after 5 s", { status: 500 }, 6_000, "sent"],
    ["if the clock is set back by a day", { status: 500 }, -DAY, "sent"],
    ["if the clock is set back by 400 days", { status: 500 }, -400 * DAY, "sent"],
    ["when Retry-After says, before", { status: 503, retryAfter: "60" }, 50_000, "kept"],
    ["when Retry-After says", { status: 429, retryAfter: "60" }, 61_000, "sent"],
    ["when Retry-After says, as a date", { status: 503, retryAfter: new Date(Date.now() + 600_000).toUTCString() }, 500_000, "kept"],
    ["an hour later at most", { status: 503, retryAfter: "86400" }, 3_601_000, "sent"],
    ["if the clock is set back while the receiver wants nothing", { status: 503, retryAfter: "60" }, -DAY, "sent"],
    ["if Retry-After is garbage", { status: 503, retryAfter: "soon" }, 6_000, "sent"],
  ])(
    "is sent again %s",
    async (_, response, ahead, expected) => {
      const { fleet, stop, received } = await refusedOnce(response);
      setClock(ahead);
      if (expected === "sent") await expect.poll(() => received, { timeout: 10_000 }).toHaveLength(2);
      else await fleet.read(2);
      await stop();
      expect(received).toEqual(expected === "sent" ? ["P1001", "P1001"] : ["P1001"]);
    },
    30_000,
  );

  it("is sent again if the clock is set back by a day, from the outbox in memory that a state in Redis has too", async () => {
    const { stop, received } = await refusedOnce({ status: 500 }, true);
    setClock(-DAY);
    await expect.poll(() => received, { timeout: 10_000 }).toHaveLength(2);
    await stop();
  }, 30_000);

  it("is sent again after a restart at a clock that was ahead, and at once with --resend", async () => {
    setClock(400 * DAY);
    const { fleet, hook, stop, received } = await refusedOnce({ status: 503, retryAfter: "3600" });
    await stop();
    const early = watching(fleet, ...hook);
    await fleet.read(2);
    await early();
    expect(received).toEqual(["P1001"]);
    const resent = watching(fleet, ...hook, "--resend");
    await fleet.read(2);
    await resent();
    expect(received).toEqual(["P1001", "P1001"]);
  }, 60_000);
});

/** A state file as a watch has left it. */
async function stateOf(fleet: Fleet): Promise<void> {
  const stop = watching(fleet);
  await fleet.read();
  fleet.begin();
  await fleet.read();
  await stop();
}

const NOT_OURS = "it is not a state file of a watch, or it is damaged. Name another file, or restore this one from a backup";

function changed(file: string, sql: string): void {
  const database = new sqlite.Database(file);
  database.exec(sql);
  database.close();
}

it("says in one line what is wrong with a state file", async () => {
  const fleet = await failingVehicle();
  await stateOf(fleet);
  const good = readFileSync(fleet.state);
  const cases: [string, (file: string) => void, string][] = [
    ["truncated", (file) => truncateSync(file, good.length / 2), NOT_OURS],
    ["truncated in its first page", (file) => truncateSync(file, 100), NOT_OURS],
    ["overwritten in the middle", (file) => writeFileSync(file, Buffer.from(good).fill(0x41, good.length / 2)), NOT_OURS],
    ["a text", (file) => writeFileSync(file, "{}"), NOT_OURS],
    ["another database", (file) => changed(file, "DROP TABLE events; CREATE TABLE events (a)"), NOT_OURS],
    ["a track that is not JSON", (file) => changed(file, "UPDATE tracks SET track = '{'"), NOT_OURS],
    ["a track of another kind", (file) => changed(file, "UPDATE tracks SET track = 'null'"), NOT_OURS],
    ["an event of another kind", (file) => changed(file, "UPDATE events SET event = '{}', isPending = 1"), NOT_OURS],
    ["a time that is none", (file) => changed(file, "UPDATE meta SET value = 'x' WHERE name = 'readAt'"), NOT_OURS],
    [
      "a newer version",
      (file) => changed(file, "UPDATE meta SET value = '99' WHERE name = 'version'"),
      "it was written by a newer version. Install that version, or name another file",
    ],
  ];
  const said = new Map<string, string>();
  for (const [name, damage] of cases) {
    writeFileSync(fleet.state, good);
    damage(fleet.state);
    const { code, stderr } = await run(argsOf(fleet, fleet.state), fleet.env);
    said.set(name, `${code} ${stderr}`);
  }
  const line = (problem: string) => `2 fleetwire-mcp: --state ${fleet.state}: ${problem}\n`;
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(cases.map(([name, , problem]) => [name, line(problem)])));
  const directory = `${fleet.state}.folder`;
  mkdirSync(directory);
  expect((await run(argsOf(fleet, directory), fleet.env)).stderr).toBe(
    `fleetwire-mcp: --state ${directory}: it is a folder. Name a file in it\n`,
  );
}, 60_000);

it("continues with the state file of an earlier version", async () => {
  const fleet = await failingVehicle();
  await stateOf(fleet);
  changed(fleet.state, "ALTER TABLE deliveries DROP COLUMN delay; UPDATE meta SET value = '1' WHERE name = 'version'");
  const stop = watching(fleet);
  await fleet.read();
  expect((await stop()).code).toBe(0);
}, 30_000);

it("lets one of several processes use a state file, whatever its name and however the one before ended", async () => {
  const fleet = await failingVehicle();
  const begin = (state: string) => start(argsOf(fleet, state), fleet.env);
  /** Whether a process watches, or what it says instead. */
  const outcome = async ({ child, ended }: ReturnType<typeof start>) => {
    const isWatching = new Promise<string>((resolve) => {
      child.stderr.on("data", (chunk: string) => chunk.includes("watching") && resolve("watching"));
    });
    return Promise.race([isWatching, ended.then(({ stderr }) => stderr)]);
  };
  const first = begin(fleet.state);
  expect(await outcome(first)).toBe("watching");
  expect(statSync(fleet.state).mode & 0o777).toBe(0o600);
  const [link, hardLink] = [`${fleet.state}.link`, `${fleet.state}.hard`];
  symlinkSync(fleet.state, link);
  linkSync(fleet.state, hardLink);
  for (const name of [fleet.state, link, hardLink]) expect(await outcome(begin(name))).toContain(`${name} is in use by another process`);
  let before = [first];
  for (let round = 0; round < 3; round++) {
    for (const { child } of before) child.kill("SIGKILL");
    await Promise.all(before.map(({ ended }) => ended));
    before = [link, fleet.state, link, fleet.state].map(begin);
    const outcomes = await Promise.all(before.map(outcome));
    expect(outcomes.filter((one) => one === "watching")).toHaveLength(1);
    expect(outcomes.filter((one) => one.includes("is in use by another process"))).toHaveLength(3);
  }
}, 120_000);

it.each<[string, (folder: string) => Promise<string[]>]>([
  [
    "a receiver sends its response a byte at a time",
    async () => {
      const server = createServer((socket) => {
        const sending = setInterval(() => socket.write("H"), 100);
        socket.on("error", () => {}).on("close", () => clearInterval(sending));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      return ["--webhook", `http://127.0.0.1:${(server.address() as AddressInfo).port}`, "--webhook-private"];
    },
  ],
  [
    "a program takes its time",
    async (path) => {
      writeFileSync(`${path}/slow`, "#!/bin/sh\nexec sleep 60\n", { mode: 0o700 });
      return ["--exec", `${path}/slow`];
    },
  ],
])(
  "ends within five seconds of a signal while %s",
  async (_, receiver) => {
    const fleet = await failingVehicle();
    const watch = start(argsOf(fleet, fleet.state, ...(await receiver(folder()))), { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET });
    await fleet.read();
    fleet.begin();
    await watch.lines(1);
    await fleet.read(2);
    const since = performance.now();
    watch.child.kill("SIGTERM");
    expect((await watch.ended).code).toBe(0);
    expect(performance.now() - since).toBeLessThan(5_000);
  },
  60_000,
);
