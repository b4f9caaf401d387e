import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LivePosition } from "@fleetwire/core";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";

const bin = fileURLToPath(new URL("../dist/fleetwire-sandbox.js", import.meta.url));
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

function start(...flags: string[]) {
  if (!existsSync(bin)) throw new Error("This test runs the built command: build this package first");
  const child = spawn(process.execPath, [bin, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  const output = { out: "", err: "" };
  child.stdout.on("data", (text) => {
    output.out += text;
  });
  child.stderr.on("data", (text) => {
    output.err += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const ready = new Promise<{ origin: string; env: Record<string, string> }>((resolve, reject) => {
    child.stdout.on("data", () => {
      if (output.out.startsWith("{") && output.out.endsWith("\n")) resolve(JSON.parse(output.out));
    });
    child.on("close", () => reject(new Error(output.err)));
  });
  ready.catch(() => undefined);
  return { child, output, ended, ready };
}

describe("fleetwire-sandbox", () => {
  test("prints its origin and client environment as one line of JSON", async () => {
    const { output, ready } = start("--port", "0", "--seed", "3", "--vehicles", "20");
    const { origin, env } = await ready;
    expect(output.out.trim().split("\n")).toHaveLength(1);
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(Object.keys(env).sort()).toEqual([
      "FLEET_API_HOST",
      "FLEET_AUTH_URL",
      "FLEET_BASE_URL",
      "FLEET_CLIENT_ID",
      "FLEET_CLIENT_SECRET",
      "FLEET_CUSTOMER_ID",
      "FLEET_FLEET_URL",
      "FLEET_JOB_URL",
      "FLEET_TACHO_URL",
    ]);
    const authorization = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
    const url = `${env["FLEET_BASE_URL"]}/public/v1/customer/${env["FLEET_CUSTOMER_ID"]}/tracking/live`;
    const response = await fetch(`${url}?vehicleIds=secret`, { headers: { authorization } });
    expect(response.status).toBe(200);
    await expect.poll(() => output.err).toMatch(/GET +\/core\/public\/v1\/customer\/\w+\/tracking\/live 200 \d+ ms\n$/);
    expect(output.err).not.toContain("secret");
    expect(output.err).not.toContain(env["FLEET_CLIENT_SECRET"]);
  });

  test.each([
    ["nonstop", "2026-11-22T03:00:00Z@0", "driving"],
    ["week", "2026-11-22T03:00:00Z@0", "stopped"],
  ])("with --rhythm %s and --clock %s, truck 12 is %s", async (rhythm, clock, eventType) => {
    const { env } = await start("--rhythm", rhythm, "--clock", clock).ready;
    const authorization = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
    const live = async () =>
      (
        await fetch(`${env["FLEET_BASE_URL"]}/public/v1/customer/${env["FLEET_CUSTOMER_ID"]}/tracking/live`, { headers: { authorization } })
      ).json();
    const records = (await live()) as LivePosition[];
    expect(records.find(({ assetName }) => assetName === "Truck 12")?.eventType).toBe(eventType);
    for (const { date = "" } of records) expect(date <= "2026-11-22T03:00:00Z").toBe(true);
    expect(await live()).toEqual(records);
  });

  test("refuses an oversized body over HTTP, and keeps running", async () => {
    const { ready } = start("--port", "0");
    const { env } = await ready;
    const basic = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
    const url = `${env["FLEET_BASE_URL"]}/public/v1/customer/${env["FLEET_CUSTOMER_ID"]}/group`;
    const headers = { authorization: basic, "content-type": "application/json;charset=UTF-8" };
    const body = JSON.stringify({ id: "a", name: "n".repeat(2_000_000) });
    for (let round = 0; round < 3; round++) expect((await fetch(url, { method: "PUT", headers, body })).status).toBe(413);
    expect((await fetch(url, { method: "PUT", headers, body: "{}" })).status).toBe(400);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("exits cleanly on %s, even with an open client connection", async (signal) => {
    const { child, ended, ready } = start("--port", "0");
    const { origin } = await ready;
    await (await fetch(origin)).text();
    child.kill(signal);
    expect(await ended).toBe(0);
  });

  test("names a busy port in one line", async () => {
    const busy = createServer();
    await once(busy.listen(0, "127.0.0.1"), "listening");
    const { port } = busy.address() as AddressInfo;
    const { ended, output } = start("--port", String(port));
    expect(await ended).toBe(2);
    busy.close();
    expect(output.out).toBe("");
    expect(output.err.trim().split("\n")).toEqual([expect.stringContaining(`port ${port} is in use`)]);
  });

  test("imitates the deployment in --profile, and says how", async () => {
    const seen = { basis: "observed", records: 9, of: 9, from: "2026-11-19T08:00:00Z", until: "2026-11-20T08:00:00Z" };
    const values = (path: string, value: string) => ({
      ...{ fact: "values", operation: "listLivePositions", path, values: [{ value, records: 9 }], withheld: 0, ...seen },
    });
    const folder = mkdtempSync(join(tmpdir(), "fleetwire-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "profile.json");
    const unknown = { fact: "pageSize", operation: "listVehicleFaults", which: "default", size: 900, ...seen };
    const facts = [values("$[*].status", "In use\u001b[2J"), values("$[*].locationGroupName", "DEPOT"), unknown];
    writeFileSync(file, JSON.stringify({ version: 1, facts }));
    const { output, ready } = start("--port", "0", "--profile", file);
    const { env } = await ready;
    const authorization = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
    const url = `${env["FLEET_BASE_URL"]}/public/v1/customer/${env["FLEET_CUSTOMER_ID"]}/tracking/live`;
    const positions = (await (await fetch(url, { headers: { authorization } })).json()) as LivePosition[];
    expect(new Set(positions.map(({ status }) => status))).toEqual(new Set(["In use\u001b[2J"]));
    expect(output.err.split("\n").slice(0, 4)).toEqual([
      "profile: 3 facts",
      "profile: $[*].status: ACTIVE becomes In use [2J",
      "profile: not imitated: pages that are larger than the sandbox's: listVehicleFaults",
      "profile: not imitated: the values of 1 other fields",
    ]);
  });

  test.each([
    ["--profile", "/no/such/profile.json"],
    ["--profile", bin],
    ["--vehicles", "0"],
    ["--port", "70000"],
    ["--seed", "one"],
    ["--group-lists", "merge"],
    ["--clock", "noon"],
    ["--clock", "@fast"],
    ["--rhythm", "slow"],
    ["--cors", "*"],
    ["--cors", "http://localhost:5173/"],
    ["--no-such-flag"],
    ["surplus"],
  ])("refuses %s %s with code 2 and one line on stderr", async (...flags) => {
    const { ended, output } = start(...flags);
    expect(await ended).toBe(2);
    expect(output.out).toBe("");
    expect(output.err).toMatch(/^fleetwire-sandbox: .+\n$/);
  });

  test("prints its version", async () => {
    const { ended, output } = start("--version");
    expect([await ended, output.out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  test("has complete help", async () => {
    const { ended, output } = start("--help");
    expect(await ended).toBe(0);
    const documented = (text: string, form: RegExp) => [...new Set([...text.matchAll(form)].map(([, name]) => name))].sort();
    const flags = documented(output.out, /^ {2}(--[a-z-]+)/gm);
    expect(flags).toEqual(documented(readme, /^\| `(--[a-z-]+)`/gm));
    const [, faultTable = ""] = readme.split("## Faults on demand");
    const cells = [...faultTable.matchAll(/^\| ([^|]+)\|/gm)].map(([, cell]) => cell).join();
    expect(documented(output.out, /^ {2}([a-z0-9-]+) {2,}/gm)).toEqual(documented(cells, /`([a-z0-9-]+)/g));
  });
});
