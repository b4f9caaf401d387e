import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { cleanEnv, SERVER_BIN } from "./fleet.ts";
import type { Reply } from "./session.ts";

export type Message = Readonly<Record<string, unknown>>;

/** A server process driven by raw lines, without a well-behaved client. */
export interface Raw {
  child: ChildProcessWithoutNullStreams;
  write(text: string): void;
  send(message: Message): void;
  /** The reply to a request with this id. */
  reply(id: number): Promise<Message>;
  /** Whether the process exits in time. */
  endsWithin(milliseconds: number): Promise<boolean>;
  stderr(): string;
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};

/** A call in the current revision; a reply to a question includes its request state. */
export function callOf(id: number, name: string, args: Message, answer?: { reply: Reply; state: string }): Message {
  const withReply = answer && { inputResponses: { confirm: answer.reply }, requestState: answer.state };
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta: META, ...withReply } };
}

export const INITIALIZE: Message = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1.0.0" } },
};

export function raw(env: Readonly<Record<string, string>>, args: readonly string[] = []): Raw {
  const child = spawn(process.execPath, [SERVER_BIN, ...args], { env: cleanEnv(env) });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const replies = new Map<unknown, Message>();
  const waiting = new Map<unknown, (reply: Message) => void>();
  let line = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (line + chunk).split("\n");
    line = lines.pop() ?? "";
    for (const each of lines) {
      const message = JSON.parse(each) as Message;
      const { id } = message;
      replies.set(id, message);
      waiting.get(id)?.(message);
    }
  });
  // Some of the attacks break pipes.
  child.stdin.on("error", () => {});
  const ended = once(child, "exit").then(() => true);
  const write = (text: string) => child.stdin.write(text);
  return {
    child,
    write,
    send: (message) => write(`${JSON.stringify(message)}\n`),
    reply: async (id) => replies.get(id) ?? (await new Promise<Message>((resolve) => waiting.set(id, resolve))),
    endsWithin: async (milliseconds) => {
      let late: NodeJS.Timeout | undefined;
      const passed = new Promise<boolean>((resolve) => {
        late = setTimeout(() => resolve(false), milliseconds);
      });
      const inTime = await Promise.race([ended, passed]);
      clearTimeout(late);
      return inTime;
    },
    stderr: () => stderr,
  };
}
