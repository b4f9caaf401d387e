import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { cleanEnv, SERVER_BIN } from "./fleet.ts";
import { callOf, INITIALIZE, type Raw, raw } from "./raw.ts";

/** How to start the server. */
interface Start {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface Orphan {
  name: string;
  /** The service: a slow one keeps calls in flight, the embedded one has a socket that keeps a process alive. */
  service: "slow" | "embedded";
  /** Orphans the server; returns whether it exits in time. */
  leave(start: Start, milliseconds: number): Promise<boolean>;
}

const DOOMED_HOST = fileURLToPath(new URL("../drivers/doomed-host.mjs", import.meta.url));
const SLOW_JOB = callOf(1, "create_job", { address: "Orphan Road 1, Lyon" });
const READ = callOf(2, "locate_vehicle", { query: "truck 12" });
const MEGABYTE = 1_000_000;

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A running server that has handled one request. */
async function running({ env, args }: Start): Promise<Raw> {
  const server = raw(env, args);
  server.send(READ);
  await server.reply(2);
  return server;
}

const leaving =
  (leave: (server: Raw) => Promise<void> | void) =>
  async (start: Start, milliseconds: number): Promise<boolean> => {
    const server = await running(start);
    await leave(server);
    return server.endsWithin(milliseconds);
  };

/** A server with a slow creation in flight. */
const duringCall = (leave: (server: Raw) => void) =>
  leaving(async (server) => {
    server.send(SLOW_JOB);
    await wait(500);
    leave(server);
  });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Kills the host, so that nothing is closed properly. */
const hostKilled =
  (signal: NodeJS.Signals, message: object, after: number) =>
  async ({ env, args }: Start, milliseconds: number): Promise<boolean> => {
    const host = spawn(process.execPath, [DOOMED_HOST, JSON.stringify(message), SERVER_BIN, ...args], {
      env: cleanEnv(env),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [printed] = (await once(host.stdout, "data")) as [Buffer];
    const pid = Number(printed.toString());
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, "SIGKILL");
    });
    await wait(after);
    host.kill(signal);
    for (let waited = 0; waited < milliseconds; waited += 50) {
      if (!isAlive(pid)) return true;
      await wait(50);
    }
    return false;
  };

/** One large message: it gets a response or ends the server. */
const large = (megabytes: number) =>
  leaving(async (server) => {
    const id = 3;
    server.send(callOf(id, "locate_vehicle", { query: "x".repeat(megabytes * MEGABYTE) }));
    await Promise.race([server.reply(id), server.endsWithin(10_000)]);
    server.child.stdin.end();
  });

export const ORPHANS: readonly Orphan[] = [
  { name: "stdin is closed", service: "embedded", leave: leaving(({ child }) => void child.stdin.end()) },
  { name: "stdin breaks", service: "embedded", leave: leaving(({ child }) => void child.stdin.destroy()) },
  {
    name: "stdout breaks, and the host sends more requests",
    service: "embedded",
    leave: leaving(({ child, send }) => {
      child.stdout.destroy();
      send(READ);
    }),
  },
  {
    name: "stdout breaks before the first reply",
    service: "embedded",
    leave: async ({ env, args }, milliseconds) => {
      const server = raw(env, args);
      server.child.stdout.destroy();
      server.send(INITIALIZE);
      return server.endsWithin(milliseconds);
    },
  },
  { name: "stdin is closed during a call", service: "slow", leave: duringCall(({ child }) => void child.stdin.end()) },
  { name: "stdout breaks during a call", service: "slow", leave: duringCall(({ child }) => void child.stdout.destroy()) },
  {
    name: "everything breaks during a call",
    service: "slow",
    leave: duringCall(({ child }) => {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    }),
  },
  { name: "SIGTERM during a call", service: "slow", leave: duringCall(({ child }) => void child.kill("SIGTERM")) },
  { name: "SIGINT during a call", service: "slow", leave: duringCall(({ child }) => void child.kill("SIGINT")) },
  { name: "the host is killed while the server starts", service: "embedded", leave: hostKilled("SIGKILL", INITIALIZE, 0) },
  { name: "the host is killed while idle", service: "embedded", leave: hostKilled("SIGKILL", INITIALIZE, 3_000) },
  { name: "the host is killed during a call", service: "slow", leave: hostKilled("SIGKILL", SLOW_JOB, 3_000) },
  { name: "a message of 12 MB, then stdin is closed", service: "embedded", leave: large(12) },
  { name: "a message of 64 MB, then stdin is closed", service: "embedded", leave: large(64) },
  {
    name: "12 MB without a line end, then the host exits",
    service: "embedded",
    leave: leaving(async ({ child, write }) => {
      write("x".repeat(12 * MEGABYTE));
      await wait(1_000);
      child.stdin.destroy();
      child.stdout.destroy();
    }),
  },
];
