import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./callers-under-test.ts";
import { run } from "./run-program.ts";
import { messagesIn } from "./spawned-bin.ts";

const OAUTH = ["--caller-auth", "oauth", "--oauth-issuer", "https://id.example.com", "--public-url", "https://fleet.example.com/mcp"];
const TOKEN = ["--caller-auth", "token", "--tokens-file", "t.json"];
const SEALED = { FLEET_SEAL_KEY: Buffer.alloc(32).toString("base64") };

/** What the program says about a configuration that it refuses. */
async function problemOf(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stderr } = await run(["http", "--sandbox", "--port", "0", ...args], env);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^[^\n]+\n$/) });
  return stderr.startsWith("{") ? messagesIn(stderr).join() : stderr;
}

describe("fleetwire-mcp http refuses", () => {
  it.each<[string, string[], string | RegExp]>([
    ["token without a file", ["--caller-auth", "token"], "FLEET_CALLER_AUTH=token needs FLEET_TOKENS_FILE. Set or remove"],
    ["oauth without an issuer", ["--caller-auth", "oauth"], /oauth needs FLEET_OAUTH_ISSUER; .* needs FLEET_PUBLIC_URL/],
    ["an address beyond loopback without its name", [...TOKEN, "--host", "0.0.0.0"], "--host 0.0.0.0 needs FLEET_PUBLIC_URL, so that"],
    ["a public URL without TLS", ["--public-url", "http://fleet.example.com/mcp"], "FLEET_PUBLIC_URL must be an https URL"],
    ["an issuer without TLS", ["--oauth-issuer", "http://id.example.com"], "FLEET_OAUTH_ISSUER must be an https URL"],
    ["an origin with a path", ["--allowed-origins", "https://claude.ai/x"], "FLEET_ALLOWED_ORIGINS must be a list of origins"],
    ["an origin with a wildcard", ["--allowed-origins", "https://*.claude.ai"], /FLEET_ALLOWED_ORIGINS must be .* without wildcards/],
    ["a toolset that does not exist", ["--toolsets", "jbos"], "there is no toolset jbos"],
    ["a secret in a flag", ["--redis-url", "redis://:secret@10.0.0.1"], "unknown option '--redis-url'"],
    ["a claim without customers", [...OAUTH, "--tenant-claim", "x"], "FLEET_TENANT_CLAIM has no effect without FLEET_TENANTS_FILE"],
  ])("%s", async (_, args, problem) => {
    expect(await problemOf(args)).toMatch(problem);
  });

  it.each<[string[], string, string[]]>([
    [
      [],
      "none",
      [
        "--public-url=https://fleet.example.com/mcp",
        "--tokens-file=x",
        "--oauth-issuer=https://a.example",
        "--oauth-audience=x",
        "--tenants-file=x",
        "--tenant-claim=x",
        "--event-webhooks=x",
        "--caller-rate=1",
        "--caller-concurrency=1",
      ],
    ],
    [TOKEN, "token", ["--oauth-issuer=https://a.example", "--oauth-audience=x", "--tenant-claim=x"]],
    [OAUTH, "oauth", ["--tokens-file=x"]],
  ])("what has no effect: %j", async (args, mode, useless) => {
    const problem = await problemOf([...args, ...useless]);
    for (const flag of useless) {
      const name = `FLEET_${flag.slice(2, flag.indexOf("=")).replaceAll("-", "_").toUpperCase()}`;
      expect(problem).toContain(`${name} has no effect with FLEET_CALLER_AUTH=${mode}`);
    }
  });

  it.each(["10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.0/-1", "10.0.0", "proxy", "10.0.0.1,proxy"])(
    "the list of proxies %s",
    async (proxies) => {
      expect(await problemOf(["--trusted-proxies", proxies])).toContain("FLEET_TRUSTED_PROXIES must be a list");
    },
  );

  it.each(["https://a.example", "*.example", "a.example/x", "a.example,b c", "user@a.example"])(
    "the hosts of receivers %s",
    async (hosts) => {
      expect(await problemOf([...TOKEN, "--event-webhooks", hosts])).toContain("FLEET_EVENT_WEBHOOKS must be a list of hosts");
    },
  );

  it("receivers of events, and rules, with replicas", async () => {
    const args = [...TOKEN, "--event-webhooks=hooks.example.com:8443", "--rules=rules.json"];
    const problem = await problemOf(args, { ...SEALED, FLEET_REDIS_URL: "redis://redis.example" });
    expect(problem).toContain("FLEET_EVENT_WEBHOOKS has no effect with FLEET_REDIS_URL; FLEET_RULES has no effect with FLEET_REDIS_URL");
  });

  it.each<[string, string]>([
    ["that is missing", "/nowhere/rules.json"],
    ["that is not JSON", "{"],
    ["with a rule that is wrong", '{"rules": [{"id": "arrive", "when": "arrives", "at": {"lat": 45.7, "lng": 4.8}}]}'],
  ])("a file of rules %s, in the same words as watch --check", async (_, text) => {
    const folder = temporaryFolder();
    const path = text.startsWith("/") ? text : join(folder, "rules.json");
    if (path !== text) writeFileSync(path, text);
    const checked = await run(["watch", "--sandbox", "--rules", path, "--check"]);
    const [, problem = ""] = /^fleetwire-mcp: (.*rules.*)$/m.exec(checked.stderr) ?? [];
    const refused = await run(["http", "--sandbox", "--port", "0", "--rules", path]);
    expect([refused.code, messagesIn(refused.stderr).at(-1)]).toEqual([2, problem]);
  });

  it.each([
    "redis://user:canary-pass@redis.example:99999999",
    "redis://user:canary/pass@redis.example",
    "redis://user:canary%ZZ@redis.example",
    "redis://redis.example/canary-database",
    "redis:///3",
    "postgres://:canary@10.0.0.1",
  ])("the Redis %s, without repeating it", async (url) => {
    const problem = await problemOf([], { ...SEALED, FLEET_REDIS_URL: url });
    expect(problem).toContain("FLEET_REDIS_URL must be a URL such as rediss:");
    expect(problem).not.toContain("canary");
  });

  it.each(["redis://redis.example", "rediss://user:p%2Fss@redis.example:6379/3", "redis://:canary-pass@[::1]:6379/"])(
    "the Redis %s only without a key that all replicas have",
    async (url) => {
      const problem = await problemOf([], { FLEET_REDIS_URL: url });
      expect(problem).toContain(
        "FLEET_REDIS_URL needs FLEET_SEAL_KEY, the same for all replicas. Create one with: openssl rand -base64 32",
      );
    },
  );
});
