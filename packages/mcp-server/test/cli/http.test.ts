import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { accessOf } from "../../src/cli/http-access.ts";
import { httpConfigFromEnv } from "../../src/cli/http-config.ts";
import { CALLER_LIMITS } from "../../src/http/limits.ts";
import { tenantsFile, tokensFile } from "../callers-under-test.ts";
import { run } from "../run-program.ts";
import { environmentOf } from "../server-under-test.ts";
import { tenantSettings } from "../tenants-under-test.ts";

/** The environment of a server with one customer in a tenants file. */
const withTenants = () => ({
  FLEET_CALLER_AUTH: "token",
  FLEET_TOKENS_FILE: tokensFile({ north: { scopes: ["fleet:read"], tenant: "north" } }).file,
  FLEET_TENANTS_FILE: tenantsFile({ north: { settings: tenantSettings("north", "https://fleet.example.com") } }),
  ID_NORTH: "id",
  SECRET_NORTH: "canary-north",
});

describe("fleetwire-mcp http", () => {
  it("refuses several customers with --sandbox, which has one", async () => {
    const { code, stderr } = await run(["http", "--sandbox"], withTenants());
    expect([code, stderr]).toEqual([2, expect.stringContaining("--sandbox supports only one customer. Remove FLEET_TENANTS_FILE")]);
  });

  it("accepts them otherwise, and says if its port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run(["http", "--port", String(port)], withTenants());
    expect([code, stderr]).toEqual([2, expect.stringContaining(`port ${port} is in use; choose another --port`)]);
  });

  it("lists its secrets in its help, one a line", async () => {
    const { stdout } = await run(["http", "--help"]);
    const [, secrets = ""] = stdout.split("Secrets can only be set in the environment:\n");
    expect(secrets.split("\n").map((line) => line.trim().split(" ")[0])).toEqual(
      expect.arrayContaining(["FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET", "FLEET_SEAL_KEY"]),
    );
  });
});

it("the console is served to callers on this machine only, as it does not authenticate them", () => {
  const connection = environmentOf("https://fleet.example.com");
  const { file } = tokensFile({ anna: { scopes: ["fleet:read"] } });
  const pageWith = (env: Record<string, string>) =>
    accessOf(httpConfigFromEnv({ ...connection, ...env }, "127.0.0.1"), pino({ level: "silent" }), CALLER_LIMITS).page;
  expect(pageWith({})).toBeTypeOf("function");
  expect(pageWith({ FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file })).toBeUndefined();
});
