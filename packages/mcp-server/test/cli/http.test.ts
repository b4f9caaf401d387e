import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { served, tenantsFile, tokensFile } from "../callers-under-test.ts";
import { raw } from "../http-under-test.ts";
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

it("the console's data is served without a sign-in to callers on this machine only", async () => {
  const connection = environmentOf("https://fleet.example.com");
  const { file } = tokensFile({ anna: { scopes: ["fleet:read"] } });
  const statusWith = async (env: Record<string, string>, path = "/console/api/status") => {
    const { http } = await served({ ...connection, ...env });
    return (await raw(new URL(path, http.url).href, { method: "GET" })).status;
  };
  expect(await statusWith({})).toBe(200);
  expect(await statusWith({ FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file })).toBe(401);
});

describe("what a command is configured with", () => {
  it.each<[string, string[], Record<string, string>, RegExp]>([
    [
      "a notice names variables that it does not know",
      ["tools", "--sandbox"],
      { FLEET_SOMETHING_ELSE: "1" },
      /ignored unknown variables: FLEET_SOMETHING_ELSE\n/,
    ],
    [
      "a notice names what the sandbox replaces",
      ["tools", "--sandbox"],
      { FLEET_BASE_URL: "https://x.example", FLEET_JOB_URL: " " },
      /made up; ignored: FLEET_BASE_URL\n/,
    ],
    [
      "no notice names variables of the server to a watch that shares its file",
      ["watch", "--sandbox", "--rules", "/nonexistent"],
      { FLEET_PUBLIC_URL: "https://fleet.example.com/mcp", FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: "/nonexistent" },
      /made up\n(?:fleetwire-mcp: )?--rules/,
    ],
    ["an empty flag is refused", ["tools", "--time-zone", ""], {}, /configuration: --time-zone is empty\. Set a value or omit the flag/],
    ["the sandbox is suggested if something is wrong", ["tools"], {}, /; see --help, or try --sandbox, which needs no configuration\n/],
    ["the sandbox is suggested over stdio too", ["stdio"], {}, /; see --help, or try --sandbox, which needs no configuration\n/],
  ])("%s", async (_, args, env, expected) => {
    expect((await run(args, env)).stderr).toMatch(expected);
  });

  it("is the environment, which flags override", async () => {
    const { stdout } = await run(["tools", "--sandbox", "--toolsets", "tires"], { FLEET_TOOLSETS: "all" });
    expect(stdout).toMatch(/1 tools/);
  });
});
