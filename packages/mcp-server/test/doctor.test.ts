import type { OperationName } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { CUSTOMER, fleetService, type Script } from "./fleet-service.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { NOTICE } from "./spawned-bin.ts";

const ANSWERS: Script = {
  listLivePositions: () => ({ body: [] }),
  listVehicleFaults: () => ({ body: { items: [] } }),
  listTireEvents: () => ({ body: [] }),
  listJobs: () => ({ body: [] }),
  queryTachoActivity: () => ({ body: { count: 0, data: [] } }),
};

/** What doctor prints for programs, of a service that answers by a script. */
async function examine(script: Script, args: readonly string[] = [], env: Record<string, string> = {}) {
  const service = await fleetService({ ...ANSWERS, ...script });
  const { code, stdout, stderr } = await run(["doctor", "--json", ...args], { ...environmentOf(service.origin), ...env });
  expect(stderr).toBe("");
  expect(stdout).not.toMatch(/canary|127\.0\.0\.1|issued-token/);
  const { ok, tools, servers } = JSON.parse(stdout);
  expect(code).toBe(ok ? 0 : 1);
  const findings = Object.fromEntries(
    servers.map(({ operation, server, ...finding }: { operation?: string; server: string }) => [
      operation ?? server,
      { server, ...finding },
    ]),
  );
  return { ok, tools, findings, service };
}

describe("doctor", () => {
  it("finds the sandbox in order, exit code 0", async () => {
    const { code, stdout, stderr } = await run(["doctor", "--sandbox"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: NOTICE });
    expect(stdout).toMatch(/^Sandbox: .* was not tried\.$/m);
    expect(stdout).toMatch(/^FLEET_AUTH_URL +requestAccessToken +yes +answered in \d+ ms$/m);
    expect(stdout).toMatch(/^FLEET_BASE_URL +listLivePositions +yes +answered in \d+ ms$/m);
    expect(stdout).toMatch(/^FLEET_JOB_URL +createJob +yes +answers; not called, for it would change something$/m);
    expect(stdout).toContain("All is well in the sandbox.");
    expect(stdout).not.toMatch(/ no {2}|What to do/i);
  });

  it("reads each server once, asks for as little as can be, and writes nothing", async () => {
    const { ok, findings, service } = await examine({});
    expect(ok).toBe(true);
    const called = new Set(service.received.flatMap(({ operation }) => operation ?? []));
    expect(Object.keys(findings).toSorted()).toEqual([...called, "createJob", "updateGroup"].toSorted());
    for (const name of called)
      if (name !== "requestAccessToken") expect({ name, calls: service.of(name).length }).toEqual({ name, calls: 1 });
    expect(service.of("listVehicleFaults")[0]?.url.search).toBe("?pageSize=1&pageIndex=0");
    expect(service.of("listLivePositions")[0]?.url.searchParams.get("fromDateTime")).toMatch(/Z$/);
    expect(service.of("queryTachoActivity")[0]?.body).toMatchObject({ limit: 1 });
    // What would write is not called: its server is only knocked at.
    const knocks = service.received.filter(({ operation }) => operation === undefined);
    expect(knocks.map(({ url, headers }) => [url.pathname, headers.authorization])).toEqual([
      ["/", undefined],
      ["/", undefined],
    ]);
  });

  it("says why a tool is not listed, which is no failure", async () => {
    const { ok, tools } = await examine({}, ["--read-only"], { FLEET_TACHO_URL: "" });
    const unlisted = tools.filter(({ listed }: { listed: boolean }) => !listed);
    expect(ok).toBe(true);
    expect(unlisted).toEqual(
      expect.arrayContaining([
        { tool: "query_tacho_activity", listed: false, why: "FLEET_TACHO_URL is not set" },
        { tool: "create_job", listed: false, why: "writes, and FLEET_READ_ONLY is set" },
        { tool: "update_group", listed: false, why: "writes, and FLEET_READ_ONLY is set" },
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
        said: expect.stringMatching(/^unauthorized: .*401/),
        status: 401,
        advice: expect.stringMatching(/client id/),
      },
    ],
    [
      "credentials that may not",
      { listVehicleFaults: () => ({ status: 403 }) },
      "listVehicleFaults",
      { said: expect.stringMatching(/^forbidden: /), status: 403, advice: expect.any(String) },
    ],
    [
      "a token service at another path",
      { requestAccessToken: () => ({ status: 404 }) },
      "requestAccessToken",
      { server: "FLEET_AUTH_URL", status: 404, advice: expect.stringMatching(/FLEET_TOKEN_PATH/) },
    ],
    [
      "a token that is refused",
      { requestAccessToken: () => ({ status: 404 }) },
      "listJobs",
      { server: "FLEET_API_HOST", said: expect.stringMatching(/requestAccessToken/) },
    ],
    ["a broken connection", { listTireEvents: () => "reset" }, "listTireEvents", { said: expect.stringMatching(/^network: /) }],
    [
      "a service that is down",
      { listJobs: () => ({ status: 503 }) },
      "listJobs",
      { said: expect.stringMatching(/^upstream: /), status: 503 },
    ],
    [
      "an answer of another shape",
      { queryTachoActivity: () => ({ body: "<html>" }) },
      "queryTachoActivity",
      { said: expect.stringMatching(/^contract: /) },
    ],
  ])("finds %s, exit code 1", async (_, script, operation, finding) => {
    const { ok, findings, service } = await examine(script);
    expect(ok).toBe(false);
    expect(findings[operation]).toMatchObject({ ok: false, ...finding });
    // Once: another try could hide what fails now and then. The token is also asked for by each operation that needs it.
    expect(operation === "requestAccessToken" || service.of(operation).length <= 1).toBe(true);
  });

  it("finds servers where nothing listens, and says what to do once", async () => {
    const { code, stdout } = await run(["doctor", "--customer-id", CUSTOMER], environmentOf("http://127.0.0.1:9"));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FLEET_JOB_URL +createJob +NO +network: nothing answers there$/m);
    expect(stdout).toMatch(/^8 of 8 checks failed\.$/m);
    const [, todo = ""] = stdout.split("What to do:\n");
    expect(todo.trimEnd().split("\n")).toEqual([expect.stringMatching(/^- requestAccessToken, .*createJob.*: Check the server's address/)]);
    expect(stdout).not.toMatch(/127\.0\.0\.1|canary/);
  });

  it("knocks at a server that no listed tool needs", async () => {
    const { ok, findings } = await examine({}, ["--toolsets", "positions"]);
    expect(ok).toBe(true);
    expect(findings["FLEET_JOB_URL"]).toEqual({ server: "FLEET_JOB_URL", ok: true, said: "answers; no tool that is listed needs it" });
  });

  it.each<[args: string[], said: RegExp[]]>([
    [
      [],
      [
        /^asks its user \(elicitation\) +sent on a yes/m,
        /^says that it asks, and runs headless +never sent/m,
        /^has no elicitation +a preview first/m,
      ],
    ],
    [["--confirm", "never"], [/^any +sent at once/m]],
  ])("says what becomes of a write by what the host can do: %j", async (args, said) => {
    const { stdout } = await run(["doctor", "--sandbox", ...args]);
    for (const line of said) expect(stdout).toMatch(line);
    expect((await run(["doctor", "--sandbox", "--read-only", ...args])).stdout).not.toContain("a write is");
  });

  it("ends with exit code 2 where the configuration does not do", async () => {
    const { code, stdout, stderr } = await run(["doctor", "--json"]);
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: "config",
      ok: false,
      error: expect.stringContaining("FLEET_BASE_URL is missing"),
    });
    expect(stderr).toContain("FLEET_BASE_URL is missing");
  });
});
