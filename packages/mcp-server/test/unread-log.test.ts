import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { fleetService, type Script } from "../../tools/test/fleet-service.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { BIN, cleanEnv, messagesIn } from "./spawned-bin.ts";

const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const INITIALIZE = line({
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});

/** A server whose stderr the test controls, and its responses. */
async function serverWith(stderr: "pipe" | number, env: Record<string, string>) {
  const child = spawn(process.execPath, [BIN], { env: cleanEnv(env), stdio: ["pipe", "pipe", stderr] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let received = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  const responses = () =>
    received
      .split("\n")
      .slice(0, -1)
      .map((text) => JSON.parse(text));
  const calls = async (count: number, params: object) => {
    const before = responses().length;
    for (let id = 1; id <= count; id++) child.stdin?.write(line({ id: before + id, method: "tools/call", params }));
    await expect.poll(() => responses().length).toBe(before + count);
    return responses().slice(before);
  };
  child.stdin?.write(INITIALIZE);
  await expect.poll(() => responses().length).toBe(1);
  return { child, calls };
}

const created: Script = { createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) };

describe("an unwritable log", () => {
  it("blocks neither calls nor shutdown if stderr is not read", async () => {
    const { origin } = await fleetService({});
    const { child, calls } = await serverWith("pipe", { ...environmentOf(origin), FLEET_LOG: "warn" });
    // More lines than a pipe can buffer.
    await calls(800, { name: "locate_vehicle", arguments: { nope: 1 } });
    child.stdin?.end();
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });

  it("fails no write if stderr cannot be written", async () => {
    const service = await fleetService(created);
    const full = openSync("/dev/full", "w");
    const { calls } = await serverWith(full, { ...environmentOf(service.origin), FLEET_LOG: "warn" });
    const [response] = await calls(1, { name: "create_job", arguments: { address: "Lyon" } });
    expect(response.result.structuredContent.job.jobNumber).toBe(service.of("createJob")[0]?.body.jobNumber);
  });
});

it.each([
  ["info", ["sending", "sent", "tool call"]],
  ["warn", ["sending", "sent"]],
])("a log of the level %s has of a write the lines %j", async (level, expected) => {
  const { origin } = await fleetService(created);
  const { child, calls } = await serverWith("pipe", { ...environmentOf(origin), FLEET_LOG: level });
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  await calls(1, { name: "create_job", arguments: { address: "Lyon" } });
  child.stdin?.end();
  await once(child, "close");
  expect(messagesIn(log)).toEqual(expected);
});

it.each(["error", "silent"])("a log of the level %s has nothing of a write", async (level) => {
  const { origin } = await fleetService(created);
  const ended = await run(["call", "create_job", '{"address": "Lyon"}'], { ...environmentOf(origin), FLEET_LOG: level });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
});
