import { catalogue } from "@fleetwire/tools";
import { expect, it } from "vitest";
import { CALLS, scriptOf } from "../../tools/test/every-tool.ts";
import { fleetService } from "../../tools/test/served-fleet.ts";
import { messageIn, PUBLIC_URL, served, tokenServer, tokensFile, toolsIn } from "./callers-under-test.ts";
import { older } from "./http-under-test.ts";
import { issuerUnderTest } from "./issuer-under-test.ts";
import { connectedHost, environmentOf } from "./server-under-test.ts";

type Expected = "served" | "challenged" | "rejected" | "explained";
type Scope = "fleet:read" | "fleet:write";
const READ: readonly Scope[] = ["fleet:read"];
const BOTH: readonly Scope[] = ["fleet:read", "fleet:write"];

/** The variables of a server with a caller, and the caller's token. */
const MODES = {
  none: async () => ({ env: {}, token: undefined }),
  token: async (scopes: readonly Scope[]) => {
    const { file, tokens } = tokensFile({ dispatch: { scopes } });
    return { env: { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file }, token: tokens.dispatch };
  },
  oauth: async (scopes: readonly Scope[]) => {
    const issuer = await issuerUnderTest();
    const env = { FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: issuer.url, FLEET_PUBLIC_URL: PUBLIC_URL };
    return { env, token: await issuer.sign({ aud: PUBLIC_URL, scope: scopes.join(" ") }) };
  },
};

const effectOf = (name: string) => catalogue.find((tool) => [tool.name, ...tool.aliases].includes(name))?.effect;
const names = [...new Set(CALLS.map(([name]) => name))];

/** A tool that reads, or all of them, and every tool that writes, by every name. */
const attempts = (areAll: boolean) =>
  CALLS.filter(([name]) => areAll || name === "locate_vehicle" || effectOf(name) !== "read").flatMap(([name, args]) => {
    const { aliases = [] } = catalogue.find((tool) => tool.name === name) ?? {};
    return [name, ...aliases].map((alias) => [alias, args] as const);
  });

/** A host that shows the map (MCP Apps). */
const APPS = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
const READ_ONLY = { FLEET_READ_ONLY: "1" };

it.each<[keyof typeof MODES, readonly Scope[], Record<string, string>, reads: Expected, writes: Expected]>([
  ["none", [], {}, "served", "served"],
  ["none", [], READ_ONLY, "served", "explained"],
  ["token", READ, {}, "served", "challenged"],
  ["token", BOTH, {}, "served", "served"],
  ["token", BOTH, READ_ONLY, "served", "explained"],
  ["token", ["fleet:write"], {}, "rejected", "rejected"],
  ["oauth", READ, {}, "served", "challenged"],
  ["oauth", [], {}, "rejected", "rejected"],
])("callers %s with %j and %j: reads %s, writes %s", async (mode, scopes, more, reads, writes) => {
  const service = await fleetService(scriptOf("text"));
  const { env, token } = await MODES[mode](scopes);
  const { http, log, call, list } = await served({ ...environmentOf(service.origin), ...env, ...more }, { callerRate: 10_000 });

  const visible = names.filter((name) => (effectOf(name) === "read" ? reads : writes) === "served");
  const listed = await list(token);
  expect(reads === "served" ? toolsIn(listed.text).toSorted() : []).toEqual(visible.toSorted());
  for (const [name, args] of attempts(mode === "token" && writes === "challenged")) {
    const before = service.received.length;
    const { status, headers, text } = await call(name, args, token);
    const outcome = effectOf(name) === "read" ? reads : writes;
    if (outcome === "served") {
      expect({ name, status, error: messageIn(text).error }).toEqual({ name, status: 200, error: undefined });
      continue;
    }
    // Whatever the refusal is, nothing has reached the service.
    expect({ name, sent: service.received.length - before }).toEqual({ name, sent: 0 });
    if (outcome === "explained") expect(messageIn(text).result.content[0].text).toContain("it writes, and FLEET_READ_ONLY is set");
    else {
      const scope = outcome === "challenged" ? BOTH.join(" ") : "fleet:read";
      const challenge = expect.stringMatching(new RegExp(`^Bearer error="insufficient_scope".* scope="${scope}"`));
      expect({ name, status, challenge: headers["www-authenticate"] }).toEqual({ name, status: 403, challenge });
    }
  }

  const jobs = service.of("createJob").length;
  const connecting = connectedHost(http.url, { token, capabilities: APPS });
  if (reads !== "served") return expect(connecting).rejects.toThrow();
  const client = await connecting;
  const known = (asked: Promise<unknown>) => asked.then(Boolean, () => false);
  const canWrite = writes === "served";
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name).toSorted()).toEqual(["morning_briefing", ...(canWrite ? ["plan_job"] : []), "where_is"]);
  expect(await known(client.getPrompt({ name: "plan_job", arguments: { what: "x" } }))).toBe(canWrite);
  expect(await known(client.getPrompt({ name: "where_is", arguments: { vehicle: "v1" } }))).toBe(true);
  const uris = (await client.listResources()).resources.map(({ uri }) => uri);
  expect(uris).toContain("ui://fleetwire/map");
  expect(await known(client.readResource({ uri: "fleet://vehicle/v1" }))).toBe(true);
  const map = await client.callTool({ name: "read_map", arguments: { asked: [] } });
  expect(map.structuredContent).toMatchObject({ total: 1 });
  const reported = () => log.find(({ tool }) => tool === "read_map");
  await expect.poll(reported).toMatchObject({ outcome: "ok", method: "tools/call", customer: "c42" });
  expect(service.of("createJob")).toHaveLength(jobs);
});

it("a caller who may only read sees nothing about writes in instructions, prompts or resources", async () => {
  const { send, tokens } = await tokenServer({ script: scriptOf("text") });
  const start = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const requests = [older("initialize", start), ...["tools/list", "prompts/list", "resources/list"].map((method) => older(method))];
  const shown = (await Promise.all(requests.map((request) => send(request, tokens.reader)))).map(({ text }) => text).join();
  expect(shown).toContain("locate_vehicle");
  expect(shown).not.toMatch(/create_?job|update_?group|plan_job|dryRun/i);
});
