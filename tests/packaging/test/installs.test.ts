import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSandbox } from "@fleetwire/sandbox";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { blocksIn, document } from "../src/document-programs.ts";
import { type PackedPackage, packPackage, runProgram } from "../src/packed-package.ts";

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
const packed = new Map<string, PackedPackage>();
const folders: string[] = [];

const npmInstall = (folder: string, ...packages: string[]) =>
  runProgram("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packages], folder);

/** An empty folder into which npm has installed these packages of the workspace. */
async function installed(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-install-"));
  folders.push(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "user", private: true }));
  await npmInstall(folder, ...names.map((name) => packed.get(name)?.tarball ?? ""));
  return folder;
}

/** The packages of other authors in a folder. */
async function othersIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, "node_modules"));
  const inScopes = entries.filter((name) => name.startsWith("@") && name !== "@fleetwire");
  const scoped = inScopes.map(async (scope) => (await readdir(join(folder, "node_modules", scope))).map((name) => `${scope}/${name}`));
  return [...entries.filter((name) => /^[^.@]/.test(name)), ...(await Promise.all(scoped)).flat()].sort();
}

function start(folder: string, program: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(folder, "node_modules/.bin", program), ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return { printed: () => stderr, ended: once(child, "close").then(([code]) => ({ code, stderr })) };
}

/** A copy of a folder into which npm has installed the server. */
let server: string;
async function withServer(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-install-"));
  folders.push(folder);
  await cp(server, folder, { recursive: true, verbatimSymlinks: true });
  return folder;
}

beforeAll(async () => {
  for (const name of ["core", "driving-time", "sandbox", "tools", "mcp-server", "contract-tests"])
    packed.set(name, await packPackage(name));
  server = await installed("core", "driving-time", "tools", "mcp-server");
}, 240_000);

afterAll(async () => {
  for (const { remove } of packed.values()) await remove();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

it("the server installs only what the libraries need, no Redis client, and says how to install one if FLEET_REDIS_URL is set", {
  timeout: 180_000,
}, async () => {
  const folder = await withServer();
  expect(await othersIn(folder)).toEqual(["@noble/hashes", "destr", "leven", "node-fetch-native", "ofetch", "ufo", "zod"]);
  const args = ["http", "--sandbox", "--port", "0"];
  const env = { FLEET_REDIS_URL: "redis://127.0.0.1:1", FLEET_SEAL_KEY: Buffer.alloc(32, 1).toString("base64") };
  const { code, stderr } = await start(folder, "fleetwire-mcp", args, env).ended;
  expect(code).toBe(2);
  expect(stderr.trimEnd().split("\n").at(-1)).toMatch(
    /"msg":".*FLEET_REDIS_URL needs @redis\/client, which is not installed\. .*: npm install @fleetwire\/mcp-server @redis\/client@6"\}$/,
  );
  expect(stderr).not.toContain("Require stack");

  await npmInstall(folder, "@redis/client@6");
  const started = start(folder, "fleetwire-mcp", args, env);
  await expect.poll(started.printed, { timeout: 60_000 }).toContain("ready at http://127.0.0.1:");
});

it("the server's handler needs nothing else, not even types; its factory for programs that use the SDK needs the SDK", {
  timeout: 180_000,
}, async () => {
  const folder = await withServer();
  await writeFile(
    join(folder, "handler.mts"),
    'import { createFetchHandler } from "@fleetwire/mcp-server/fetch";\nexport const handler: unknown = createFetchHandler;\n',
  );
  await writeFile(
    join(folder, "factory.mts"),
    'import { createServerFactory } from "@fleetwire/mcp-server";\nexport const factory: unknown = createServerFactory;\n',
  );
  const options = ["--ignoreConfig", "--module", "NodeNext", "--target", "ES2023", "--lib", "ES2023,DOM", "--strict"];
  const compile = (file: string, ...more: string[]) => runProgram(process.execPath, [TSC, ...options, ...more, file], folder);
  const evaluate = (file: string) => runProgram(process.execPath, [file], folder);
  await compile("handler.mts");
  await evaluate("handler.mjs");
  await expect(compile("factory.mts")).rejects.toThrow("@modelcontextprotocol/server");

  await npmInstall(folder, "@modelcontextprotocol/server@2");
  // The SDK's own declarations need those of Node.
  await compile("factory.mts", "--skipLibCheck");
  await evaluate("factory.mjs");
});

it("the server installs no OpenTelemetry, and says how to install it if a variable asks for it", { timeout: 180_000 }, async () => {
  const folder = await withServer();
  expect((await othersIn(folder)).filter((name) => name.startsWith("@opentelemetry/"))).toEqual([]);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
  const message =
    /^(.*"msg":")?.*configuration: the OTEL_ variables need @opentelemetry\/sdk-node, which is not installed\. .*: npm install @fleetwire\/mcp-server @opentelemetry\/sdk-node@0\.223.*$/;
  for (const args of [
    ["stdio", "--sandbox"],
    ["http", "--sandbox", "--port", "0"],
  ]) {
    const { code, stderr } = await start(folder, "fleetwire-mcp", args, env).ended;
    expect(code).toBe(2);
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(message);
    expect(stderr).not.toContain("Require stack");
  }
});

it("the client's commands to get started run the program of a page in an empty folder", {
  timeout: 180_000,
}, async () => {
  const [install = "", run = ""] = blocksIn(document("client.md"), "sh", "Get started");
  const [program = ""] = blocksIn(document("operations/list-live-positions.md"), "ts");
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-start-"));
  folders.push(folder);
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const { env } = await sandbox.listen();
  const settings = Object.entries(env).map((pair) => `${pair.join("=")}\n`);
  await Promise.all([writeFile(join(folder, "positions.ts"), program), writeFile(join(folder, ".env"), settings.join(""))]);
  await runProgram("sh", ["-ec", install.replace("@fleetwire/core", packed.get("core")?.tarball ?? "")], folder);
  const onNode20 = run.split("\n").find((line) => line.includes("tsx")) ?? "";
  expect(await runProgram("sh", ["-c", onNode20], folder)).toMatch(/ drives at /);
});

it("the contract checker installs neither tools nor a server", { timeout: 180_000 }, async () => {
  const folder = await installed("core", "driving-time", "sandbox", "contract-tests");
  expect(await othersIn(folder)).toEqual([
    "any-ascii",
    "commander",
    "destr",
    "fast-check",
    "node-fetch-native",
    "ofetch",
    "pure-rand",
    "ufo",
    "zod",
  ]);
  const { code, stderr } = await start(folder, "fleetwire-contract", ["verify", "--sandbox"]).ended;
  expect({ code, stderr }).toMatchObject({ code: 0 });
});
