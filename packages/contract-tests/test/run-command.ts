import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Ended, runInProcess } from "../../../tests/vitest/run-in-process.ts";
import { print, printError, say } from "../src/cli/output.ts";
import { runProgram } from "../src/cli/program.ts";
import { fixtureText, loadFixtures } from "../src/index.ts";

const BIN = fileURLToPath(new URL("../dist/fleetwire-contract.js", import.meta.url));

/** Writes a fixture of this package as a file of its own, as recordings are. */
export function copyFixture(name: string, folder: string): string {
  const { id: _, ...fixture } = loadFixtures().find(({ id }) => id === `documented/${name}`) ?? {};
  const file = join(folder, "one.json");
  writeFileSync(file, fixtureText(fixture));
  return file;
}

/** The origin of a service that runs during the current test. */
export async function served(respond: RequestListener): Promise<string> {
  const service = createServer(respond);
  await once(service.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
  });
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

/** The connection to a service at an origin, by the variables of some servers. */
export const connectionTo = (origin: string, servers: readonly string[] = ["BASE_URL"]) => ({
  FLEET_CUSTOMER_ID: "c42",
  FLEET_CLIENT_ID: "canary-client",
  FLEET_CLIENT_SECRET: "canary-secret",
  ...Object.fromEntries(servers.map((name) => [`FLEET_${name}`, origin])),
});

/** Starts a deployment for the current test, and returns the variables that lead to it. A request without a response stays open. */
export async function deployment(
  respond: (url: string) => { status?: number; headers?: Record<string, string>; body?: unknown; text?: string } | undefined,
  servers: readonly string[] = ["BASE_URL", "API_HOST", "JOB_URL", "TACHO_URL", "AUTH_URL"],
): Promise<Record<string, string>> {
  const origin = await served((request, response) => {
    request.resume().on("end", () => {
      const { status = 200, headers, body, text = JSON.stringify(body) } = respond(request.url ?? "") ?? {};
      if (text !== undefined) response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
    });
  });
  return connectionTo(origin, servers);
}

/** The text of every file in a folder. */
export const textsIn = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");

const cleanEnv = (env: Record<string, string>): Record<string, string> => ({ PATH: process.env["PATH"] ?? "", ...env });

/** Starts the built command without the test environment's variables. */
export function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [BIN, ...args], { env: cleanEnv(env), stdio: ["ignore", "pipe", "pipe"] });
  const out = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (chunk: string) => (out[stream] += chunk));
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...out }));
  return { child, ended };
}

/** Runs the built command to completion with a device as its stdout. */
export function runWithStdout(device: string, args: readonly string[]) {
  const stdout = openSync(device, "w");
  const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], { env: cleanEnv({}), stdio: ["ignore", stdout, "pipe"] });
  closeSync(stdout);
  return { code: status, stderr: stderr.toString() };
}

/** Runs the command to completion in this process. contract-command.test.ts compares the built command with it. */
export const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runInProcess(() => runProgram(args), cleanEnv(env));

/** What the command writes to the terminal for a text: as output, as a message, and as an error. */
export async function printed(text: string): Promise<string[]> {
  const written: string[] = [];
  for (const write of [print, say, printError]) {
    const { stdout, stderr } = await runInProcess(async () => write(text), {});
    written.push(stdout + stderr);
  }
  return written;
}
