import { readFileSync } from "node:fs";
import { createSandbox } from "@fleetwire/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";
import { bundled, servedByWorkerd } from "./workerd.ts";

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
const README = readFileSync(new URL("../../../packages/mcp-server/README.md", import.meta.url), "utf8");

/** Serves a worker with a sandbox behind it. Returns its origin. */
async function served(worker: string): Promise<string> {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const { env } = await sandbox.listen();
  const script = await bundled(worker, { conditions: ["workerd", "worker", "browser"], external: ["node:*"], format: "esm" });
  return servedByWorkerd(script, { ...env, FLEET_CONFIRM: "never" });
}

describe("the built server in workerd", () => {
  it("serves calls one by one and at once, and checks who may write", async () => {
    const origin = await served(WORKER);
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
    const [, program = ""] = /^```js\n(.*?)^```/ms.exec(README.slice(README.indexOf("\n## In your own server"))) ?? [];
    const origin = await served(program);
    expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ ok: true, version: "0.1.0" });
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const { status, headers } = await fetch(`${origin}/mcp`, { method: "POST", headers: { host: "fleet.example.com" } });
    expect({ status, asks: headers.get("www-authenticate") }).toEqual({ status: 401, asks: expect.stringMatching(/^Bearer /) });
  });
});
