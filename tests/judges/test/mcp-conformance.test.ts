import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { issuerUnderTest } from "../../../packages/mcp-server/test/issuer-under-test.ts";
import { INSTALL_TIMEOUT, runOnNode24, type Served, serveSandbox } from "./programs.ts";

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

async function served(env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const server = await serveSandbox(env);
  onTestFinished(() => server.stop());
  return server;
}

/** The server with `FLEET_CALLER_AUTH=oauth`, behind a proxy that adds an access token: the suite cannot send one to a server. */
async function servedWithOAuth(): Promise<{ url: string }> {
  const issuer = await issuerUnderTest();
  let server: Served | undefined;
  const proxy = createServer(async (incoming, outgoing) => {
    const token = await issuer.sign({ aud: origin, scope: "fleet:read fleet:write" });
    const headers = [...incoming.rawHeaders, "Authorization", `Bearer ${token}`];
    const options = { method: incoming.method, headers, setHost: false };
    const forwarded = request(new URL(incoming.url ?? "/", server?.url), options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.once("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  await once(proxy, "listening");
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  server = await served({
    FLEET_CALLER_AUTH: "oauth",
    FLEET_OAUTH_ISSUER: issuer.url,
    FLEET_PUBLIC_URL: `${origin}/mcp`,
    FLEET_OAUTH_AUDIENCE: origin,
    // The suite's dns-rebinding-protection expects a page of the server's own origin to be served, which is a matter of this list once callers are authenticated.
    FLEET_ALLOWED_ORIGINS: origin,
  });
  expect((await fetch(server.url, { method: "POST" })).status).toBe(401);
  return { url: `${origin}/mcp` };
}

/** Runs it with the baseline of a revision. */
function runSuite(url: string, revision: string, scenarios: readonly string[]) {
  const baseline = fileURLToPath(new URL(`../conformance/${revision}.yml`, import.meta.url));
  const args = ["server", "--url", url, "--expected-failures", baseline, ...scenarios];
  return runOnNode24(SUITE, ["conformance", ...args], /Baseline check passed|baseline entries|not in baseline/);
}

// The suite does not count these pending or extension scenarios; those that pass must keep passing.
const PASSED_UNCOUNTED: Record<string, readonly string[]> = { "2026-07-28": ["http-header-validation"], "2025-11-25": [] };

describe.each(["2026-07-28", "2025-11-25"])("the MCP conformance suite of revision %s, over HTTP", (revision) => {
  it.each([
    ["that anyone on this machine may call", served],
    ["with FLEET_CALLER_AUTH=oauth", servedWithOAuth],
  ])(
    "passes for a server %s, except for the scenarios in the baseline",
    async (_, serve) => {
      const { url } = await serve();
      const { code, output } = await runSuite(url, revision, ["--requirements", revision]);
      const [, summary = output] = /(Expected failures[\s\S]*)/.exec(output) ?? [];
      expect(summary).toContain("Baseline check passed: all failures are expected.");
      for (const scenario of PASSED_UNCOUNTED[revision] ?? [])
        expect(output).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
      expect(code).toBe(0);
    },
    INSTALL_TIMEOUT,
  );
});

it("the conformance suite fails for a line of the baseline that passes", async () => {
  const { code, output } = await runSuite((await served()).url, "stale", ["--scenario", "tools-list"]);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/[Ss]tale baseline entries[\s\S]*tools-list/) });
});
