import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Ended, runInProcess } from "../../../tests/vitest/run-in-process.ts";
import { print, say } from "../src/cli/print.ts";
import { printError, runProgram } from "../src/cli/program.ts";

const BIN = fileURLToPath(new URL("../dist/fleetwire-contract.js", import.meta.url));

/** A temporary folder for the current test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-contract-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
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

/** The connection to a service at an origin. */
export const connectionTo = (origin: string) => ({
  FLEET_CUSTOMER_ID: "c42",
  FLEET_CLIENT_ID: "canary-client",
  FLEET_CLIENT_SECRET: "canary-secret",
  FLEET_BASE_URL: origin,
});

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
