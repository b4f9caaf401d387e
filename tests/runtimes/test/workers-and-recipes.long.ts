import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EdgeVM } from "@edge-runtime/vm";
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { blocksIn, document } from "@fleetwire/packaging/document-programs";
import { createSandbox } from "@fleetwire/sandbox";
import { chromium } from "playwright-core";
import { build as buildWithVite, createServer as startVite } from "vite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundled, servedByWorkerd } from "./workerd.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const recipe = (section: string, language = "ts") => blocksIn(document("recipes.md"), language, section)[0] ?? "";

let folder: string;

beforeAll(async () => {
  // Within this package, so that programs find the built packages.
  folder = await mkdtemp(join(here, "node_modules", ".recipes-"));
});

afterAll(() => rm(folder, { recursive: true }));

/** Serves a fleet, optionally to the pages of an origin. Returns its variables. */
async function fleet(cors?: string) {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const { env } = await sandbox.listen(cors === undefined ? {} : { cors });
  return env;
}

describe("the recipe for", () => {
  it("Next.js runs in the edge runtime", async () => {
    const env = await fleet();
    const code = await bundled(recipe("Next.js"), {
      conditions: ["edge-light", "worker", "browser"],
      format: "iife",
      globalName: "route",
    });
    // Next.js provides the variables in the same way, and some functions of Node that throw.
    const setImmediate = () => {
      throw new Error("A Node.js API is used (setImmediate) which is not supported in the Edge Runtime");
    };
    const edge = new EdgeVM({ extend: (context) => Object.assign(context, { process: { env }, setImmediate }) });
    edge.evaluate(code);
    const response = await edge.evaluate<Promise<Response>>('route.GET(new Request("http://localhost/api/positions"))');
    const positions = (await response.json()) as object[];
    expect(positions.length).toBeGreaterThan(40);
    expect(Object.keys(positions[0] ?? {})).toEqual(["assetId", "assetName", "city", "date"]);
  });

  it("Cloudflare Workers runs in workerd", async () => {
    const script = await bundled(recipe("Cloudflare Workers"), { conditions: ["workerd", "worker", "browser"], format: "esm" });
    const response = await fetch(await servedByWorkerd(script, await fleet()), { signal: AbortSignal.timeout(60_000) });
    expect(await response.json()).toEqual({ moving: expect.toSatisfy((count: number) => count > 0) });
  });

  it("Vite shows the fleet in Chromium while developing, and a build contains no credentials", async ({ skip }) => {
    const executablePath = await debianProgram("chromium-headless-shell");
    if (executablePath === undefined) return skip("there is no Chromium");
    const server = createServer().listen(0, "localhost");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    const env = await fleet(origin);
    const files = {
      "vite.config.js": recipe("Vite", "js"),
      "main.ts": recipe("Vite"),
      "index.html": '<!doctype html><body><script type="module" src="/main.ts"></script></body>',
      ".env": Object.entries(env)
        .map((pair) => `${pair.join("=")}\n`)
        .join(""),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const vite = await startVite({ root: folder, logLevel: "warn", server: { middlewareMode: true, hmr: false } });
    onTestFinished(() => vite.close());
    server.on("request", vite.middlewares);

    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: 60_000 });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(origin);
    await page.getByRole("listitem").first().waitFor();
    expect(await page.getByRole("listitem").allTextContents()).toContainEqual(expect.stringMatching(/^\w+ \d+ near \S/));

    const built = await buildWithVite({ root: folder, logLevel: "warn", build: { write: false, target: "esnext" } });
    const text = JSON.stringify(built);
    expect(text).toContain("tracking/live");
    expect(Object.keys(env).filter((name) => text.includes(env[name] ?? name))).toEqual([]);
  }, 600_000);
});

/** Serves MCP in a worker, whose variables are the settings. */
const WORKER = `import { createFetchHandler, serverConfigFromEnv } from "@fleetwire/mcp-server/fetch";
  let handler;
  const scopes = { reader: ["fleet:read"], dispatch: ["fleet:read", "fleet:write"] };
  const callers = async (token) => ({ id: token, clientId: "host", scopes: scopes[token], expiresAt: 9e12, tenants: [] });
  export default {
    fetch: (request, env) => {
      handler ??= createFetchHandler({ callers, fleets: serverConfigFromEnv(env), hosts: ["127.0.0.1"], version: "1.2.3" });
      return handler.fetch(request);
    },
  };`;

/** Serves a worker with a sandbox behind it. Returns its origin. */
async function servedWorker(worker: string): Promise<string> {
  const script = await bundled(worker, { conditions: ["workerd", "worker", "browser"], external: ["node:*"], format: "esm" });
  return servedByWorkerd(script, { ...(await fleet()), FLEET_CONFIRM: "never" });
}

describe("the built server in workerd", () => {
  it("serves calls one by one and at once, and checks who may write", async () => {
    const origin = await servedWorker(WORKER);
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

  it("is served by the worker that its README shows, which asks for a token", async () => {
    const readme = document("../packages/mcp-server/README.md");
    const [program = ""] = blocksIn(readme.slice(readme.indexOf("\n## In your own server")), "js");
    const origin = await servedWorker(program);
    expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ ok: true, version: "0.1.0" });
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const { status, headers } = await fetch(`${origin}/mcp`, { method: "POST", headers: { host: "fleet.example.com" } });
    expect({ status, asks: headers.get("www-authenticate") }).toEqual({ status: 401, asks: expect.stringMatching(/^Bearer /) });
  });
});
