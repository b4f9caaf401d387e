import type { OperationName } from "@fleetwire/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../../../tests/vitest/free-port.ts";
import { fleetService, type Reply, type Script } from "../../tools/test/served-fleet.ts";
import { connectionFailure } from "../src/connection-failure.ts";
import { READ, tenantsFile, tokensFile } from "./callers-under-test.ts";
import { issuerUnderTest } from "./issuer-under-test.ts";
import { otlpReceiver } from "./otlp-receiver.ts";
import { run } from "./run-program.ts";
import { CANARY, environmentOf } from "./server-under-test.ts";
import { NOTICE } from "./spawned-bin.ts";

const RESPONSES: Script = {
  listLivePositions: () => ({ body: [] }),
  listVehicleFaults: () => ({ body: { items: [] } }),
  listTireEvents: () => ({ body: [] }),
  listJobs: () => ({ body: [] }),
  queryTachoActivity: () => ({ body: { count: 0, data: [] } }),
};

/** doctor's report on a scripted service. */
async function textOf(script: Script, env: (origin: string) => Record<string, string> = () => ({}), args: readonly string[] = []) {
  const service = await fleetService({ ...RESPONSES, ...script });
  const ended = await run(["doctor", ...args], { ...environmentOf(service.origin), ...env(service.origin) });
  expect(ended.stdout).not.toMatch(/canary|127\.0\.0\.1|issued-token/);
  return { ...ended, service };
}

/** The report as JSON. */
async function examine(script: Script, args: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, stdout, stderr, service } = await textOf(script, () => env, ["--json", ...args]);
  expect(stderr).toBe("");
  const { ok, tools, servers } = JSON.parse(stdout);
  expect(code).toBe(ok ? 0 : 1);
  type Finding = { operation?: string; server: string };
  const findings = Object.fromEntries(servers.map(({ operation, ...finding }: Finding) => [operation ?? finding.server, finding]));
  return { ok, tools, findings, service };
}

describe("what doctor asks", () => {
  it("passes with the sandbox, exit code 0, and says so in text and JSON", async () => {
    const { code, stdout, stderr } = await run(["doctor", "--sandbox"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: NOTICE });
    expect(stdout).toMatch(/^Sandbox: only the made-up fleet's servers were checked, not .*\n/);
    expect(stdout).toMatch(/^FLEET_AUTH_URL +requestAccessToken +yes +responded in \d+ ms$/m);
    expect(stdout).toMatch(/^FLEET_JOB_URL +createJob +yes +reachable, path not checked: it would change data$/m);
    expect(stdout).toMatch(/\nAll checks passed in the sandbox\.\n16 of 16 tools are usable\.\n$/);
    expect(stdout).not.toMatch(/ no {2}|What to do/i);
    expect(JSON.parse((await run(["doctor", "--sandbox", "--json"])).stdout)).toMatchObject({ ok: true, sandbox: true });
  });

  it("reads each server once, requests as little as possible, and writes nothing", async () => {
    const { ok, findings, service } = await examine({});
    expect(ok).toBe(true);
    const called = new Set(service.received.flatMap(({ operation }) => operation ?? []));
    expect(Object.keys(findings).toSorted()).toEqual([...called, "createJob", "updateGroup"].toSorted());
    for (const name of Object.keys(RESPONSES)) expect([name, service.of(name).length]).toEqual([name, 1]);
    expect(service.of("listVehicleFaults")[0]?.url.search).toBe("?pageSize=1&pageIndex=0");
    expect(service.of("listLivePositions")[0]?.url.searchParams.get("fromDateTime")).toMatch(/Z$/);
    expect(service.of("queryTachoActivity")[0]?.body).toMatchObject({ limit: 1 });
    // Writes are not called: their server is only checked for a response.
    const unauthenticated = service.received.filter(({ operation }) => operation === undefined);
    expect(unauthenticated.map(({ url, headers }) => [url.pathname, headers.authorization])).toEqual(Array(2).fill(["/", undefined]));
  });

  it("prints each result when its check ends", async () => {
    let printed = "";
    const readAt = () => {
      printed = vi.mocked(process.stdout.write).mock.calls.flat().join("");
      return { body: [] };
    };
    const { origin } = await fleetService({ ...RESPONSES, listLivePositions: readAt });
    const ended = run(["doctor"], environmentOf(origin));
    vi.spyOn(process.stdout, "write");
    await ended;
    expect(printed).toMatch(/^FLEET_AUTH_URL +requestAccessToken +yes +responded in/m);
  });

  it("checks whether a server responds that no listed tool uses", async () => {
    const { ok, findings } = await examine({}, ["--tools", "locate_vehicle"]);
    const message = "reachable, path not checked: no listed tool uses it";
    expect([ok, findings["FLEET_JOB_URL"]]).toEqual([true, { server: "FLEET_JOB_URL", ok: true, message }]);
  });
});

describe("what doctor finds out about a service", () => {
  it.each<[string, OperationName, Reply, message: RegExp, advice: RegExp]>([
    ["wrong credentials", "listLivePositions", { status: 401 }, /^unauthorized: .*401/, /FLEET_CLIENT_ID and FLEET_CLIENT_SECRET/],
    ["a token service at another path", "requestAccessToken", { status: 404 }, /./, /FLEET_TOKEN_PATH/],
    ["a token service that grants no token", "requestAccessToken", { body: { success: true } }, /^contract: requestAccessToken/, /./],
    ["a broken connection", "listTireEvents", "reset", /^network: /, /./],
    ["a response of another shape", "queryTachoActivity", { body: "<html>" }, /^contract: /, /./],
  ])("%s, exit code 1", async (_, operation, reply, message, advice) => {
    const { ok, findings, service } = await examine({ [operation]: () => reply });
    expect(ok).toBe(false);
    const { ok: isFine, status, ...said } = findings[operation];
    expect([isFine, said]).toEqual([
      false,
      expect.objectContaining({ message: expect.stringMatching(message), advice: expect.stringMatching(advice) }),
    ]);
    if (typeof reply === "object" && reply.status) expect(status).toBe(reply.status);
    // Once: a retry could hide an intermittent failure. Each operation that needs a token requests one too.
    expect(operation === "requestAccessToken" || service.of(operation).length <= 1).toBe(true);
    if (operation === "requestAccessToken") expect(findings["listJobs"].message).toMatch(/requestAccessToken/);
  });

  const failing = (status: number, names: readonly string[]): Script => Object.fromEntries(names.map((name) => [name, () => ({ status })]));

  const REACHABLE = /^FLEET_BASE_URL +updateGroup +yes +reachable, path not checked: it would change data$/m;
  it.each<[string, number, string[], RegExp, RegExp]>([
    [
      "its credentials",
      401,
      [...Object.keys(RESPONSES), "requestAccessToken"],
      /updateGroup +NO +the credentials were refused in every/,
      /./,
    ],
    [
      "its path",
      404,
      ["listLivePositions", "listVehicleFaults", "listTireEvents"],
      /updateGroup +NO +every call to this server failed/,
      /./,
    ],
    ["its token", 401, ["requestAccessToken"], /createJob +NO +no access token: requestAccessToken failed$/m, REACHABLE],
  ])("an operation that is not called fails for %s", async (_, status, names, why, rest) => {
    const { code, stdout } = await textOf(failing(status, names));
    for (const line of [why, rest]) expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(line) });
    expect(stdout).toMatch(/^(update_group +updateGroup|create_job +createJob) failed$/m);
  });

  it("how many tools are usable, and why each of the others is not, which is not a failure", async () => {
    const { code, stdout } = await textOf({}, () => ({ FLEET_JOB_URL: "", FLEET_TACHO_URL: "" }));
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n9 of 16 tools are usable\. The others:\n\w+ +FLEET_TACHO_URL is not set\n/);
    expect(stdout).toMatch(/^create_job +FLEET_JOB_URL is not set$/m);
    const { ok, tools } = await examine({}, ["--read-only"]);
    const why = "it writes, and FLEET_READ_ONLY is set";
    expect([ok, tools]).toEqual([true, expect.arrayContaining([{ tool: "create_job", listed: false, usable: false, why }])]);
  });
});

describe("a server that cannot be reached", () => {
  it("is reported, with the tools that need it and each piece of advice once", async () => {
    const port = await freePort();
    const job = await textOf({}, () => ({ FLEET_JOB_URL: `http://127.0.0.1:${port}` }));
    expect(job.code).toBe(1);
    expect(job.stdout).toContain("\nFLEET_JOB_URL    createJob           NO   network: connection refused\n");
    expect(job.stdout).toContain("\n15 of 16 tools are usable. The others:\ncreate_job  createJob failed\n");
    expect(job.stdout).toContain("- createJob: Check the host and port in FLEET_JOB_URL: nothing accepts connections there");

    const { code, stdout } = await run(["doctor"], environmentOf("http://127.0.0.1:9"));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^8 of 8 checks failed\.$/m);
    const [, todo = ""] = stdout.split("What to do:\n");
    const advised = [...todo.matchAll(/: Check the port in (\w+)$/gm)].map(([, name]) => name);
    expect(advised).toEqual(["FLEET_AUTH_URL", "FLEET_BASE_URL", "FLEET_JOB_URL"]);
    expect(stdout).not.toMatch(/127\.0\.0\.1|canary/);
  });

  const failure = (address: string) => connectionFailure(address, "FLEET_JOB_URL", 100);

  it.each<[code: string, message: string, advice: RegExp]>([
    ["ENOTFOUND", "the host name cannot be resolved (DNS)", /^Check the host name in FLEET_JOB_URL, and whether it needs a VPN$/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate: its issuer is not trusted", /^Set NODE_EXTRA_CA_CERTS to a PEM file/],
    ["CERT_HAS_EXPIRED", "certificate: expired or not yet valid", /clock/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate: issued for another host name", /^Check the host name in FLEET_JOB_URL$/],
    ["ECONNRESET", "the connection broke", /^Check FLEET_JOB_URL, and any proxy/],
  ])("in our own words: %s", async (code, message, advice) => {
    const cause = Object.assign(new Error("https://canary-host"), { code });
    vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("fetch failed", { cause }));
    expect(await failure("https://canary-host")).toEqual({ message: `network: ${message}`, advice: expect.stringMatching(advice) });
  });

  it.each([
    ["says nothing", "http", "no response: the host cannot be reached"],
    ["does not speak TLS", "https", "TLS on a plain port: the port does not speak TLS"],
  ])("since it %s", async (_, scheme, message) => {
    const { env } = await otlpReceiver("silence");
    expect(await failure(String(env["OTEL_EXPORTER_OTLP_ENDPOINT"]).replace("http", scheme))).toMatchObject({
      message: `network: ${message}`,
    });
  });

  it("although a proxy is set, which Node does not use", async () => {
    vi.stubEnv("HTTP_PROXY", "http://127.0.0.1:1");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await failure(`http://127.0.0.1:${await freePort()}`))?.advice).toMatch(
      /nothing accepts connections there\. HTTP_PROXY is set, but Node uses it only with NODE_USE_ENV_PROXY=1, from Node 24$/,
    );
  });
});

describe("settings that cannot be right are named before anything is sent", () => {
  it.each<[name: string, value: string, verb: string]>([
    ["FLEET_CLIENT_ID", `\${FLEET_CLIENT_ID}`, "doctor"],
    ["FLEET_CLIENT_ID", "<client id>", "stdio"],
    ["FLEET_CLIENT_SECRET", "YOUR_CLIENT_SECRET", "http"],
    ["FLEET_AUTH_URL", "https://<host>/auth", "tools"],
    ["FLEET_BASE_URL", "https://...", "doctor"],
    ["FLEET_TIME_ZONE", "...", "doctor"],
    ["FLEET_PUBLIC_URL", "https://YOUR-HOST/mcp", "http"],
  ])("a placeholder, by every command: %s=%s, %s", async (name, value, verb) => {
    const callers = { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: "tokens.json" };
    const env = { ...environmentOf("https://fleet.example.com"), ...callers, [name]: value };
    const problem = `configuration: ${name} still holds a placeholder: replace it, or let your host fill it in. Set or fix`;
    expect(await run([verb, "--log", "silent"], env)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(problem) });
  });

  const HOST = "https://fleet.example.com";
  const TOKEN = `${HOST}/acme-oauth/oauth/accessToken`;
  const START = "holds the start of an operation's path: remove";
  it.each<[name: string, value: string, problem: string]>([
    ["FLEET_CLIENT_SECRET", HOST, "holds a URL: it may be swapped with another variable"],
    [
      "FLEET_BASE_URL",
      `${HOST}/api/public/v1/customer/c42/tracking/live`,
      "holds the endpoint of listLivePositions: remove /public/v1/customer/{customerId}/tracking",
    ],
    ["FLEET_API_HOST", `${HOST}/job-management/v1/customer/c42/`, `${START} /job-management/v1/customer/{customerId} from its end`],
    ["FLEET_CLIENT_ID", '"client"', "is in quotes, which are part of the value: remove them"],
    ["FLEET_AUTH_URL", TOKEN, "holds a whole endpoint: keep the server's URL, and move the path to FLEET_TOKEN_PATH"],
    ["FLEET_BASE_URL", TOKEN, "holds the URL of requestAccessToken, whose server belongs in FLEET_AUTH_URL"],
  ])("%s=%s", async (name, value, problem) => {
    const { code, stdout, stderr, service } = await textOf({}, () => ({ [name]: value }));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`fleetwire-mcp: configuration: ${name} ${problem}`);
    expect(stderr).toContain("Fix the variables listed; nothing was sent; see --help, or try --sandbox");
    expect(service.received).toEqual([]);
  });

  it("in JSON too, and an empty value counts as missing", async () => {
    const { code, stdout, stderr } = await run(["doctor", "--json"], { FLEET_BASE_URL: "" });
    const error = expect.stringContaining("FLEET_BASE_URL is missing");
    expect({ exit: code, ...JSON.parse(stdout) }).toEqual({ exit: 2, code: "config", ok: false, error });
    expect(stderr).toContain("FLEET_BASE_URL is missing");
  });
});

describe("the settings of a server over HTTP", () => {
  const PUBLIC = { FLEET_PUBLIC_URL: "https://fleet.example.com/mcp" };
  const issuer = (url: string) => ({ ...PUBLIC, FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: url });
  const tokens = (file: string) => ({ ...PUBLIC, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file });

  it.each<[string, () => Promise<Record<string, string>>, number, RegExp]>([
    ["an issuer that can be read", async () => issuer((await issuerUnderTest()).url), 0, /ISSUER +yes +the auth.* can be read$/m],
    ["a refused issuer", async () => issuer(`https://localhost:${await freePort()}`), 1, /ISSUER +NO +network: connection refused$/m],
    ["keys that cannot be read", async () => issuer(Object.assign(await issuerUnderTest(), { fault: "down" }).url), 1, /NO +the .* 503$/m],
    ["no tokens file", async () => tokens("/nonexistent"), 1, /FLEET_TOKENS_FILE +NO +the file cannot be read$/m],
    ["a tokens file", async () => tokens(tokensFile({ dispatch: READ }).file), 0, /FLEET_TOKENS_FILE +yes +the file .*has 1 token\n/],
  ])("are checked as http reads them: %s", async (_, settings, exit, expected) => {
    const env = await settings();
    const { code, stdout, stderr } = await textOf({}, () => env);
    expect({ code, text: stdout + stderr }).toEqual({ code: exit, text: expect.stringMatching(expected) });
  });
});

describe("FLEET_TENANTS_FILE", () => {
  const SECRETS = { NORTH_ID: "client", NORTH_SECRET: CANARY, FLEET_LOG: "silent" };
  const CREDENTIALS = { FLEET_CUSTOMER_ID: "c42", FLEET_CLIENT_ID: { env: "NORTH_ID" }, FLEET_CLIENT_SECRET: { env: "NORTH_SECRET" } };
  const at = (url: string) => ({ settings: { ...CREDENTIALS, FLEET_BASE_URL: url } });

  it("has each customer checked", async () => {
    const service = await fleetService(RESPONSES);
    const file = tenantsFile({ north: at(service.origin), south: at(`http://127.0.0.1:${await freePort()}`) });
    const { code, stdout, stderr } = await run(["doctor"], { ...SECRETS, FLEET_TENANTS_FILE: file });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const [, north, south] = stdout.split(/^Tenant \w+\n/m);
    expect(north).toContain("All checks passed.\n");
    expect(south).toMatch(/^FLEET_BASE_URL +listLivePositions +NO +network: connection refused$/m);
    const { stdout: json } = await run(["doctor", "--json"], { ...SECRETS, FLEET_TENANTS_FILE: file });
    const tenants = [expect.objectContaining({ tenant: "north", ok: true }), expect.objectContaining({ tenant: "south", ok: false })];
    expect(JSON.parse(json)).toMatchObject({ ok: false, tenants });
  });

  it("names the customer whose settings cannot be right", async () => {
    const file = tenantsFile({ north: at("https://YOUR-HOST/api") });
    const { code, stderr } = await run(["doctor"], { ...SECRETS, FLEET_TENANTS_FILE: file });
    expect([code, stderr]).toEqual([2, expect.stringContaining("north: FLEET_BASE_URL still holds a placeholder")]);
  });
});
