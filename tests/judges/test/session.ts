import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanEnv, installPackages, node24, type ServerAt } from "./programs.ts";

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
  reply(reply: Reply): Promise<unknown>;
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

interface Driver {
  /** Its name in drivers/client.mjs. */
  client: string;
  /** The source of its packages, if not this workspace. */
  packages?: readonly string[];
  needsNode24?: boolean;
  /** For the MCP SDK: the name of its version in this workspace. */
  sdk?: string;
}

const CALL_TIMEOUT = 60_000;
const DRIVER = join(fileURLToPath(new URL("../drivers", import.meta.url)), "client.mjs");

/** Opens a client in its own process. */
export const driven =
  ({ client, packages, needsNode24 = false, sdk }: Driver) =>
  async ({ folder, ...how }: Opening): Promise<Session> => {
    // Imports resolve relative to the file, so it is copied next to external packages.
    const file = packages === undefined ? DRIVER : join(folder, "client.mjs");
    if (packages !== undefined) {
      await symlink(await installPackages(packages), join(folder, "node_modules"));
      await copyFile(DRIVER, file);
    }
    const child = spawn(needsNode24 ? await node24() : process.execPath, [file, client], {
      cwd: folder,
      env: cleanEnv({ HOME: folder, NO_COLOR: "1" }),
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    const ended = once(child, "exit");
    let count = 0;
    const ask = async (command: string, value?: unknown): Promise<Seen> => {
      const id = ++count;
      const signal = AbortSignal.timeout(CALL_TIMEOUT);
      child.send({ id, command, value });
      for (;;) {
        const [reply] = await Promise.race([once(child, "message", { signal }), ended.then(() => [undefined])]).catch(() => [undefined]);
        if (reply === undefined) throw new Error(`the ${client} driver ended or did not reply to ${command}: ${output.slice(-1_500)}`);
        if (reply.id === id) return reply;
      }
    };
    const close = async () => {
      await ask("close").catch(() => {});
      child.kill("SIGKILL");
      await ended;
    };
    const { thrown, seen } = await ask("open", { ...how, sdk });
    if (thrown) {
      await close();
      throw new Error(`the ${client} driver could not connect: ${seen}\n${output.slice(-1_500)}`);
    }
    return { reply: (reply) => ask("reply", reply), call: (tool, args) => ask("call", { tool, args }), close };
  };
