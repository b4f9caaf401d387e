import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const inTree = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export interface StartedProgram {
  /** What it printed when it was ready: the first group of the pattern. */
  ready: string;
  stop: () => Promise<void>;
}

async function start(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  pattern: RegExp,
): Promise<StartedProgram> {
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: string) => {
      // The sandbox logs every request, which nobody reads here.
      if (printed.length < 100_000) printed += chunk;
      const found = pattern.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code}: ${printed}`)));
  });
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, "exit");
  };
  return { ready: await ready, stop };
}

/** A night on which nothing would drive if the fleet slept. */
export const SUNDAY_AT_THREE = "2026-11-22T03:00:00Z";

export interface StartedSandbox {
  origin: string;
  env: Readonly<Record<string, string>>;
  stop: () => Promise<void>;
}

/** Starts the built sandbox with its console. */
export async function startSandbox(...flags: string[]): Promise<StartedSandbox> {
  const { ready, stop } = await start(inTree("packages/sandbox/dist/fleetwire-sandbox.js"), flags, {}, /^(\{.*\})$/m);
  return { ...(JSON.parse(ready) as Pick<StartedSandbox, "origin" | "env">), stop };
}

/** Starts the built server over HTTP for a fleet. `ready` is the URL of its console. */
export const startServer = (env: Readonly<Record<string, string>>): Promise<StartedProgram> =>
  start(inTree("packages/mcp-server/dist/fleetwire-mcp.js"), ["http", "--port", "0"], env, /console at (http:[^\s"]+)["\n]/);

/** Adds a token to a file with the built command, and returns it. */
export const addToken = (file: string, name: string): string =>
  execFileSync(process.execPath, [inTree("packages/mcp-server/dist/fleetwire-mcp.js"), "token", "--tokens-file", file, "--name", name], {
    encoding: "utf8",
  }).trim();

/** Starts the sandbox as `npm run console` does, with some jobs. */
export async function startConsoleScript(...flags: string[]): Promise<Omit<StartedSandbox, "env">> {
  const { ready, stop } = await start(inTree("scripts/console.mjs"), ["--no-open", ...flags], {}, /console is at (http:\S+)\/ /);
  return { origin: ready, stop };
}
