import { spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, recordingServer } from "./recording-server.ts";

const never: Answer = () => {};

it("a program that aborts the signal of 60 calls ends by itself, without a warning", { timeout: 30_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-aborting-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "program.mjs");
  const entryPoints = [fileURLToPath(new URL("aborting-program.ts", import.meta.url))];
  await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  const server = await recordingServer((response, { url }) => {
    if (url.startsWith("/begun")) response.writeHead(200).write('[{"assetId":"v1"},');
  });
  const child = spawn(process.execPath, [program, server.origin], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect({ exitCode, stderr, ends: stdout.replaceAll("aborted,done", "done").trim().split("\n") }).toEqual({
    exitCode: 0,
    stderr: "",
    ends: [
      ...["reads", "streams without a response", "streams", "watches", "calls that wait for a token"].map((kind) => `${kind}: aborted`),
      ...["creations", "paged lists"].map((kind) => `${kind}: aborted`),
      ...["abandoned streams", "abandoned watches"].map((kind) => `${kind}: done`),
    ],
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
