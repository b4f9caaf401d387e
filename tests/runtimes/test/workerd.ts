import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

// Use the binary directly, since its wrapper does not pass on extra file descriptors.
const { default: program, version } = createRequire(import.meta.url)("workerd") as { default: string; version: string };

export { version as workerdVersion };

interface Workerd {
  process: ChildProcess;
  /** Resolves once it listens. */
  origin: Promise<string>;
}

async function originOf({ stdio }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdio[3] as Readable })) {
    const { event, port } = JSON.parse(line) as { event: string; port: number };
    if (event === "listen") return `http://127.0.0.1:${port}`;
  }
  throw new Error("workerd exited before listening");
}

/** Serves a worker from a folder, with text bindings. */
export async function startWorkerd(folder: string, script: string, bindings: Readonly<Record<string, string>> = {}): Promise<Workerd> {
  await writeFile(join(folder, "worker.js"), script);
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = "${text}")`);
  await writeFile(
    join(folder, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["public", "private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  bindings = [${texts.join(", ")}],
);
`,
  );
  const args = ["serve", "--control-fd=3", "config.capnp"];
  const process = spawn(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit", "pipe"] });
  return { process, origin: originOf(process) };
}
