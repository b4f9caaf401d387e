import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LivePosition, OperationName } from "@fleetwire/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { CUSTOMER, fleetService, type Reply, type Script } from "../../tools/test/fleet-service.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { NOTICE } from "./spawned-bin.ts";

const RESPONSES: Script = {
  listLivePositions: () => ({ body: [] }),
  listVehicleFaults: () => ({ body: { items: [] } }),
  listTireEvents: () => ({ body: [] }),
  listJobs: () => ({ body: [] }),
  queryTachoActivity: () => ({ body: { count: 0, data: [] } }),
};

/** doctor's JSON report on a scripted service. */
async function examine(script: Script, args: readonly string[] = [], env: Record<string, string> = {}) {
  const service = await fleetService({ ...RESPONSES, ...script });
  const { code, stdout, stderr } = await run(["doctor", "--json", ...args], { ...environmentOf(service.origin), ...env });
  expect(stderr).toBe("");
  expect(stdout).not.toMatch(/canary|127\.0\.0\.1|issued-token/);
  const { ok, tools, servers, profile } = JSON.parse(stdout);
  expect(code).toBe(ok ? 0 : 1);
  const findings = Object.fromEntries(
    servers.map(({ operation, server, ...finding }: { operation?: string; server: string }) => [
      operation ?? server,
      { server, ...finding },
    ]),
  );
  return { ok, tools, findings, service, profile };
}

/** The name of a file with a profile of three facts. */
function profileFile(): string {
  const seen = { basis: "observed", records: 3, of: 3, from: "2026-11-19T08:00:00Z", until: "2026-11-20T08:00:00Z" };
  const path = "$.data[*].activities[*]";
  const words = ["DRIVING", "Fahren"].map((value) => ({ value, records: 3 }));
  const facts = [
    { fact: "values", operation: "queryTachoActivity", path: `${path}.activity`, values: words, withheld: 0, ...seen },
    { fact: "unit", operation: "queryTachoActivity", path: `${path}.distance`, unit: "mi", ...seen },
    { fact: "pageSize", operation: "listVehicleFaults", which: "default", size: 20, ...seen, from: "2026-11-18T08:00:00Z" },
  ];
  const file = join(mkdtempSync(join(tmpdir(), "fleetwire-")), "profile.json");
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  writeFileSync(file, JSON.stringify({ version: 1, facts }));
  return file;
}

describe("doctor", () => {
  it("passes with the sandbox, exit code 0", async () => {
    const { code, stdout, stderr } = await run(["doctor", "--sandbox"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: NOTICE });
    expect(stdout).toMatch(/^Sandbox: only .* were checked, not those in your environment\.$/m);
    expect(stdout).toMatch(/^FLEET_AUTH_URL +requestAccessToken +yes +responded in \d+ ms$/m);
    expect(stdout).toMatch(/^FLEET_BASE_URL +listLivePositions +yes +responded in \d+ ms$/m);
    expect(stdout).toMatch(/^FLEET_JOB_URL +createJob +yes +reachable, path not checked: it would change data$/m);
    expect(stdout).toContain("All checks passed in the sandbox.");
    expect(stdout).toContain("\n16 of 16 tools are usable.\n");
    expect(stdout).not.toMatch(/ no {2}|What to do/i);
  });

  const drive = (hours: number, distance: number) => ({
    activity: "DRIVING",
    startTime: `2026-11-20T0${hours}:00:00Z`,
    endTime: `2026-11-20T0${hours + 1}:00:00Z`,
    ...{ startLatitude: 45, startLongitude: 5, endLatitude: 45.4, endLongitude: 5, distance },
  });
  it.each<[string, object[], Record<string, string>, string]>([
    ["inferred", [1, 2, 3].map((at) => drive(at, 50_000)), {}, "distances in m, as 3 of the last day's activities show"],
    ["unknown", [drive(1, 50_000)], {}, "unit of distances unknown: results give straight lines unless FLEET_DISTANCE_UNIT is set"],
    ["set", [], { FLEET_DISTANCE_UNIT: "mi" }, "distances in mi: FLEET_DISTANCE_UNIT"],
  ])("shows the unit of distances: %s", async (_, activities, env, message) => {
    const data = [{ driverId: "d1", activities }];
    const { findings } = await examine({ queryTachoActivity: () => ({ body: { count: 1, data } }) }, [], env);
    expect(findings["queryTachoActivity"]).toMatchObject({ ok: true, message });
  });

  it("says what the profile contains, which words of it have no meaning here, and uses its unit", async () => {
    const { findings, profile } = await examine({}, ["--profile", profileFile()]);
    expect(findings["queryTachoActivity"]).toMatchObject({ ok: true, message: "distances in mi: observed, FLEET_PROFILE" });
    const period = { from: "2026-11-18T08:00:00Z", until: "2026-11-20T08:00:00Z" };
    expect(profile).toEqual({ facts: 3, operations: 2, ...period, unexplained: ["Fahren"] });
    const { stdout } = await run(["doctor", "--sandbox"], { FLEET_PROFILE: profileFile() });
    expect(stdout).toContain("Profile: 3 observed facts about 2 operations, from 2026-11-18T08:00:00Z until 2026-11-20T08:00:00Z.\n");
    expect(stdout).toContain("Observed words for activities that FLEET_ACTIVITY_WORDS does not explain: Fahren\n");
  });

  it("reads each server once, the tachograph's also for the unit of distances, requests as little as possible, and writes nothing", async () => {
    const { ok, findings, service } = await examine({});
    expect(ok).toBe(true);
    const called = new Set(service.received.flatMap(({ operation }) => operation ?? []));
    expect(Object.keys(findings).toSorted()).toEqual([...called, "createJob", "updateGroup"].toSorted());
    for (const name of called)
      if (name !== "requestAccessToken")
        expect({ name, calls: service.of(name).length }).toEqual({ name, calls: name === "queryTachoActivity" ? 2 : 1 });
    expect(service.of("listVehicleFaults")[0]?.url.search).toBe("?pageSize=1&pageIndex=0");
    expect(service.of("listLivePositions")[0]?.url.searchParams.get("fromDateTime")).toMatch(/Z$/);
    expect(service.of("queryTachoActivity")[0]?.body).toMatchObject({ limit: 1 });
    // Writes are not called: their server is only checked for a response.
    const unauthenticated = service.received.filter(({ operation }) => operation === undefined);
    expect(unauthenticated.map(({ url, headers }) => [url.pathname, headers.authorization])).toEqual([
      ["/", undefined],
      ["/", undefined],
    ]);
  });

  const truck = (assetId: string, date: string) => ({ assetId, date });
  const FLEET = [truck("v1", "2026-11-20T08:00:00Z"), truck("v2", "2026-11-20T09:00:00Z"), truck("v3", "2026-11-20T10:00:00Z")];
  it.each<[string, LivePosition[], (from: string) => Reply, object]>([
    [
      "selects by date",
      FLEET,
      (from) => ({ body: FLEET.filter(({ date = "" }) => date >= from) }),
      { ok: true, message: "fromDateTime selects by date" },
    ],
    ["is ignored", FLEET, () => ({ body: FLEET }), { ok: false, message: "fromDateTime does not select by date" }],
    ["selects too few", FLEET, () => ({ body: [] }), { ok: false, message: "fromDateTime does not select by date" }],
    ["fails", FLEET, () => ({ status: 400, body: [] }), { ok: false, status: 400, message: expect.stringMatching(/^rejected/) }],
    [
      "cannot be checked with one vehicle",
      FLEET.slice(0, 1),
      () => ({ body: [] }),
      { ok: true, message: "unknown whether fromDateTime selects by date: too few vehicles" },
    ],
  ])("says with FLEET_FULL_READ_SECONDS that fromDateTime %s", async (_, all, respond, finding) => {
    const listLivePositions: Script["listLivePositions"] = ({ url }) => {
      const from = url.searchParams.get("fromDateTime");
      return from === null ? { body: all } : respond(new Date(from).toISOString().replace(".000", ""));
    };
    const { findings } = await examine({ listLivePositions }, [], { FLEET_FULL_READ_SECONDS: "300" });
    expect(findings["listLivePositions"]).toMatchObject(finding);
  });

  it("says why a tool is not listed, which is not a failure", async () => {
    const { ok, tools } = await examine({}, ["--read-only"], { FLEET_TACHO_URL: "" });
    const unlisted = tools.filter(({ listed }: { listed: boolean }) => !listed);
    expect(ok).toBe(true);
    expect(unlisted).toEqual(
      expect.arrayContaining([
        { tool: "query_tacho_activity", listed: false, usable: false, why: "FLEET_TACHO_URL is not set" },
        { tool: "create_job", listed: false, usable: false, why: "it writes, and FLEET_READ_ONLY is set" },
        { tool: "update_group", listed: false, usable: false, why: "it writes, and FLEET_READ_ONLY is set" },
      ]),
    );
  });

  it.each<[string, Script, OperationName, Record<string, unknown>]>([
    [
      "wrong credentials",
      { listLivePositions: () => ({ status: 401 }) },
      "listLivePositions",
      {
        server: "FLEET_BASE_URL",
        message: expect.stringMatching(/^unauthorized: .*401/),
        status: 401,
        advice: expect.stringMatching(/FLEET_CLIENT_ID and FLEET_CLIENT_SECRET/),
      },
    ],
    [
      "credentials without permission",
      { listVehicleFaults: () => ({ status: 403 }) },
      "listVehicleFaults",
      { message: expect.stringMatching(/^forbidden: /), status: 403, advice: expect.any(String) },
    ],
    [
      "a token service at another path",
      { requestAccessToken: () => ({ status: 404 }) },
      "requestAccessToken",
      { server: "FLEET_AUTH_URL", status: 404, advice: expect.stringMatching(/FLEET_TOKEN_PATH/) },
    ],
    [
      "a refused token",
      { requestAccessToken: () => ({ status: 404 }) },
      "listJobs",
      { server: "FLEET_API_HOST", message: expect.stringMatching(/requestAccessToken/) },
    ],
    [
      "a token service that grants no token",
      { requestAccessToken: () => ({ body: { success: true } }) },
      "requestAccessToken",
      { message: expect.stringMatching(/^contract: requestAccessToken/) },
    ],
    ["a broken connection", { listTireEvents: () => "reset" }, "listTireEvents", { message: expect.stringMatching(/^network: /) }],
    [
      "a service that is down",
      { listJobs: () => ({ status: 503 }) },
      "listJobs",
      { message: expect.stringMatching(/^upstream: /), status: 503 },
    ],
    [
      "a response of another shape",
      { queryTachoActivity: () => ({ body: "<html>" }) },
      "queryTachoActivity",
      { message: expect.stringMatching(/^contract: /) },
    ],
  ])("reports %s, exit code 1", async (_, script, operation, finding) => {
    const { ok, findings, service } = await examine(script);
    expect(ok).toBe(false);
    expect(findings[operation]).toMatchObject({ ok: false, ...finding });
    // Once: a retry could hide an intermittent failure. Each operation that needs a token requests one too.
    expect(operation === "requestAccessToken" || service.of(operation).length <= 1).toBe(true);
  });

  it("reports servers where nothing listens, with each piece of advice once", async () => {
    const { code, stdout } = await run(["doctor", "--customer-id", CUSTOMER], environmentOf("http://127.0.0.1:9"));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FLEET_JOB_URL +createJob +NO +network: the port is one that HTTP clients refuse to use$/m);
    expect(stdout).toMatch(/^8 of 8 checks failed\.$/m);
    const [, todo = ""] = stdout.split("What to do:\n");
    expect(todo.trimEnd().split("\n")).toEqual(
      ["FLEET_AUTH_URL", "FLEET_BASE_URL", "FLEET_JOB_URL"].map((name) => expect.stringMatching(`: Check the port in ${name}$`)),
    );
    expect(stdout).not.toMatch(/127\.0\.0\.1|canary/);
  });

  it("checks whether a server responds that no listed tool uses", async () => {
    const { ok, findings } = await examine({}, ["--toolsets", "positions"]);
    expect(ok).toBe(true);
    expect(findings["FLEET_JOB_URL"]).toEqual({
      server: "FLEET_JOB_URL",
      ok: true,
      message: "reachable, path not checked: no listed tool uses it",
    });
  });

  it.each<[args: string[], expected: RegExp[]]>([
    [
      [],
      [
        /^asks its user \(elicitation\) +sent once the user approves/m,
        /^declares elicitation but runs headless +never sent/m,
        /^does not support elicitation +previewed, then sent/m,
      ],
    ],
    [["--confirm", "never"], [/^any +sent at once/m]],
  ])("says what happens to a write in each kind of host: %j", async (args, expected) => {
    const { stdout } = await run(["doctor", "--sandbox", ...args]);
    for (const line of expected) expect(stdout).toMatch(line);
    expect((await run(["doctor", "--sandbox", "--read-only", ...args])).stdout).not.toMatch(/^host +writes$/m);
  });

  it("exits with code 2 if the configuration is invalid", async () => {
    const { code, stdout, stderr } = await run(["doctor", "--json"]);
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: "config",
      ok: false,
      error: expect.stringContaining("FLEET_BASE_URL is missing"),
    });
    expect(stderr).toContain("FLEET_BASE_URL is missing");
  });
});
