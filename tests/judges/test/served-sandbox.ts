import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../../packages/mcp-server/dist/fleetwire-mcp.js", import.meta.url));

export interface Served {
  url: string;
  stop: () => Promise<void>;
}

function readyAt(child: ChildProcessByStdio<null, null, Readable>): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    // Keep reading, so that logging never blocks the server.
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      const [, url] = /ready at ([^\s"]+)["\n]/.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once("exit", () => reject(new Error(`fleetwire-mcp http exited: ${output}`)));
  });
}

/** The built server over HTTP with the embedded sandbox. */
export async function serveSandbox(settings: Readonly<Record<string, string>> = {}): Promise<Served> {
  const child = spawn(process.execPath, [bin, "http", "--port", "0", "--sandbox", "--confirm", "never"], {
    env: { PATH: process.env["PATH"] ?? "", ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  return {
    url: await readyAt(child),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
