import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type BuildOptions, build } from "esbuild";
import { expect, onTestFinished } from "vitest";

// Use the binary directly, since its wrapper does not pass on extra file descriptors.
const { default: program } = createRequire(import.meta.url)("workerd") as { default: string };

/** Bundles a program for a runtime with the built packages. Fails on Node built-ins that are not external. */
export async function bundled(contents: string, options: BuildOptions): Promise<string> {
  const stdin = { contents, loader: "ts" as const, resolveDir: import.meta.dirname };
  const { outputFiles, warnings } = await build({ stdin, bundle: true, platform: "browser", ...options, write: false });
  expect(warnings).toEqual([]);
  return outputFiles[0]?.text ?? "";
}

/** Serves a worker, with text bindings, until the test ends. Returns its origin. */
export async function servedByWorkerd(script: string, bindings: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-worker-"));
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = "${text}")`);
  await writeFile(join(folder, "worker.js"), script);
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
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit", "pipe"] });
  onTestFinished(() => {
    child.kill();
    return rm(folder, { recursive: true });
  });
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, port } = JSON.parse(line) as { event: string; port: number };
    if (event === "listen") return `http://127.0.0.1:${port}`;
  }
  throw new Error("workerd exited before listening");
}
