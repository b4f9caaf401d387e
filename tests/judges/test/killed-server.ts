import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { BIN, cleanEnv } from "./programs.ts";

export type Revision = "2025-11-25" | "2026-07-28";

/** A caller's result, or undefined without a response. */
export interface CallResult {
  isError: boolean;
  text: string;
  structured: Record<string, unknown>;
}

/** The built server as a process, with calls that can be abandoned at any moment. */
export interface RunningServer {
  /** The caller leaves with notifications/cancelled over stdio, with an aborted POST over HTTP. */
  call: (args: Record<string, unknown>) => { result: Promise<CallResult | undefined>; leave: () => void };
  /** Ends the process and returns its stderr. */
  end: (how: "SIGKILL" | "SIGTERM" | "end of stdin") => Promise<string>;
}

const LONGEST_END_MS = 20_000;
const LONGEST_LIFE_MS = 90_000;
/** Added to stderr of a process that had to be killed. */
export const DID_NOT_END = "the process did not exit";

/** The SDK's own transport would end the process itself. */
function stdioTransport(child: ChildProcessWithoutNullStreams): Transport {
  const transport: Transport = {
    start: async () => {
      createInterface({ input: child.stdout }).on("line", (line) => transport.onmessage?.(JSON.parse(line)));
      child.once("close", () => transport.onclose?.());
    },
    send: async (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => {},
  };
  return transport;
}

const started =
  (args: readonly string[], transportOf: (child: ChildProcessWithoutNullStreams, stderr: () => string) => Promise<Transport>) =>
  async (env: Record<string, string>, revision: Revision): Promise<RunningServer> => {
    // No process outlives the test for long.
    const child = spawn(process.execPath, [BIN, ...args], { env: cleanEnv(env), timeout: LONGEST_LIFE_MS, killSignal: "SIGKILL" });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    // Writes to a killed process are lost, which is the point of the test.
    child.stdin.on("error", () => {});
    const closed = once(child, "close");
    const mode = revision === "2026-07-28" ? { pin: revision } : "legacy";
    const client = new Client({ name: "kill", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(await transportOf(child, () => stderr));
    return {
      call: (args) => {
        const leaving = new AbortController();
        const result = client.callTool({ name: "create_job", arguments: args }, { signal: leaving.signal }).then(
          ({ isError = false, content = [], structuredContent = {} }): CallResult => {
            const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
            return { isError, text, structured: structuredContent as CallResult["structured"] };
          },
          () => undefined,
        );
        return { result, leave: () => leaving.abort() };
      },
      end: async (how) => {
        if (how === "end of stdin") child.stdin.end();
        else child.kill(how);
        const overdue = setTimeout(() => {
          stderr += `\n${DID_NOT_END}`;
          child.kill("SIGKILL");
        }, LONGEST_END_MS);
        await closed;
        clearTimeout(overdue);
        await client.close();
        return stderr;
      },
    };
  };

/** Serves one host over stdio. */
export const stdioServer = started([], async (child) => stdioTransport(child));

/** Serves many hosts over HTTP. */
export const httpServer = started(["http", "--port", "0"], async (child, stderr) => {
  for (;;) {
    const [, url] = /ready at ([^\s"]+)["\n]/.exec(stderr()) ?? [];
    if (url !== undefined) return new StreamableHTTPClientTransport(new URL(url));
    await once(child.stderr, "data");
  }
});
