import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { run } from "./run-program.ts";
import { type Spawned, start } from "./spawned-bin.ts";
import { killedWatch } from "./watch-kills.ts";
import { dataOf, failingVehicle, folder, listening, SECRET } from "./watch-under-test.ts";

it("loses and doubles nothing, however often it is killed", () => killedWatch(3), 240_000);

it("refuses a second process on the same file, and one that is not a state file", async () => {
  const fleet = await failingVehicle();
  const args = ["watch", "--rules", fleet.rules, "--every", "1", "--state", fleet.state];
  const first = start(args, fleet.env);
  await vi.waitFor(() => expect(existsSync(fleet.state)).toBe(true), 20_000);
  const second = await start(args, fleet.env).ended;
  expect(second.code).toBe(2);
  expect(second.stderr).toMatch(/is in use by another process/);
  first.child.kill("SIGTERM");
  await first.ended;
  expect(existsSync(`${fleet.state}.pid`)).toBe(false);
  writeFileSync(fleet.state, "not a database, but a text that is long enough to be one".repeat(20));
  const third = await start(args, fleet.env).ended;
  expect(third.stderr).toMatch(/not a state file of a watch/);
  expect(readFileSync(fleet.state, "utf8")).toMatch(/^not a database/);
}, 60_000);

it.each<[string, string[], Record<string, string>, RegExp]>([
  ["a private address", ["--webhook", "https://10.1.2.3/x"], {}, /--webhook: is a private address/],
  ["plain http", ["--webhook", "http://example.com/x"], {}, /--webhook: must begin with https/],
  ["no secret", ["--webhook", "https://example.com/x"], { FLEET_WEBHOOK_SECRET: "" }, /needs FLEET_WEBHOOK_SECRET/],
  ["a missing folder", ["--state", "/nowhere/watch.db"], {}, /--state \/nowhere\/watch\.db: it cannot be opened/],
])("refuses %s", async (_, args, env, message) => {
  const fleet = await failingVehicle();
  const ended = await run(["watch", "--rules", fleet.rules, ...args], { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET, ...env });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(message);
});

it.each<[string, { status: number; location?: string }, (origin: string) => string[], RegExp, string[]]>([
  [
    "does not follow a redirect",
    { status: 307, location: "/elsewhere" },
    (origin) => [`${origin}/hook`, "--webhook-private"],
    /status 307; the event is sent again later/,
    ["/hook"],
  ],
  [
    "does not connect to a name that leads to a private address",
    { status: 204 },
    (origin) => [`${origin.replace("http:", "https:").replace("127.0.0.1", "localhost")}/hook`],
    /--webhook: the host name leads to a private address; the event is sent again later/,
    [],
  ],
])("%s", async (_, response, webhook, message, expected) => {
  const fleet = await failingVehicle();
  const paths: string[] = [];
  const receiver = await listening((path) => {
    paths.push(path);
    return response;
  });
  const args = ["watch", "--rules", fleet.rules, "--every", "1", "--webhook", ...webhook(receiver)];
  const watch = start(args, { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET });
  const adding = setInterval(fleet.begin, 500);
  onTestFinished(() => clearInterval(adding));
  const [line = ""] = await watch.lines(1);
  expect(JSON.parse(line)).toMatchObject({ rule: "fault", when: "faultBegins", vehicle: { name: "Van 1" } });
  await vi.waitFor(() => expect(watch.stderr()).toMatch(message), 20_000);
  watch.child.kill("SIGTERM");
  await watch.ended;
  expect([...new Set(paths)]).toEqual(expected);
}, 60_000);

it("sends nothing more to a receiver that is gone, not even after a restart, until it is told to or has another address", async () => {
  const fleet = await failingVehicle();
  const received: string[] = [];
  let status = 410;
  const receiver = await listening((path, one) => {
    received.push(`${path} ${dataOf(one).cause.code}`);
    return { status };
  });
  const watch = async (path: string, more: string[], until: (watch: Spawned) => Promise<unknown>) => {
    const common = ["watch", "--rules", fleet.rules, "--every", "1", "--state", fleet.state, "--webhook-private"];
    const running = start([...common, "--webhook", `${receiver}/${path}`, ...more], { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET });
    await vi.waitFor(() => expect(running.stderr()).toMatch(/watching/), 20_000);
    // The first poll has been saved once the next one begins.
    const polls = fleet.polls();
    await vi.waitFor(() => expect(fleet.polls()).toBeGreaterThan(polls + 1), 20_000);
    fleet.begin();
    await vi.waitFor(async () => expect((await running.lines(1)).join()).toContain(fleet.codes().at(-1)), 20_000);
    await until(running);
    running.child.kill("SIGTERM");
    return (await running.ended).stderr;
  };
  const isGone = (running: Spawned) => vi.waitFor(() => expect(running.stderr()).toMatch(/status 410/), 20_000);
  const hears = (one: string) => () => vi.waitFor(() => expect(received).toContain(one), 20_000);
  expect(await watch("hook", [], isGone)).toMatch(/--webhook: status 410: the receiver wants no more events; they are kept as dead letters/);
  status = 204;
  expect(await watch("hook", [], async () => {})).toMatch(
    /--webhook: disabled, since the receiver responded with 410; dead letters: 1; add --resend to send there again/,
  );
  expect(await watch("other", [], hears("/other P1003"))).not.toMatch(/disabled/);
  expect(received.filter((one) => one.startsWith("/hook"))).toEqual(["/hook P1001"]);
  expect(await watch("hook", ["--resend"], hears("/hook P1004"))).not.toMatch(/disabled|dead/);
  const [, ...delivered] = received;
  expect(delivered.map((one) => one.split(" ")[1]).sort()).toEqual(["P1001", "P1002", "P1003", "P1004"]);
}, 120_000);

/** Makes the writes of a program fail with the error that a file names, if there is one. */
function failingDisk(path: string) {
  const [script, problem] = [join(path, "disk.cjs"), join(path, "problem")];
  writeFileSync(
    script,
    `const fs = require("node:fs");
const { openSync, writeSync } = fs;
const current = () => (fs.existsSync(${JSON.stringify(problem)}) ? fs.readFileSync(${JSON.stringify(problem)}, "utf8") : "");
const fail = (code) => { throw Object.assign(new Error(code), { code }); };
fs.writeSync = (file, ...rest) => (file > 2 && current() === "ENOSPC" ? fail("ENOSPC") : writeSync(file, ...rest));
fs.openSync = (name, flags, ...rest) =>
  current() === "EROFS" && String(name).endsWith(".db") && flags !== "r" && flags !== 0 ? fail("EROFS") : openSync(name, flags, ...rest);
require("node:module").syncBuiltinESMExports();
`,
  );
  return {
    env: { NODE_OPTIONS: `--require ${script}` },
    fail: (code: string) => writeFileSync(problem, code),
    work: () => rmSync(problem),
  };
}

it("ends with one line if the disk is full or the state cannot be written, and delivers each event once", async () => {
  const fleet = await failingVehicle();
  const received: string[] = [];
  const receiver = await listening((_, one) => {
    received.push(dataOf(one).cause.code);
    return { status: 204 };
  });
  const disk = failingDisk(folder());
  const args = ["watch", "--rules", fleet.rules, "--every", "1", "--state", fleet.state, "--webhook", receiver, "--webhook-private"];
  const watch = () => start(args, { ...fleet.env, ...disk.env, FLEET_WEBHOOK_SECRET: SECRET });
  const nextPolls = async () => {
    const polls = fleet.polls();
    await vi.waitFor(() => expect(fleet.polls()).toBeGreaterThan(polls + 1), 20_000);
  };
  const problems = ({ stderr }: { stderr: string }) => stderr.split("\n").filter((line) => line !== "" && !line.includes("watching"));
  const full = watch();
  await vi.waitFor(() => expect(full.stderr()).toMatch(/watching/), 20_000);
  await nextPolls();
  fleet.begin();
  await vi.waitFor(() => expect(received).toEqual(["P1001"]), 20_000);
  // Until then, the delivery has been saved.
  await nextPolls();
  disk.fail("ENOSPC");
  fleet.begin();
  const ended = await full.ended;
  expect(ended.code).toBe(2);
  expect(problems(ended)).toEqual([expect.stringMatching(/--state .*: the disk is full. Free some space, then start the watch again: nothing is lost$/)]);
  disk.fail("EROFS");
  const readOnly = await watch().ended;
  expect(readOnly.code).toBe(2);
  expect(problems(readOnly)).toEqual([expect.stringMatching(/--state .*: it cannot be written. Make the file and its folder writable for this user$/)]);
  disk.work();
  const running = watch();
  await vi.waitFor(() => expect(received).toHaveLength(2), 20_000);
  await nextPolls();
  running.child.kill("SIGTERM");
  expect(problems(await running.ended)).toEqual([]);
  expect(received).toEqual(["P1001", "P1002"]);
}, 120_000);

it("runs a program for each event, without the settings of the server", async () => {
  const fleet = await failingVehicle();
  const path = folder();
  const [program, output] = [join(path, "told.mjs"), join(path, "out")];
  const script = `#!${process.execPath}
import { appendFileSync, readFileSync } from "node:fs";
const names = Object.keys(process.env).filter((name) => name.startsWith("FLEET_"));
appendFileSync(${JSON.stringify(output)}, JSON.stringify({ names, event: JSON.parse(readFileSync(0, "utf8")) }) + "\\n");
`;
  writeFileSync(program, script, { mode: 0o700 });
  const watch = start(["watch", "--rules", fleet.rules, "--every", "1", "--exec", program], fleet.env);
  const adding = setInterval(fleet.begin, 500);
  onTestFinished(() => clearInterval(adding));
  await vi.waitFor(() => expect(existsSync(output)).toBe(true), 30_000);
  const [line = ""] = readFileSync(output, "utf8").split("\n");
  expect(JSON.parse(line)).toMatchObject({ names: [], event: { rule: "fault" } });
  watch.child.kill("SIGTERM");
  await watch.ended;
}, 60_000);
