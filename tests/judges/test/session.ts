import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bring, node24 } from "./bring.ts";
import { cleanEnv, type ServerAt } from "./fleet.ts";

/** What a user of a host replies to a question; the content is whatever the host lets through. */
export interface Reply {
  action: "accept" | "decline" | "cancel";
  content?: unknown;
}

/** What came of a call, as the model of the host or the program around the client sees it. */
export interface Seen {
  seen: string;
  /** The client threw, in place of returning a result. */
  thrown: boolean;
  /** The questions that the user was asked. */
  asked: string[];
}

export interface Session {
  /** What the user replies from now on. */
  reply(reply: Reply): Promise<void>;
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Seen>;
  close(): Promise<void>;
}

export interface Opening {
  server: ServerAt;
  revision: "2026-07-28" | "older";
  /** The host says that it can ask its user. */
  elicits: boolean;
  /** An empty folder of its own, gone after the session. */
  folder: string;
}

const CALL_TIMEOUT = 60_000;
const DRIVERS = fileURLToPath(new URL("../drivers", import.meta.url));

export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "fleetwire-host-"));
export const dropFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });

interface Driver {
  /** A file of drivers/, without its ending. */
  driver: string;
  /** Where its packages come from if not from this workspace. */
  packages?: readonly string[];
  needsNode24?: boolean;
  /** What the driver is told beside the opening. */
  also?: Readonly<Record<string, unknown>>;
}

/** Imports resolve from where a file lies: a driver of packages from outside lies beside them. */
async function placed({ driver, packages }: Driver, folder: string): Promise<string> {
  if (packages === undefined) return join(DRIVERS, `${driver}.mjs`);
  await symlink(await bring(packages), join(folder, "node_modules"));
  await mkdir(join(folder, "drivers"));
  await cp(DRIVERS, join(folder, "drivers"), { recursive: true });
  return join(folder, "drivers", `${driver}.mjs`);
}

/** Opens a client in a process of its own. */
export const driven =
  (host: Driver) =>
  async ({ folder, ...how }: Opening): Promise<Session> => {
    const file = await placed(host, folder);
    const child = spawn(host.needsNode24 ? await node24() : process.execPath, [file], {
      cwd: folder,
      env: cleanEnv({ HOME: folder, NO_COLOR: "1" }),
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (said += text));
    const ended = once(child, "exit");
    let count = 0;
    const ask = (message: object): Promise<Seen> => {
      const id = ++count;
      return new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`the ${host.driver} driver ${why}: ${said.slice(-1_500)}`));
        const late = setTimeout(() => fail(`did not reply within ${CALL_TIMEOUT} ms`), CALL_TIMEOUT);
        const listen = (reply: Seen & { id: number }) => {
          if (reply.id !== id) return;
          clearTimeout(late);
          child.off("message", listen).off("exit", onExit);
          resolve(reply);
        };
        const onExit = (code: number | null) => {
          clearTimeout(late);
          fail(`ended with exit code ${code}`);
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
      throw new Error(`the ${host.driver} driver could not connect: ${opened.seen}\n${said.slice(-1_500)}`);
    }
    return {
      reply: async (next) => {
        reply = next;
      },
      call: (tool, args) => ask({ call: { tool, args }, ...(reply && { reply }) }),
      close,
    };
  };
