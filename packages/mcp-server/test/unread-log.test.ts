import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { fleetService, type Script } from "../../tools/test/served-fleet.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { BIN, cleanEnv, messagesIn } from "./spawned-bin.ts";

const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
const created: Script = { createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) };
const CREATE = { name: "create_job", arguments: { address: "Lyon" } };

/** A server whose stderr the test controls, and its responses. */
async function serverWith(stderr: "pipe" | number) {
  const service = await fleetService(created);
  const env = cleanEnv({ ...environmentOf(service.origin), FLEET_LOG: "warn" });
  const child = spawn(process.execPath, [BIN], { env, stdio: ["pipe", "pipe", stderr] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let received = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  const lines = () => received.split("\n").slice(0, -1);
  const write = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const calls = async (count: number, call: object) => {
    for (let id = 1; id <= count; id++) write({ id, method: "tools/call", params: call });
    await expect.poll(() => lines().length).toBe(count + 1);
    return JSON.parse(lines().at(-1) ?? "");
  };
  write({ id: 0, method: "initialize", params });
  await expect.poll(() => lines().length).toBe(1);
  return { child, calls, service };
}

it("a log that nobody reads blocks neither calls nor shutdown", async () => {
  const { child, calls } = await serverWith("pipe");
  // More lines than a pipe can buffer.
  await calls(800, { name: "locate_vehicle", arguments: { nope: 1 } });
  child.stdin?.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});

it("a log that cannot be written fails no write", async () => {
  const { calls, service } = await serverWith(openSync("/dev/full", "w"));
  const { result } = await calls(1, CREATE);
  expect(result.structuredContent.job.jobNumber).toBe(service.of("createJob")[0]?.body.jobNumber);
});

it.each([
  ["warn", ["sending", "sent"]],
  ["error", []],
  ["silent", []],
])("a log of the level %s has of a write the lines %j", async (level, expected) => {
  const { origin } = await fleetService(created);
  const ended = await run(["call", "create_job", '{"address": "Lyon"}'], { ...environmentOf(origin), FLEET_LOG: level });
  expect([ended.code, ended.stderr === "" ? [] : messagesIn(ended.stderr)]).toEqual([0, expected]);
});
