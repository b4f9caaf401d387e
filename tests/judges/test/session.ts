import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanEnv, type ServerAt } from "./fleet.ts";
import { installPackages, node24 } from "./npx-packages.ts";

/** A user's reply to a question, with any content that the host accepts. */
export interface Reply {
  action: "accept" | "decline" | "cancel";
  content?: unknown;
}

/** The outcome of a call, as seen by the host's model or the client's program. */
export interface Seen {
  seen: string;
  /** Whether the client threw instead of returning a result. */
  thrown: boolean;
  /** The questions to the user. */
  questions: string[];
}

export interface Session {
  /** Sets the user's reply from now on. */
  reply(reply: Reply): Promise<void>;
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Seen>;
  close(): Promise<void>;
}

export interface Opening {
  server: ServerAt;
  revision: "2026-07-28" | "older";
  /** Whether the host declares elicitation. */
  elicits: boolean;
  /** A temporary folder, removed after the session. */
  folder: string;
}

const CALL_TIMEOUT = 60_000;
const DRIVERS = fileURLToPath(new URL("../drivers", import.meta.url));

export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "fleetwire-host-"));
export const dropFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });

interface Driver {
  /** A file in drivers/, without its extension. */
  driver: string;
  /** The source of its packages, if not this workspace. */
  packages?: readonly string[];
  needsNode24?: boolean;
  /** Extra options for the driver. */
  also?: Readonly<Record<string, unknown>>;
}

/** Imports resolve relative to the file, so a driver is copied next to its external packages. */
async function placed({ driver, packages }: Driver, folder: string): Promise<string> {
  if (packages === undefined) return join(DRIVERS, `${driver}.mjs`);
  await symlink(await installPackages(packages), join(folder, "node_modules"));
  await mkdir(join(folder, "drivers"));
  await cp(DRIVERS, join(folder, "drivers"), { recursive: true });
  return join(folder, "drivers", `${driver}.mjs`);
}

/** Opens a client in its own process. */
export const driven =
  (host: Driver) =>
  async ({ folder, ...how }: Opening): Promise<Session> => {
    const file = await placed(host, folder);
    const child = spawn(host.needsNode24 ? await node24() : process.execPath, [file], {
      cwd: folder,
      env: cleanEnv({ HOME: folder, NO_COLOR: "1" }),
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    const ended = once(child, "exit");
    let count = 0;
    const ask = (message: object): Promise<Seen> => {
      const id = ++count;
      return new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`the ${host.driver} driver ${why}: ${output.slice(-1_500)}`));
        const late = setTimeout(() => fail(`did not reply within ${CALL_TIMEOUT} ms`), CALL_TIMEOUT);
        const listen = (reply: Seen & { id: number }) => {
          if (reply.id !== id) return;
          clearTimeout(late);
          child.off("message", listen).off("exit", onExit);
          resolve(reply);
        };
        const onExit = (code: number | null) => {
          clearTimeout(late);
          fail(`exited with code ${code}`);
        };
        child.on("message", listen).once("exit", onExit);
        child.send({ id, ...message });
      });
    };
    let reply: Reply | undefined;
    const close = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
      if (child.connected) child.send({ id: 0, close: true });
      await ended;
      clearTimeout(late);
    };
    const opened = await ask({ open: { ...how, ...host.also } }).catch(async (error: unknown) => {
      child.kill("SIGKILL");
      throw error;
    });
    if (opened.thrown) {
      await close();
      throw new Error(`the ${host.driver} driver could not connect: ${opened.seen}\n${output.slice(-1_500)}`);
    }
    return {
      reply: async (next) => {
        reply = next;
      },
      call: (tool, args) => ask({ call: { tool, args }, ...(reply && { reply }) }),
      close,
    };
  };
