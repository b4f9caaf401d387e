import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { served, tenantSettings, tenantsFile, tokensFile } from "./callers-under-test.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { messagesIn } from "./spawned-bin.ts";

type Env = Record<string, string>;
const OAUTH = {
  FLEET_CALLER_AUTH: "oauth",
  FLEET_OAUTH_ISSUER: "https://id.example.com",
  FLEET_PUBLIC_URL: "https://fleet.example.com/mcp",
};
const TOKEN = { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: "t.json" };
const REPLICAS = { FLEET_REDIS_URL: "redis://redis.example" };
const SEALED = { FLEET_SEAL_KEY: Buffer.alloc(32).toString("base64") };

/** What the program says, in one line, about a configuration that it refuses. */
async function problemOf(env: Env, args: readonly string[] = []): Promise<string> {
  const { code, stdout, stderr } = await run(["http", "--sandbox", "--port", "0", ...args], env);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(/^[^\n]+\n$/) });
  return stderr.startsWith("{") ? messagesIn(stderr).join() : stderr;
}

describe("fleetwire-mcp http refuses", () => {
  const REACHABLE = /--host 0\.0\.0\.0 is reachable from other machines.*Use 127\.0\.0\.1.*or FLEET_CALLER_AUTH=token or oauth/;
  it.each<[string, Env, string | RegExp, string[]?]>([
    ["every address", {}, REACHABLE, ["--host", "0.0.0.0"]],
    ["an address that only looks like loopback", {}, /--host 127\.0\.0 is reachable/, ["--host", "127.0.0"]],
    ["an invalid port", {}, /--port .*whole number from 0 to 65535/, ["--port", "65536"]],
    ["a flag that is a variable", {}, "unknown option '--caller-auth': set FLEET_CALLER_AUTH", ["--caller-auth", "token"]],
    ["token without a file", { FLEET_CALLER_AUTH: "token" }, "FLEET_CALLER_AUTH=token needs FLEET_TOKENS_FILE. Set or remove"],
    ["oauth without an issuer", { FLEET_CALLER_AUTH: "oauth" }, /oauth needs FLEET_OAUTH_ISSUER; .* needs FLEET_PUBLIC_URL/],
    ["an address beyond loopback without its name", TOKEN, "--host 0.0.0.0 needs FLEET_PUBLIC_URL, so that", ["--host", "0.0.0.0"]],
    ["a public URL without TLS", { FLEET_PUBLIC_URL: "http://fleet.example.com/mcp" }, "FLEET_PUBLIC_URL must be an https URL"],
    ["an issuer without TLS", { FLEET_OAUTH_ISSUER: "http://id.example.com" }, "FLEET_OAUTH_ISSUER must be an https URL"],
    ["an origin with a wildcard", { FLEET_ALLOWED_ORIGINS: "https://*.claude.ai" }, /FLEET_ALLOWED_ORIGINS must be .* without wildcards/],
    ["a claim without customers", { ...OAUTH, FLEET_TENANT_CLAIM: "x" }, "FLEET_TENANT_CLAIM has no effect without FLEET_TENANTS_FILE"],
    [
      "rules with replicas",
      { ...TOKEN, ...SEALED, ...REPLICAS, FLEET_RULES: "rules.json" },
      "FLEET_RULES has no effect with FLEET_REDIS_URL",
    ],
    ...["10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0", "10.0.0.1,proxy"].map((proxies): [string, Env, string] => [
      `the proxies ${proxies}`,
      { FLEET_TRUSTED_PROXIES: proxies },
      "FLEET_TRUSTED_PROXIES must be a list",
    ]),
  ])("%s", async (_, env, problem, args) => {
    expect(await problemOf(env, args)).toMatch(problem);
  });

  const FILES = { FLEET_TOKENS_FILE: "x", FLEET_TENANTS_FILE: "x" };
  const ISSUED = { FLEET_OAUTH_ISSUER: "https://a.example", FLEET_OAUTH_AUDIENCE: "x", FLEET_TENANT_CLAIM: "x" };
  const PACE = { FLEET_CALLER_RATE: "1", FLEET_CALLER_CONCURRENCY: "1" };
  it.each<[string, Env, Env]>([
    ["none", {}, { FLEET_PUBLIC_URL: "https://fleet.example.com/mcp", ...FILES, ...ISSUED, ...PACE }],
    ["token", TOKEN, ISSUED],
    ["oauth", OAUTH, { FLEET_TOKENS_FILE: "x" }],
  ])("what has no effect with FLEET_CALLER_AUTH=%s", async (mode, env, useless) => {
    const problem = await problemOf({ ...env, ...useless });
    for (const name of Object.keys(useless)) expect(problem).toContain(`${name} has no effect with FLEET_CALLER_AUTH=${mode}`);
  });

  it.each<[string, string]>([
    ["that is missing", "/nowhere/rules.json"],
    ["that is not JSON", "{"],
    ["with a rule that is wrong", '{"rules": [{"id": "arrive", "when": "arrives", "at": {"lat": 45.7, "lng": 4.8}}]}'],
  ])("a file of rules %s, in the same words as watch --check", async (_, text) => {
    const path = text.startsWith("/") ? text : join(temporaryFolder(), "rules.json");
    if (path !== text) writeFileSync(path, text);
    const checked = await run(["watch", "--sandbox", "--rules", path, "--check"]);
    const [, problem = ""] = /^fleetwire-mcp: (.*rules.*)$/m.exec(checked.stderr) ?? [];
    const refused = await run(["http", "--sandbox", "--port", "0"], { FLEET_RULES: path });
    expect([refused.code, messagesIn(refused.stderr).at(-1)]).toEqual([2, problem]);
  });

  it.each(["redis://user:canary-pass@redis.example:99999999", "redis://user:canary/pass@redis.example", "postgres://:canary@10.0.0.1"])(
    "the Redis %s, without repeating it",
    async (url) => {
      const problem = await problemOf({ ...SEALED, FLEET_REDIS_URL: url });
      expect(problem).toContain("FLEET_REDIS_URL must be a URL such as rediss:");
      expect(problem).not.toContain("canary");
    },
  );

  it.each(["redis://redis.example", "rediss://user:p%2Fss@redis.example:6379/3", "redis://:canary-pass@[::1]:6379/"])(
    "the Redis %s only without a key that all replicas have",
    async (url) => {
      const expected = "FLEET_REDIS_URL needs FLEET_SEAL_KEY, the same for all replicas. Create one with: openssl rand -base64 32";
      expect(await problemOf({ FLEET_REDIS_URL: url })).toContain(expected);
    },
  );

  it("several customers with --sandbox, which has one, but not otherwise; and a port that is in use", async () => {
    const { http } = await served(environmentOf("http://127.0.0.1:9"));
    const { port } = new URL(http.url);
    const tenants = {
      FLEET_CALLER_AUTH: "token",
      FLEET_TOKENS_FILE: tokensFile({ north: { scopes: ["fleet:read"], tenant: "north" } }).file,
      FLEET_TENANTS_FILE: tenantsFile({ north: { settings: tenantSettings("north", "https://fleet.example.com") } }),
      ...{ ID_NORTH: "id", SECRET_NORTH: "canary-north" },
    };
    expect(await problemOf(tenants)).toContain("--sandbox supports only one customer. Remove FLEET_TENANTS_FILE");
    const { code, stderr } = await run(["http", "--port", port], tenants);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`port ${port} is in use; choose another --port, or 0 for a free one`)]);
  });
});

it("the help of http lists its variables, one a line", async () => {
  const { stdout } = await run(["http", "--help"]);
  const [, lines = ""] = stdout.split("Variables:\n");
  const names = lines.split("\n").map((line) => line.trim().split(" ")[0]);
  expect(names).toEqual(expect.arrayContaining(["FLEET_CLIENT_ID", "FLEET_SEAL_KEY", "FLEET_CALLER_AUTH"]));
});
