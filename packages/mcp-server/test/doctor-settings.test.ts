import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../tests/vitest/free-port.ts";
import { fleetService, type Script } from "../../tools/test/fleet-service.ts";
import { tokensFile } from "./callers-under-test.ts";
import { issuerUnderTest } from "./issuer-under-test.ts";
import { run } from "./run-program.ts";
import { CANARY, environmentOf } from "./server-under-test.ts";
import { start } from "./spawned-bin.ts";

const RESPONSES: Script = {
  listLivePositions: () => ({ body: [] }),
  listVehicleFaults: () => ({ body: { items: [] } }),
  listTireEvents: () => ({ body: [] }),
  listJobs: () => ({ body: [] }),
  queryTachoActivity: () => ({ body: { count: 0, data: [] } }),
};

// Made for this test: self-signed, for localhost, and used nowhere else.
const TLS = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqDfHcJPudD6DDuCC
C4UFjepJV6bxvzCzACsbcT4PE5OhRANCAAT67sQOTiGAbDYxO2SPRnucv18+GcaI
VkKUMy99fxOxY40Yivn15dpRHdhnhrXwn3NiwHowbLInYj3x/BKONnUM
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUVZ6UHdg31qh9ybHbgY4eka3zKh8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNTEyMTQ1MVoYDzIxMjYxMTAx
MTIxNDUxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT67sQOTiGAbDYxO2SPRnucv18+GcaIVkKUMy99fxOxY40Yivn15dpR
HdhnhrXwn3NiwHowbLInYj3x/BKONnUMo1MwUTAdBgNVHQ4EFgQUdtXU8i/0tQhN
NIdem5QXu0OwxtswHwYDVR0jBBgwFoAUdtXU8i/0tQhNNIdem5QXu0OwxtswDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBOOx0UgK0/Tflzcwo4DKWu
TD/46pbAOBKBiCc7YPjevwIgXGYtHgXh41KCBWdgqDkolxoI+mLshxZUhc6NFr6i
hSo=
-----END CERTIFICATE-----`,
};

async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const plainPort = () => portOf(createServer((_, response) => response.end()));
const tlsPort = () => portOf(createTlsServer(TLS, (_, response) => response.end()));
const silentPort = () => portOf(createServer(() => {}));

describe("a server that cannot be reached", () => {
  it.each<[string, () => Promise<string>, string, string, Record<string, string>?]>([
    [
      "a host without an address",
      async () => "https://fleet.invalid",
      "the host name cannot be resolved (DNS)",
      "Check the host name in FLEET_JOB_URL, and whether it needs a VPN",
    ],
    [
      "a closed port",
      async () => `http://127.0.0.1:${await freePort()}`,
      "connection refused",
      "Check the host and port in FLEET_JOB_URL: nothing accepts connections there",
    ],
    [
      "a certificate of one's own",
      async () => `https://localhost:${await tlsPort()}`,
      "certificate: its issuer is not trusted",
      "Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of your company's or operator's authority",
    ],
    [
      "https on a plain port",
      async () => `https://127.0.0.1:${await plainPort()}`,
      "TLS on a plain port: the port does not speak TLS",
      "Check the port in FLEET_JOB_URL: https:// needs one that speaks TLS, such as 443",
    ],
    [
      "a server that says nothing",
      async () => `http://127.0.0.1:${await silentPort()}`,
      "no response: the host cannot be reached",
      "Check FLEET_JOB_URL, and whether it needs a VPN, a proxy or an open firewall",
    ],
    [
      "a proxy that Node does not use",
      async () => `http://127.0.0.1:${await freePort()}`,
      "connection refused",
      "nothing accepts connections there. HTTP_PROXY is set, but Node uses it only with NODE_USE_ENV_PROXY=1, from Node 24",
      { HTTP_PROXY: "http://127.0.0.1:1" },
    ],
  ])("%s", async (_, address, cause, action, env = {}) => {
    const service = await fleetService(RESPONSES);
    const { code, stdout } = await run(["doctor", "--timeout", "2"], {
      ...environmentOf(service.origin),
      FLEET_JOB_URL: await address(),
      ...env,
    });
    expect(code).toBe(1);
    expect(stdout).toContain(`\nFLEET_JOB_URL    createJob           NO   network: ${cause}\n`);
    expect(stdout).toContain("\n15 of 16 tools are usable. The others:\ncreate_job  createJob failed\n");
    expect(stdout.match(/- createJob: (.*)/)?.[1]).toContain(action);
    expect(stdout).not.toMatch(/127\.0\.0\.1|canary/);
  });
});

it.each<[string, Script, string]>([
  [
    "the credentials are wrong",
    {
      ...Object.fromEntries(Object.keys(RESPONSES).map((name) => [name, () => ({ status: 401 })])),
      requestAccessToken: () => ({ status: 401 }),
    },
    "the credentials were refused in every call",
  ],
  [
    "the path in FLEET_BASE_URL is wrong",
    {
      ...RESPONSES,
      ...Object.fromEntries(["listLivePositions", "listVehicleFaults", "listTireEvents"].map((name) => [name, () => ({ status: 404 })])),
    },
    "every call to this server failed",
  ],
])("an operation that is not called fails if %s", async (_, script, why) => {
  const service = await fleetService(script);
  const { code, stdout } = await run(["doctor"], environmentOf(service.origin));
  expect([code, stdout]).toEqual([1, expect.stringMatching(new RegExp(`^FLEET_BASE_URL +updateGroup +NO +${why}$`, "m"))]);
  expect(stdout).toMatch(/^update_group +updateGroup failed$/m);
});

it("says which path it did not check", async () => {
  const service = await fleetService(RESPONSES);
  const { stdout } = await run(["doctor"], { ...environmentOf(service.origin), FLEET_JOB_URL: `${service.origin}/nonsense` });
  const unchecked = "Not checked: the path in FLEET_JOB_URL, on which create_job depends: a call would change data.";
  expect(stdout).toContain(`\nAll checks passed.\n${unchecked}\n16 of 16 tools are usable.\n`);
});

it("createJob is NO if its token cannot be had", async () => {
  const service = await fleetService({ ...RESPONSES, requestAccessToken: () => ({ status: 401 }) });
  const { stdout } = await run(["doctor"], environmentOf(service.origin));
  expect(stdout).toMatch(/^FLEET_JOB_URL +createJob +NO +no access token: requestAccessToken failed$/m);
  expect(stdout).toMatch(/^FLEET_BASE_URL +updateGroup +yes +reachable, path not checked: it would change data$/m);
});

it("says how many tools are usable, and what each of the others lacks", async () => {
  const service = await fleetService(RESPONSES);
  const { code, stdout } = await run(["doctor"], { ...environmentOf(service.origin), FLEET_JOB_URL: "", FLEET_TACHO_URL: "" });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /\n9 of 16 tools are usable\. The others:\n(driver_hours|driver_infringements|summarize_driver_activity|trips_and_stops|where_was|query_tacho_activity) +FLEET_TACHO_URL is not set\n/,
  );
  expect(stdout).toMatch(/^create_job +FLEET_JOB_URL is not set$/m);
});

it("prints each result when its check ends", async () => {
  const service = await fleetService({ ...RESPONSES, listLivePositions: () => "silence" });
  const { lines } = start(["doctor"], environmentOf(service.origin));
  expect((await lines(5))[4]).toMatch(/^FLEET_AUTH_URL +requestAccessToken +yes +responded in/);
});

it.each<[name: string, value: string]>([
  ["FLEET_CLIENT_ID", `\${FLEET_CLIENT_ID}`],
  ["FLEET_CLIENT_ID", "<client id>"],
  ["FLEET_CLIENT_SECRET", "YOUR_CLIENT_SECRET"],
  ["FLEET_CUSTOMER_ID", "YOUR_CUSTOMER_ID"],
  ["FLEET_BASE_URL", `\${user_config.base_url}`],
  ["FLEET_AUTH_URL", "https://<host>/auth"],
  ["FLEET_BASE_URL", "https://..."],
  ["FLEET_CUSTOMER_ID", "..."],
  ["FLEET_CLIENT_SECRET", "..."],
  ["FLEET_TACHO_URL", "https://..."],
  ["FLEET_TIME_ZONE", "..."],
  ["FLEET_PUBLIC_URL", "https://YOUR-HOST/mcp"],
])("no command starts with a placeholder: %s=%s", async (name, value) => {
  const env = {
    ...environmentOf("https://fleet.example.com"),
    FLEET_CALLER_AUTH: "token",
    FLEET_TOKENS_FILE: "tokens.json",
    [name]: value,
  };
  const isForHttp = name === "FLEET_PUBLIC_URL";
  for (const verb of isForHttp ? ["doctor", "http"] : ["doctor", "http", "stdio", "tools"]) {
    const { code, stdout, stderr } = await run([verb, "--log", "silent"], env);
    expect({ verb, code, stdout }).toEqual({ verb, code: 2, stdout: "" });
    const problem = `configuration: ${name} still holds a placeholder: replace it, or let your host fill it in. Set or fix`;
    expect(stderr).toContain(problem);
  }
});

describe("settings that cannot be right are named before anything is sent", () => {
  it.each<[name: string, value: string, problem: string]>([
    ["FLEET_CLIENT_SECRET", "https://fleet.example.com", "holds a URL: it may be swapped with another variable"],
    [
      "FLEET_BASE_URL",
      "https://fleet.example.com/api/public/v1/customer/c42/tracking/live",
      "holds the endpoint of listLivePositions: remove /public/v1/customer/{customerId}/tracking/live from its end",
    ],
    ["FLEET_BASE_URL", "https://fleet.example.com/api/public/v1", "holds the start of an operation's path: remove /public/v1 from its end"],
    [
      "FLEET_API_HOST",
      "https://fleet.example.com/job-management/v1/customer/c42/",
      "holds the start of an operation's path: remove /job-management/v1/customer/{customerId} from its end",
    ],
    ["FLEET_CLIENT_ID", '"client"', "is in quotes, which are part of the value: remove them"],
    ["FLEET_JOB_URL", "https://fleet.example.com/jobs/job/create", "holds the endpoint of createJob: remove /jobs/job/create from its end"],
    [
      "FLEET_AUTH_URL",
      "https://fleet.example.com/acme-oauth/oauth/accessToken",
      "holds a whole endpoint: keep the server's URL, and move the path to FLEET_TOKEN_PATH",
    ],
    [
      "FLEET_BASE_URL",
      "https://fleet.example.com/acme-oauth/oauth/accessToken",
      "holds the URL of requestAccessToken, whose server belongs in FLEET_AUTH_URL",
    ],
    [
      "FLEET_AUTH_URL",
      "https://fleet.example.com/public/v1/customer/c42/vehicle/faults",
      "holds the URL of listVehicleFaults, whose server belongs in FLEET_BASE_URL",
    ],
  ])("%s=%s", async (name, value, problem) => {
    const service = await fleetService(RESPONSES);
    const { code, stdout, stderr } = await run(["doctor"], { ...environmentOf(service.origin), [name]: value });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      `fleetwire-mcp: configuration: ${name} ${problem}. Fix the variables listed; nothing was sent; see --help, or try --sandbox, which needs no configuration\n`,
    );
    expect(service.received).toEqual([]);
  });

  it("an empty value counts as missing", async () => {
    const { code, stderr } = await run(["doctor"], { ...environmentOf("https://fleet.example.com"), FLEET_CLIENT_ID: "" });
    expect([code, stderr]).toEqual([2, expect.stringContaining("FLEET_CLIENT_ID is missing")]);
  });
});

describe("the settings of a server over HTTP", () => {
  const OAUTH = { FLEET_CALLER_AUTH: "oauth", FLEET_PUBLIC_URL: "https://fleet.example.com/mcp" };
  const TOKENS = { FLEET_CALLER_AUTH: "token", FLEET_PUBLIC_URL: "https://fleet.example.com/mcp" };
  const closedPort = async () => `https://localhost:${await freePort()}`;

  it.each<[string, () => Promise<Record<string, string>>, number, RegExp]>([
    [
      "an issuer that can be read",
      async () => ({ ...OAUTH, FLEET_OAUTH_ISSUER: (await issuerUnderTest()).url }),
      0,
      /ISSUER +yes +the auth.* can be read$/m,
    ],
    [
      "a refused issuer",
      async () => ({ ...OAUTH, FLEET_OAUTH_ISSUER: await closedPort() }),
      1,
      /ISSUER +NO +network: connection refused$/m,
    ],
    [
      "an issuer without an address",
      async () => ({ ...OAUTH, FLEET_OAUTH_ISSUER: "https://login.invalid" }),
      1,
      /- FLEET_OAUTH_ISSUER: Check the host name in FLEET_OAUTH_ISSUER/,
    ],
    [
      "an issuer with a certificate of its own",
      async () => ({ ...OAUTH, FLEET_OAUTH_ISSUER: `https://localhost:${await tlsPort()}` }),
      1,
      /ISSUER +NO +network: certificate: its issuer is not trusted$/m,
    ],
    [
      "an issuer on a plain port",
      async () => ({ ...OAUTH, FLEET_OAUTH_ISSUER: `https://127.0.0.1:${await plainPort()}` }),
      1,
      /ISSUER +NO +network: TLS on a plain port/m,
    ],
    [
      "an issuer with another name",
      async () => ({ ...OAUTH, FLEET_OAUTH_ISSUER: `${(await issuerUnderTest()).url}/realm` }),
      1,
      /ISSUER +NO +the authorization server names itself differently in its metadata$/m,
    ],
    [
      "keys that cannot be read",
      async () => ({ ...OAUTH, FLEET_OAUTH_ISSUER: Object.assign(await issuerUnderTest(), { fault: "down" }).url }),
      1,
      /ISSUER +NO +the authorization server responds with status 503$/m,
    ],
    [
      "oauth without an issuer",
      async () => ({ FLEET_CALLER_AUTH: "oauth" }),
      2,
      /oauth needs FLEET_OAUTH_ISSUER; .*oauth needs FLEET_PUBLIC_URL/,
    ],
    ["an unknown kind of callers", async () => ({ FLEET_CALLER_AUTH: "banana" }), 2, /FLEET_CALLER_AUTH must be one of none, token, oauth/],
    ["a public URL that is none", async () => ({ ...TOKENS, FLEET_PUBLIC_URL: "fleet" }), 2, /FLEET_PUBLIC_URL must be an https URL/],
    [
      "no tokens file",
      async () => ({ ...TOKENS, FLEET_TOKENS_FILE: "/nonexistent" }),
      1,
      /FLEET_TOKENS_FILE +NO +the file cannot be read$/m,
    ],
    [
      "a tokens file",
      async () => ({ ...TOKENS, FLEET_TOKENS_FILE: tokensFile({ dispatch: { scopes: ["fleet:read"] } }).file }),
      0,
      /FLEET_TOKENS_FILE +yes +the file can be read; it has 1 token\n/,
    ],
  ])("are checked as http reads them: %s", async (_, settings, exit, expected) => {
    const service = await fleetService(RESPONSES);
    const env = { ...environmentOf(service.origin), ...(await settings()) };
    const { code, stdout, stderr } = await run(["doctor"], env);
    expect({ code, text: stdout + stderr }).toEqual({ code: exit, text: expect.stringMatching(expected) });
  });

  it("are flags too, and in the JSON report", async () => {
    const service = await fleetService(RESPONSES);
    const { code, stdout } = await run(["doctor", "--json", "--caller-auth", "none"], environmentOf(service.origin));
    expect([code, JSON.parse(stdout).http]).toEqual([0, [expect.objectContaining({ variable: "FLEET_CALLER_AUTH", ok: true })]]);
  });
});

describe("FLEET_TENANTS_FILE", () => {
  function tenantsFile(tenants: Record<string, Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), "fleetwire-doctor-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const credentials = { FLEET_CLIENT_ID: { env: "NORTH_ID" }, FLEET_CLIENT_SECRET: { env: "NORTH_SECRET" } };
    const file = join(folder, "tenants.json");
    const entries = Object.entries(tenants).map(([name, settings]) => [name, { settings: { ...settings, ...credentials } }]);
    writeFileSync(file, JSON.stringify({ tenants: Object.fromEntries(entries) }), { mode: 0o600 });
    return file;
  }
  const SECRETS = { NORTH_ID: "client", NORTH_SECRET: CANARY, FLEET_LOG: "silent" };
  const settings = (origin: string) => ({ FLEET_CUSTOMER_ID: "c42", FLEET_BASE_URL: origin });

  it("has each customer checked", async () => {
    const service = await fleetService(RESPONSES);
    const file = tenantsFile({ north: settings(service.origin), south: settings(`http://127.0.0.1:${await freePort()}`) });
    const { code, stdout, stderr } = await run(["doctor"], { ...SECRETS, FLEET_TENANTS_FILE: file });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const [, north, south] = stdout.split(/^Tenant \w+\n/m);
    expect(north).toContain("All checks passed.\n");
    expect(south).toMatch(/^FLEET_BASE_URL +listLivePositions +NO +network: connection refused$/m);
    const asJson = await run(["doctor", "--json", "--tenants-file", file], SECRETS);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      ok: false,
      tenants: [
        { tenant: "north", ok: true },
        { tenant: "south", ok: false },
      ],
    });
  });

  it("names the customer whose settings cannot be right", async () => {
    const file = tenantsFile({ north: settings("https://YOUR-HOST/api") });
    const { code, stderr } = await run(["doctor"], { ...SECRETS, FLEET_TENANTS_FILE: file });
    expect([code, stderr]).toEqual([2, expect.stringContaining("north: FLEET_BASE_URL still holds a placeholder")]);
  });
});
