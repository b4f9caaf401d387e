import { expect, it } from "vitest";
import { httpConfigFromEnv } from "../src/cli/http-config.ts";

const CUSTOMER = {
  FLEET_CUSTOMER_ID: "c42",
  FLEET_CLIENT_ID: "client",
  FLEET_CLIENT_SECRET: "canary-secret",
  FLEET_BASE_URL: "https://fleet.example",
};
const OAUTH = { FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: "https://issuer.example", FLEET_PUBLIC_URL: "https://fleet.example/mcp" };
const TOKEN = { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: "tokens.json" };
const PUBLIC = { FLEET_PUBLIC_URL: "https://fleet.example/mcp" };

it.each<[why: string, env: Record<string, string>, host: string, expected: object]>([
  ["nobody by default", {}, "127.0.0.1", { callerAuth: "none", log: "warn", address: "127.0.0.1" }],
  ["nobody, on another loopback address", { FLEET_LOG: "debug" }, "::1", { callerAuth: "none", log: "debug", address: "::1" }],
  ["tokens", TOKEN, "127.0.0.1", { callerAuth: "token", address: "127.0.0.1" }],
  ["tokens, under a public address", { ...TOKEN, ...PUBLIC }, "0.0.0.0", { callerAuth: "token", address: "0.0.0.0" }],
  ["an issuer", OAUTH, "0.0.0.0", { callerAuth: "oauth", address: "0.0.0.0" }],
])("callers are authenticated by %s", (_, env, host, expected) => {
  const config = httpConfigFromEnv({ ...CUSTOMER, ...env }, host);
  expect(config).toMatchObject({ ...expected, server: { log: env["FLEET_LOG"] ?? "warn" } });
  expect(config.tenants).toBeUndefined();
});

it.each<[env: Record<string, string>, host: string, message: string]>([
  [{ FLEET_CALLER_AUTH: "token" }, "127.0.0.1", "configuration: FLEET_CALLER_AUTH=token needs FLEET_TOKENS_FILE"],
  [{ ...OAUTH, FLEET_OAUTH_ISSUER: "" }, "127.0.0.1", "configuration: FLEET_CALLER_AUTH=oauth needs FLEET_OAUTH_ISSUER"],
  [{ ...OAUTH, FLEET_PUBLIC_URL: "" }, "127.0.0.1", "configuration: FLEET_CALLER_AUTH=oauth needs FLEET_PUBLIC_URL"],
  [PUBLIC, "127.0.0.1", "configuration: FLEET_PUBLIC_URL has no effect with FLEET_CALLER_AUTH=none"],
  [{ FLEET_TOKENS_FILE: "x" }, "127.0.0.1", "configuration: FLEET_TOKENS_FILE has no effect with FLEET_CALLER_AUTH=none"],
  [{ FLEET_OAUTH_ISSUER: "https://a.example" }, "127.0.0.1", "configuration: FLEET_OAUTH_ISSUER has no effect with FLEET_CALLER_AUTH=none"],
  [{ FLEET_OAUTH_AUDIENCE: "x" }, "127.0.0.1", "configuration: FLEET_OAUTH_AUDIENCE has no effect with FLEET_CALLER_AUTH=none"],
  [{ FLEET_TENANTS_FILE: "x" }, "127.0.0.1", "configuration: FLEET_TENANTS_FILE has no effect with FLEET_CALLER_AUTH=none"],
  [{ FLEET_TENANT_CLAIM: "x" }, "127.0.0.1", "configuration: FLEET_TENANT_CLAIM has no effect with FLEET_CALLER_AUTH=none"],
  [{ ...TOKEN, FLEET_TENANT_CLAIM: "x" }, "127.0.0.1", "configuration: FLEET_TENANT_CLAIM has no effect with FLEET_CALLER_AUTH=token"],
  [
    { ...TOKEN, FLEET_OAUTH_ISSUER: "https://a.example", FLEET_OAUTH_AUDIENCE: "b" },
    "127.0.0.1",
    "configuration: FLEET_OAUTH_ISSUER has no effect with FLEET_CALLER_AUTH=token; FLEET_OAUTH_AUDIENCE has no effect with FLEET_CALLER_AUTH=token",
  ],
  [{ FLEET_CALLER_RATE: "1" }, "127.0.0.1", "configuration: FLEET_CALLER_RATE has no effect with FLEET_CALLER_AUTH=none"],
  [{ FLEET_CALLER_CONCURRENCY: "1" }, "127.0.0.1", "configuration: FLEET_CALLER_CONCURRENCY has no effect with FLEET_CALLER_AUTH=none"],
  [{ ...OAUTH, FLEET_TENANT_CLAIM: "x" }, "127.0.0.1", "configuration: FLEET_TENANT_CLAIM has no effect without FLEET_TENANTS_FILE"],
  [{ ...OAUTH, FLEET_TOKENS_FILE: "x" }, "127.0.0.1", "configuration: FLEET_TOKENS_FILE has no effect with FLEET_CALLER_AUTH=oauth"],
  [{}, "0.0.0.0", "--host 0.0.0.0 is reachable from other machines, and with --caller-auth none anyone there could use your credentials"],
  [TOKEN, "0.0.0.0", "--host 0.0.0.0 needs FLEET_PUBLIC_URL, so that requests for other hosts can be rejected"],
])("%j on %s is rejected: %s", (env, host, message) => {
  const advice = message.startsWith("configuration: ") ? "Set or remove these variables" : undefined;
  expect(() => httpConfigFromEnv({ ...CUSTOMER, ...env }, host)).toThrow(
    expect.objectContaining({ code: "config", message, ...(advice !== undefined && { advice }) }),
  );
});

it("lists may have blanks and empty entries", () => {
  const lists = { FLEET_ALLOWED_ORIGINS: " https://a.example , ,https://b.example,", FLEET_TRUSTED_PROXIES: "10.0.0.0/8, ::1" };
  const { values } = httpConfigFromEnv({ ...CUSTOMER, ...lists }, "127.0.0.1");
  expect(values.FLEET_ALLOWED_ORIGINS).toEqual(["https://a.example", "https://b.example"]);
  expect(values.FLEET_TRUSTED_PROXIES?.callerOf("::1", "192.0.2.7")).toEqual({ address: "192.0.2.7", proxied: true });
});

const SEALED = { FLEET_SEAL_KEY: Buffer.alloc(32).toString("base64") };

it.each(["redis://redis.example", "rediss://user:p%2Fss@redis.example:6379/3", "redis://:canary-pass@[::1]:6379/"])(
  "the Redis %s is accepted",
  (url) => {
    expect(httpConfigFromEnv({ ...CUSTOMER, ...SEALED, FLEET_REDIS_URL: url }, "127.0.0.1").redis).toEqual({
      url,
      sealKey: SEALED.FLEET_SEAL_KEY,
    });
  },
);

it("an unknown toolset is rejected before the server starts", () => {
  const message = expect.stringContaining("there is no toolset jbos");
  expect(() => httpConfigFromEnv({ ...CUSTOMER, FLEET_TOOLSETS: "jbos" }, "127.0.0.1")).toThrow(
    expect.objectContaining({ code: "config", message }),
  );
});

it("Redis needs a common key", () => {
  expect(() => httpConfigFromEnv({ ...CUSTOMER, FLEET_REDIS_URL: "redis://redis.example" }, "127.0.0.1")).toThrow(
    expect.objectContaining({
      code: "config",
      message: "configuration: FLEET_REDIS_URL needs FLEET_SEAL_KEY, the same for all replicas",
      advice: "Create one with: openssl rand -base64 32",
    }),
  );
});

it.each([
  "redis://user:canary-pass@redis.example:99999999",
  "redis://user:canary/pass@redis.example",
  "redis://user:canary%ZZ@redis.example",
  "redis://redis.example/canary-database",
  "redis:canary",
  "redis:///3",
  "http://redis.example",
])("the Redis %s is rejected without repeating it", (url) => {
  expect(() => httpConfigFromEnv({ ...CUSTOMER, ...SEALED, FLEET_REDIS_URL: url }, "127.0.0.1")).toThrow(
    expect.objectContaining({ code: "config", message: expect.stringMatching(/^(?!.*canary).*FLEET_REDIS_URL must be a URL such as/) }),
  );
});
