import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { type Program, SANDBOX, startProgram } from "@fleetwire/packaging/started-program";
import { freePort } from "../../vitest/free-port.ts";

type Variables = Readonly<Record<string, string>>;

export interface Service extends Pick<Program, "end" | "onLine" | "signal"> {
  /** The variables with which clients reach it, of each customer. */
  customers: readonly Variables[];
}

/** Starts the built sandbox as a fleet service. */
export async function openSandbox(flags: readonly string[]): Promise<Service> {
  const program = await startProgram(process.execPath, { args: [SANDBOX, "--port", "0", "--seed", "1", ...flags], pattern: /^(\{.*\})$/ });
  const { env, otherCustomers = [] } = JSON.parse(program.ready) as { env: Variables; otherCustomers?: Variables[] };
  return { customers: [env, ...otherCustomers], end: program.end, signal: program.signal, onLine: program.onLine };
}

/** A program that can be killed and started again at the same address. */
export interface Restartable extends Pick<Program, "end" | "signal"> {
  name: string;
  pid(): number;
  restart(): Promise<void>;
  /** Calls the listener with each line that it logs, also after a restart. */
  onLine(listener: (line: string) => void): void;
}

export async function restartable(name: string, start: () => Promise<Program>): Promise<Restartable> {
  const listeners: ((line: string) => void)[] = [];
  let program = await start();
  return {
    name,
    pid: () => program.pid,
    end: (signal) => program.end(signal),
    signal: (signal) => program.signal(signal),
    restart: async () => {
      program = await start();
      for (const listener of listeners) program.onLine(listener);
    },
    onLine: (listener) => {
      listeners.push(listener);
      program.onLine(listener);
    },
  };
}

/** Starts Redis with an append-only file in the folder, which it reads when it is started again. */
export async function openRedis(path: string, folder: string, flags: readonly string[] = []): Promise<Restartable & { url: string }> {
  const port = await freePort();
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--dir", folder, ...flags];
  const redis = await restartable("redis", () => startProgram(path, { args, pattern: /Ready to accept connections/ }));
  return { ...redis, url: `redis://127.0.0.1:${port}` };
}

/** Writes a file with a token that may write for each tenant, or for callers of the only customer, and returns the tokens. */
export function writeTokens(path: string, tenants: readonly (string | undefined)[]): string[] {
  const tokens = tenants.map(() => `fwt_canary-${randomBytes(24).toString("base64url")}`);
  const entries = tokens.map((token, at) => ({
    name: `caller-${at}`,
    hash: createHash("sha256").update(token).digest("base64url"),
    scopes: ["fleet:read", "fleet:write"],
    ...(tenants[at] !== undefined && { tenant: tenants[at] }),
  }));
  writeFileSync(path, JSON.stringify({ tokens: entries }), { mode: 0o600 });
  return tokens;
}
