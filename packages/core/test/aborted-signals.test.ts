import { spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, recordingServer } from "./recording-server.ts";

let program = "";

// Nine processes start sooner from one file.
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-aborting-"));
  program = join(folder, "program.mjs");
  const entryPoints = [fileURLToPath(new URL("aborting-program.ts", import.meta.url))];
  await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  return () => rmSync(folder, { recursive: true });
});

const never: Answer = () => {};
const startOfList: Answer = (response) => void response.writeHead(200).write('[{"assetId":"v1"},');

/** A program whose 60 calls on one signal are aborted once the server has received some of them. */
async function abortedProgram(kind: string, answer: Answer, arrivals: number) {
  const server = await recordingServer(answer);
  const child = spawn(process.execPath, [program, server.origin, kind], { stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  await server.arrived(arrivals);
  child.stdin.write("abort\n");
  const [exitCode] = await once(child, "close", { signal: AbortSignal.timeout(15_000) });
  return { exitCode, stdout: stdout.trim(), stderr };
}

describe("a program ends by itself after it aborts the signal of", { timeout: 30_000 }, () => {
  it.each([
    { kind: "reads", answer: never, arrivals: 50, end: "aborted" },
    { kind: "streams", answer: never, arrivals: 50, end: "aborted" },
    { kind: "streams", answer: startOfList, arrivals: 50, end: "aborted" },
    { kind: "watches", answer: never, arrivals: 50, end: "aborted" },
    { kind: "calls that wait for a token", answer: never, arrivals: 1, end: "aborted" },
    { kind: "creations", answer: never, arrivals: 1, end: "aborted" },
    { kind: "paged lists", answer: never, arrivals: 1, end: "aborted" },
    { kind: "abandoned streams", answer: startOfList, arrivals: 50, end: "aborted,done" },
    { kind: "abandoned watches", answer: startOfList, arrivals: 50, end: "aborted,done" },
  ])("60 $kind", async ({ kind, answer, arrivals, end }) => {
    const { exitCode, stdout, stderr } = await abortedProgram(kind, answer, arrivals);
    expect({ exitCode, stderr, ends: stdout.split(",").sort().join() }).toEqual({ exitCode: 0, stderr: "", ends: end });
  });
});

describe("60 calls on one signal", () => {
  it("add one listener to it, and none stays once they are done", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: [{ assetId: "v1" }] }] });
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, "abort").length;
    const calls = Array.from({ length: 60 }, () => fleet.listLivePositions({}, { signal }));
    await api.arrived(50);
    expect(listeners()).toBe(1);
    await Promise.all(calls);
    for await (const _ of fleet.listLivePositions.iterate({}, { signal }));
    for await (const _ of fleet.watchPositions({}, { signal })) break;
    expect(listeners()).toBe(0);
  });

  it("leave nothing for a later call to wait for, if all are aborted while they wait for a token", async () => {
    const { fleet, auth } = await fleetUnderTest({ auth: [never, tokenAnswer("canary-T2")] });
    const controller = new AbortController();
    const calls = Array.from({ length: 60 }, () => fleet.listTireEvents({}, { signal: controller.signal }));
    await auth.arrived(1);
    controller.abort();
    const later = fleet.listTireEvents();
    const codes = (await Promise.allSettled(calls)).map((end) => end.status === "rejected" && end.reason.code);
    expect([...new Set(codes)]).toEqual(["aborted"]);
    expect(await later).toEqual([]);
    expect(auth.requests).toHaveLength(2);
  });
});
