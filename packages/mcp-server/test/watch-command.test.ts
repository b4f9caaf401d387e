import fs, { existsSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { run } from "./run-program.ts";
import { dataOf, failingVehicle, killedWatch, listening, SECRET, watching } from "./watch-under-test.ts";

it("loses and doubles nothing, however often it is killed", () => killedWatch(2));

it.each<[string, string[], Record<string, string>, RegExp]>([
  ["a private address", ["--webhook", "https://10.1.2.3/x"], {}, /--webhook: is a private address/],
  ["no secret", ["--webhook", "https://example.com/x"], { FLEET_WEBHOOK_SECRET: "" }, /needs FLEET_WEBHOOK_SECRET/],
  ["a missing folder", ["--state", "/nowhere/watch.db"], {}, /--state \/nowhere\/watch\.db: it cannot be opened/],
  ["Redis without an address", ["--state", "redis"], {}, /--state redis needs FLEET_REDIS_URL/],
  ["an address as a name", ["--state", "redis://127.0.0.1"], {}, /--state redis: a name such as redis:north has .*FLEET_REDIS_URL/],
])("refuses %s", async (_, args, env, message) => {
  const fleet = await failingVehicle();
  const ended = await run(["watch", "--rules", fleet.rules, ...args], { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET, ...env });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(message);
});

it("prints what it notices, and sends nothing more to a receiver that is gone, not even after a restart, until it is told to or has another address", async () => {
  const fleet = await failingVehicle();
  const received: string[] = [];
  let status = 410;
  const receiver = await listening((path, one) => {
    received.push(`${path} ${dataOf(one).cause.code}`);
    return { status };
  });
  const stderrOf = async (path: string, count: number, ...more: string[]) => {
    const watch = watching(fleet, "--webhook-private", "--webhook", `${receiver}/${path}`, ...more);
    await fleet.read(2);
    fleet.begin();
    await fleet.read(4);
    await expect.poll(() => received).toHaveLength(count);
    const { stdout, stderr } = await watch.stop();
    expect(JSON.parse(stdout)).toMatchObject({ rule: "fault", when: "faultBegins", vehicle: { name: "Van 1" } });
    return stderr;
  };
  expect(await stderrOf("hook", 1)).toMatch(/--webhook: status 410: the receiver wants no more events; they are kept as dead letters/);
  status = 204;
  expect(await stderrOf("hook", 1)).toMatch(
    /--webhook: disabled, since the receiver responded with 410; dead letters: 1; add --resend to send there again/,
  );
  expect(await stderrOf("other", 2)).not.toMatch(/disabled/);
  expect(received).toEqual(["/hook P1001", "/other P1003"]);
  expect(await stderrOf("hook", 5, "--resend")).not.toMatch(/disabled|dead/);
  expect(received.slice(2).sort()).toEqual(["/hook P1001", "/hook P1002", "/hook P1004"]);
});

/** Makes it impossible to write a state file, or anything beside it, for as long as there is a problem. */
function failingDisk(state: string) {
  let problem: "ENOSPC" | "EROFS" | undefined;
  const files = new Set<number>();
  const { openSync, writeSync } = fs;
  const fail = (code: string) => {
    throw Object.assign(new Error(code), { code });
  };
  fs.openSync = (path, flags, mode) => {
    const isState = String(path).startsWith(state);
    if (isState && problem === "EROFS" && flags !== 0) fail(problem);
    const file = openSync(path, flags, mode);
    if (isState) files.add(file);
    return file;
  };
  fs.writeSync = (file: number, ...rest: unknown[]) => {
    if (problem !== undefined && files.has(file)) fail(problem);
    return Reflect.apply(writeSync, fs, [file, ...rest]);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { openSync, writeSync });
    syncBuiltinESMExports();
  });
  return (code: typeof problem) => {
    problem = code;
  };
}

it("ends with one line if the disk is full or the state cannot be written, and delivers each event once", async () => {
  const fleet = await failingVehicle();
  const received: string[] = [];
  const receiver = await listening((_, one) => {
    received.push(dataOf(one).cause.code);
    return { status: 204 };
  });
  const disk = failingDisk(fleet.state);
  const watch = () => watching(fleet, "--webhook", receiver, "--webhook-private");
  const problems = ({ stderr }: { stderr: string }) => stderr.split("\n").filter((line) => line !== "" && !line.includes("watching"));
  const full = watch();
  await fleet.read(2);
  fleet.begin();
  await expect.poll(() => received).toEqual(["P1001"]);
  await fleet.read(2);
  disk("ENOSPC");
  fleet.begin();
  const ended = await full.ended;
  expect(ended.code).toBe(2);
  expect(problems(ended)).toEqual([
    `fleetwire-mcp: --state ${fleet.state}: the disk is full. Free some space, then start the watch again: nothing is lost`,
  ]);
  disk("EROFS");
  const readOnly = await watch().ended;
  expect(readOnly.code).toBe(2);
  expect(problems(readOnly)).toEqual([
    `fleetwire-mcp: --state ${fleet.state}: it cannot be written. Make the file and its folder writable for this user`,
  ]);
  disk(undefined);
  const again = watch();
  await expect.poll(() => received).toEqual(["P1001", "P1002"]);
  await fleet.read(2);
  expect(problems(await again.stop())).toEqual([]);
  expect(received).toHaveLength(2);
});

it("runs a program for each event, without the settings of the server", async () => {
  const fleet = await failingVehicle();
  const path = temporaryFolder();
  const [program, output] = [join(path, "told.mjs"), join(path, "out")];
  const script = `#!${process.execPath}
import { appendFileSync, readFileSync } from "node:fs";
const names = Object.keys(process.env).filter((name) => name.startsWith("FLEET_"));
appendFileSync(${JSON.stringify(output)}, JSON.stringify({ names, event: JSON.parse(readFileSync(0, "utf8")) }) + "\\n");
`;
  writeFileSync(program, script, { mode: 0o700 });
  const watch = watching({ ...fleet, state: "" }, "--exec", program);
  await fleet.read(2);
  fleet.begin();
  await vi.waitFor(() => expect(existsSync(output)).toBe(true), 30_000);
  await watch.stop();
  const [line = ""] = readFileSync(output, "utf8").split("\n");
  expect(JSON.parse(line)).toMatchObject({ names: [], event: { rule: "fault" } });
});
