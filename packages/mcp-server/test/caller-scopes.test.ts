import { type Operation, operations } from "@fleetwire/core";
import { catalogue } from "@fleetwire/tools";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { CALLS, scriptOf } from "../../tools/test/every-tool.ts";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { bearer, messageIn, served, tokensFile, toolsIn } from "./callers-under-test.ts";
import { hostClient } from "./host-client.ts";
import { issuerUnderTest } from "./issuer-under-test.ts";
import { environmentOf } from "./server-under-test.ts";

const READ = ["fleet:read"] as const;
const BOTH = ["fleet:read", "fleet:write"] as const;
const PUBLIC_URL = "https://fleet.example.com/mcp";

type Expected = "served" | "challenged" | "rejected" | "explained";

/** Starts a server with a caller, and returns the caller's token. */
const MODES: Record<
  string,
  (scopes: readonly ("fleet:read" | "fleet:write")[]) => Promise<{ env: Record<string, string>; token?: string }>
> = {
  none: async () => ({ env: {} }),
  token: async (scopes) => {
    const { file, tokens } = tokensFile({ dispatch: { scopes } });
    return { env: { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file }, token: tokens.dispatch };
  },
  oauth: async (scopes) => {
    const issuer = await issuerUnderTest();
    const env = { FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: issuer.url, FLEET_PUBLIC_URL: PUBLIC_URL };
    return { env, token: await issuer.sign({ aud: PUBLIC_URL, scope: scopes.join(" ") }) };
  },
};

const SETUPS: [string, keyof typeof MODES, readonly ("fleet:read" | "fleet:write")[], Record<string, string>, Expected, Expected][] = [
  ["none: everyone on this machine", "none", [], {}, "served", "served"],
  ["none, read-only", "none", [], { FLEET_READ_ONLY: "1" }, "served", "explained"],
  ["token with fleet:read", "token", READ, {}, "served", "challenged"],
  ["token with both scopes", "token", BOTH, {}, "served", "served"],
  ["token with both scopes, read-only", "token", BOTH, { FLEET_READ_ONLY: "1" }, "served", "explained"],
  ["token with fleet:write only", "token", ["fleet:write"], {}, "rejected", "rejected"],
  ["access token with fleet:read", "oauth", READ, {}, "served", "challenged"],
  ["access token with both scopes", "oauth", BOTH, {}, "served", "served"],
  ["access token with both scopes, read-only", "oauth", BOTH, { FLEET_READ_ONLY: "1" }, "served", "explained"],
  ["access token without scopes", "oauth", [], {}, "rejected", "rejected"],
];

const effectOf = new Map(catalogue.flatMap(({ name, aliases, effect }) => [name, ...aliases].map((alias) => [alias, effect] as const)));

/** Every tool by every name. */
const EVERY_CALL = CALLS.flatMap(([name, args]) => {
  const { aliases = [] } = catalogue.find((tool) => tool.name === name) ?? {};
  return [name, ...aliases].map((alias): [string, Record<string, unknown>] => [alias, args]);
});

const names = [...new Set(CALLS.map(([name]) => name))];

describe.each(SETUPS)("%s", (_, mode, scopes, more, reads, writes) => {
  it(`lists ${reads === "served" ? (writes === "served" ? "all tools" : "the tools that read") : "nothing"}: reads ${reads}, writes ${writes}`, async () => {
    const service = await fleetService(scriptOf("text"));
    const { env, token } = await (MODES[mode] as (typeof MODES)[string])(scopes);
    const { call, list } = await served({ ...environmentOf(service.origin), ...env, ...more }, { callerRate: 10_000 });

    const listed = await list(token);
    const visible = reads === "served" ? toolsIn(listed.text) : [];
    const expected = names.filter((name) => (effectOf.get(name) === "read" ? reads : writes) === "served");
    expect(visible.toSorted()).toEqual(reads === "served" ? expected.toSorted() : []);

    for (const [name, args] of EVERY_CALL) {
      const before = service.received.length;
      const { status, headers, text } = await call(name, args, token);
      const outcome = effectOf.get(name) === "read" ? reads : writes;
      if (outcome === "served") {
        expect({ name, status, error: messageIn(text).error }).toEqual({ name, status: 200, error: undefined });
        continue;
      }
      // Whatever the refusal is, nothing has reached the service.
      expect({ name, sent: service.received.length - before }).toEqual({ name, sent: 0 });
      if (outcome === "explained")
        expect({ name, result: messageIn(text).result }).toMatchObject({
          name,
          result: { isError: true, content: [{ text: expect.stringContaining("it writes, and FLEET_READ_ONLY is set") }] },
        });
      else {
        const scope = outcome === "challenged" ? BOTH.join(" ") : "fleet:read";
        const challenge = expect.stringMatching(new RegExp(`^Bearer error="insufficient_scope".* scope="${scope}"`));
        expect({ name, status, challenge: headers["www-authenticate"] }).toEqual({ name, status: 403, challenge });
      }
    }
  });
});

/** A host that shows the map (MCP Apps). */
const APPS = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };

describe.each(SETUPS)("%s", (_, mode, scopes, more, reads, writes) => {
  it(`prompts, resources and the map: reads ${reads}, those about writes ${writes === "served" ? "too" : "not"}`, async () => {
    const service = await fleetService(scriptOf("text"));
    const { env, token } = await (MODES[mode] as (typeof MODES)[string])(scopes);
    const { http, log } = await served({ ...environmentOf(service.origin), ...env, ...more });
    const client = hostClient("auto", APPS);
    onTestFinished(() => client.close());
    const connecting = client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers: bearer(token) } }));
    if (reads !== "served") return expect(connecting).rejects.toThrow();
    await connecting;
    const known = async (asked: Promise<unknown>) =>
      asked.then(
        () => true,
        () => false,
      );
    const canWrite = writes === "served";

    const { prompts } = await client.listPrompts();
    const names = prompts.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...(canWrite ? ["plan_job"] : []), "morning_briefing", "where_is"].toSorted());
    expect(await known(client.getPrompt({ name: "plan_job", arguments: { what: "x" } }))).toBe(canWrite);
    expect(await known(client.getPrompt({ name: "where_is", arguments: { vehicle: "v1" } }))).toBe(true);

    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining(["ui://fleetwire/map", "fleet://operation/listLivePositions"]));
    for (const { name, effect } of Object.values<Operation>(operations)) {
      if (name === "requestAccessToken") continue;
      const uri = `fleet://operation/${name}`;
      expect({ name, listed: uris.includes(uri), read: await known(client.readResource({ uri })) }).toEqual({
        name,
        listed: effect === "read" || canWrite,
        read: effect === "read" || canWrite,
      });
    }
    expect(await known(client.readResource({ uri: "fleet://vehicle/v1" }))).toBe(true);

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("read_map");
    const map = await client.callTool({ name: "read_map", arguments: { asked: [] } });
    expect(map.structuredContent).toMatchObject({ total: 1 });
    const reported = () => log.find(({ tool }) => tool === "read_map");
    await expect.poll(reported).toMatchObject({ tool: "read_map", outcome: "ok", method: "tools/call", customer: "c42" });
    expect(service.of("createJob")).toEqual([]);
  });
});

describe("a caller who may only read", () => {
  it("sees nothing about writes in instructions, prompts or resources", async () => {
    const service = await fleetService(scriptOf("text"));
    const { file, tokens } = tokensFile({ reader: { scopes: READ } });
    const env = { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file };
    const { http } = await served({ ...environmentOf(service.origin), ...env });
    const ask = async (method: string, params: object = {}) => {
      const response = await fetch(http.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${tokens.reader}`,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      return response.text();
    };
    const start = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const told = [await ask("initialize", start), await ask("tools/list"), await ask("prompts/list"), await ask("resources/list")].join();
    expect(told).toContain("locate_vehicle");
    expect(told).not.toMatch(/create_?job|update_?group|plan_job|dryRun/i);
  });
});
