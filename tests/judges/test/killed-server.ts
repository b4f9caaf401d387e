import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { BIN, cleanEnv } from "./programs.ts";

export type Revision = "2025-11-25" | "2026-07-28";

/** A caller's result, or undefined without a response. */
export interface CallResult {
  isError: boolean;
  text: string;
  structured: Record<string, unknown>;
}

interface PendingCall {
  result: Promise<CallResult | undefined>;
  /** The caller leaves: notifications/cancelled over stdio, an aborted POST over HTTP. */
  leave: () => void;
}

/** The built server as a process, with raw calls that can be abandoned at any moment. */
export interface RunningServer {
  call: (args: Record<string, unknown>) => PendingCall;
  /** Ends the process and returns its stderr. */
  end: (how: "SIGKILL" | "SIGTERM" | "end of stdin") => Promise<string>;
}

const LONGEST_END_MS = 20_000;
const LONGEST_LIFE_MS = 90_000;
/** Added to stderr of a process that had to be killed. */
export const DID_NOT_END = "the process did not exit";

const modern = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "kill", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

const message = (id: number, method: string, params: object, revision: Revision) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, ...(revision === "2026-07-28" && modern) } });

const callMessage = (id: number, args: object, revision: Revision) =>
  message(id, "tools/call", { name: "create_job", arguments: args }, revision);

interface Reply {
  id?: number;
  result?: { isError?: boolean; content?: { text?: string }[]; structuredContent?: Record<string, unknown> };
  error?: { message: string };
}

function resultOf({ result, error }: Reply): CallResult {
  if (error) return { isError: true, text: error.message, structured: {} };
  const text = (result?.content ?? []).map((part) => part.text ?? "").join("\n");
  return { isError: result?.isError === true, text, structured: result?.structuredContent ?? {} };
}

const running = new Set<ChildProcessWithoutNullStreams>();

/** Ends processes left running by an aborted test. */
export function killStrays(): void {
  for (const child of running) child.kill("SIGKILL");
}

function startBin(args: readonly string[], env: Record<string, string>) {
  // No process outlives the test for long.
  const child = spawn(process.execPath, [BIN, ...args], { env: cleanEnv(env), timeout: LONGEST_LIFE_MS, killSignal: "SIGKILL" });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  // Writes to a killed process are lost, which is the point of the test.
  child.stdin.on("error", () => {});
  running.add(child);
  const closed = once(child, "close").finally(() => running.delete(child));
  const end: RunningServer["end"] = async (how) => {
    if (how === "end of stdin") child.stdin.end();
    else child.kill(how);
    const overdue = setTimeout(() => {
      stderr += `\n${DID_NOT_END}`;
      child.kill("SIGKILL");
    }, LONGEST_END_MS);
    await closed;
    clearTimeout(overdue);
    return stderr;
  };
  return { child, stderr: () => stderr, end };
}

/** Serves one host over stdio. */
export async function stdioServer(env: Record<string, string>, revision: Revision): Promise<RunningServer> {
  const { child, end } = startBin([], env);
  const pending = new Map<number, (reply: Reply | undefined) => void>();
  const expectReply = (id: number) => new Promise<Reply | undefined>((resolve) => pending.set(id, resolve));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const reply = JSON.parse(line) as Reply;
      pending.get(reply.id ?? -1)?.(reply);
    }
  });
  child.on("close", () => {
    for (const settle of pending.values()) settle(undefined);
  });
  const write = (line: string) => child.stdin.write(`${line}\n`);
  const notify = (method: string, params: object = {}) => write(JSON.stringify({ jsonrpc: "2.0", method, params }));
  const opened = expectReply(0);
  const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "kill", version: "1" } };
  write(revision === "2026-07-28" ? message(0, "server/discover", {}, revision) : message(0, "initialize", hello, revision));
  await opened;
  if (revision !== "2026-07-28") notify("notifications/initialized");
  let id = 0;
  return {
    end,
    call: (args) => {
      const own = ++id;
      const reply = expectReply(own);
      write(callMessage(own, args, revision));
      const leave = () => {
        notify("notifications/cancelled", { requestId: own, reason: "the caller left" });
        pending.get(own)?.(undefined);
      };
      return { result: reply.then((came) => came && resultOf(came)), leave };
    },
  };
}

/** The reply in a JSON or event-stream body, or undefined if the body was cut off. */
function replyIn(body: string, id: number): Reply | undefined {
  const texts = body.startsWith("{") ? [body] : [...body.matchAll(/^data: ?(\{.*)$/gm)].map(([, data = ""]) => data);
  try {
    return texts.map((text) => JSON.parse(text) as Reply).find((reply) => reply.id === id || reply.error);
  } catch {
    return undefined;
  }
}

/** Serves many hosts over HTTP. */
export async function httpServer(env: Record<string, string>, revision: Revision): Promise<RunningServer> {
  const { child, stderr, end } = startBin(["http", "--port", "0"], env);
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", () => {
      const [, ready] = /ready at ([^\s"]+)["\n]/.exec(stderr()) ?? [];
      if (ready !== undefined) resolve(ready);
    });
    child.once("exit", () => reject(new Error(`fleetwire-mcp http exited: ${stderr()}`)));
  });
  child.stdout.resume();
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": revision,
    ...(revision === "2026-07-28" && { "mcp-method": "tools/call", "mcp-name": "create_job" }),
  };
  let id = 0;
  return {
    end,
    call: (args) => {
      const own = ++id;
      let sent: ClientRequest | undefined;
      const result = new Promise<CallResult | undefined>((resolve) => {
        let body = "";
        const settle = () => {
          const reply = replyIn(body, own);
          resolve(reply && resultOf(reply));
        };
        sent = request(url, { method: "POST", headers, agent: false }, (response) => {
          response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
          response.on("error", () => {}).on("close", settle);
        });
        sent.on("error", settle).on("close", settle);
        sent.end(callMessage(own, args, revision));
      });
      return { result, leave: () => sent?.destroy() };
    },
  };
}
