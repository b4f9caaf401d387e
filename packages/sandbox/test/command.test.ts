import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { LivePosition } from "@fleetwire/core";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

const bin = fileURLToPath(new URL("../dist/fleetwire-sandbox.js", import.meta.url));
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const { as } = callSandbox({ vehicles: 1 });
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

function start(...flags: string[]) {
  if (!existsSync(bin)) throw new Error("This test runs the built command: build this package first");
  const child = spawn(process.execPath, [bin, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  const output = { out: "", err: "" };
  child.stdout.on("data", (text) => (output.out += text));
  child.stderr.on("data", (text) => (output.err += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const ready = new Promise<{ origin: string; env: Record<string, string> }>((resolve, reject) => {
    child.stdout.on("data", () => output.out.startsWith("{") && output.out.endsWith("\n") && resolve(JSON.parse(output.out)));
    child.on("close", () => reject(new Error(output.err)));
  });
  ready.catch(() => undefined);
  return { child, output, ended, ready };
}

const get = async (env: Record<string, string>, query = "") => {
  const { urls, basic } = as(env);
  return (await (await fetch(urls.live + query, { headers: basic })).json()) as LivePosition[];
};

test("prints its origin and client environment as one line of JSON, and logs without queries or credentials", async () => {
  const { child, ended, output, ready } = start("--port", "0", "--seed", "3", "--vehicles", "20");
  const { origin, env } = await ready;
  expect(output.out.trim().split("\n")).toHaveLength(1);
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const names = ["API_HOST", "AUTH_URL", "BASE_URL", "CLIENT_ID", "CLIENT_SECRET", "CUSTOMER_ID", "FLEET_URL", "JOB_URL", "TACHO_URL"];
  expect(Object.keys(env).sort()).toEqual(names.map((name) => `FLEET_${name}`));
  expect(await get(env, "?vehicleIds=secret")).toEqual([]);
  await expect.poll(() => output.err).toMatch(/GET +\/core\/public\/v1\/customer\/\w+\/tracking\/live 200 \d+ ms\n$/);
  expect(output.err).not.toContain("secret");
  expect(output.err).not.toContain(env["FLEET_CLIENT_SECRET"]);
  // An oversized body over HTTP is refused, and does not stop it.
  const { urls, basic, json } = as(env);
  const put = async (body: string) => (await fetch(urls.group, { method: "PUT", headers: { ...basic, ...json }, body })).status;
  expect([await put(`{"id":"${"n".repeat(2_000_000)}"}`), await put("{}")]).toEqual([413, 400]);
  expect((await get(env)).find(({ assetName }) => assetName === "Truck 12")?.eventType).toBe("driving");
  // The connection of the client is open.
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});

test("shows the week that was asked for at an instant, and ends on SIGTERM", async () => {
  const { child, ended, ready } = start("--rhythm", "week", "--clock", "2026-11-22T03:00:00Z@0");
  const { env } = await ready;
  const records = await get(env);
  expect(records.find(({ assetName }) => assetName === "Truck 12")?.eventType).toBe("stopped");
  for (const { date = "" } of records) expect(date <= "2026-11-22T03:00:00Z").toBe(true);
  expect(await get(env)).toEqual(records);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("names a busy port in one line", async () => {
  const busy = createServer();
  onTestFinished(() => void busy.close());
  await once(busy.listen(0, "127.0.0.1"), "listening");
  const { port } = busy.address() as AddressInfo;
  const { ended, output } = start("--port", String(port));
  expect([await ended, output.out, output.err]).toEqual([2, "", expect.stringMatching(`^[^\n]*port ${port} is in use[^\n]*\n$`)]);
});

test("refuses wrong flags with code 2 and one line on stderr", async () => {
  const wrong = ["--vehicles 0", "--seed one", "--rhythm slow", "--clock @fast"];
  const refused = [...wrong, "--cors *", "--no-such-flag", "surplus"].map(async (flags) => {
    const { ended, output } = start(...flags.split(" "));
    expect([flags, await ended, output.out, output.err]).toEqual([flags, 2, "", expect.stringMatching(/^fleetwire-sandbox: .+\n$/)]);
  });
  await Promise.all(refused);
});

test("prints its version, and complete help", async () => {
  const version = start("--version");
  expect([await version.ended, version.output.out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  const { ended, output } = start("--help");
  expect(await ended).toBe(0);
  const documented = (text: string, form: RegExp) => [...new Set([...text.matchAll(form)].map(([, name]) => name))].sort();
  const flags = documented(output.out, /^ {2}(--[a-z-]+)/gm);
  expect(flags).toEqual(documented(readme, /^\| `(--[a-z-]+)`/gm));
  const [, faultTable = ""] = readme.split("## Faults on demand");
  const cells = [...faultTable.matchAll(/^\| ([^|]+)\|/gm)].map(([, cell]) => cell).join();
  expect(documented(output.out, /^ {2}([a-z0-9-]+) {2,}/gm)).toEqual(documented(cells, /`([a-z0-9-]+)/g));
});
