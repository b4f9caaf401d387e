import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createSandbox } from "@fleetwire/sandbox";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";

// Use the binary directly, since its wrapper does not pass on extra file descriptors.
const { default: program } = createRequire(import.meta.url)("workerd") as { default: string };

/** Bundles the worker, and serves it with a sandbox behind it. Returns its origin. */
async function served(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-worker-"));
  const sandbox = createSandbox();
  const { env } = await sandbox.listen();
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("runtimes/mcp-worker.mjs", import.meta.url))],
    bundle: true,
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*"],
    write: false,
    format: "esm",
  });
  await writeFile(join(folder, "worker.js"), outputFiles[0]?.text ?? "");
  const bindings = Object.entries({ ...env, FLEET_CONFIRM: "never" }).map(([name, text]) => `(name = "${name}", text = "${text}")`);
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
  bindings = [${bindings.join(", ")}],
);
`,
  );
  const args = ["serve", "--control-fd=3", "config.capnp"];
  const workerd: ChildProcess = spawn(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit", "pipe"] });
  onTestFinished(async () => {
    workerd.kill();
    await sandbox.close();
    await rm(folder, { recursive: true });
  });
  for await (const line of createInterface({ input: workerd.stdio[3] as Readable })) {
    const { event, port } = JSON.parse(line) as { event: string; port: number };
    if (event === "listen") return `http://127.0.0.1:${port}`;
  }
  throw new Error("workerd exited before listening");
}

describe("the built server in workerd", () => {
  it("serves calls one by one and at once, and checks who may write", async () => {
    const origin = await served();
    const call = async (token: string, name: string, args: object) => {
      const response = await fetch(`${origin}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
        signal: AbortSignal.timeout(30_000),
      });
      return `${response.status} ${await response.text()}`;
    };
    const located = () => call("reader", "locate_vehicle", { query: "truck 12" });
    const counted = () => call("dispatch", "list_live_positions", { count: "total" });
    // A runtime binds what one request waits for to that request, so shared reads are tried at once and again later.
    for (const results of [await Promise.all([located(), counted(), located()]), [await located(), await counted(), await located()]]) {
      expect(results).toEqual([expect.stringMatching(/^200 .*Truck 12/s), expect.stringMatching(/^200 .*48 vehicles/s), expect.anything()]);
    }
    expect(await call("reader", "create_job", { address: "Lyon" })).toMatch(/^403 /);
    expect(await call("dispatch", "create_job", { address: "Lyon" })).toMatch(/^200 .*Job created/s);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });
});
