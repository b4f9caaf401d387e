import { describe, expect, it } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { NOTICE } from "./spawned-bin.ts";

const WHOLE = environmentOf("https://fleet.example.com/prefix");

describe("variables of other programs", () => {
  it.each<[string, string[]]>([
    ["tools", ["tools"]],
    ["stdio", ["stdio"]],
    ["stdio with the sandbox", ["--sandbox"]],
  ])("%s names them in a warning and continues", async (_, args) => {
    const { code, stderr } = await run(args, { ...WHOLE, FLEET_URL: "canary-1", FLEET_ENROLLMENT_TOKEN: "canary-2", FLEETING: "1" });
    expect(code).toBe(0);
    expect(stderr.split("\n")).toContain("fleetwire-mcp: ignored unknown variables: FLEET_URL, FLEET_ENROLLMENT_TOKEN");
  });

  it("prints nothing without them", async () => {
    expect((await run(["tools"], { ...WHOLE, FLEET_URL: "" })).stderr).toBe("");
  });
});

describe("--read-only", () => {
  const READS = /\n13 tools/;
  it.each<[string, string[], Record<string, string>, boolean]>([
    ["alone", ["tools", "--read-only"], {}, true],
    ["followed by 1", ["tools", "--read-only", "1"], {}, true],
    ["with =1", ["tools", "--read-only=1"], {}, true],
    ["followed by 0", ["tools", "--read-only", "0"], {}, false],
    ["with =0", ["tools", "--read-only=0"], {}, false],
    ["0 over the variable", ["tools", "--read-only", "0"], { FLEET_READ_ONLY: "1" }, false],
    ["1 over the variable", ["tools", "--read-only", "1"], { FLEET_READ_ONLY: "0" }, true],
    ["alone before a verb", ["--read-only", "tools"], {}, true],
    ["with 1 before a verb", ["--read-only", "1", "tools"], {}, true],
    ["alone before another flag", ["tools", "--read-only", "--log", "warn"], {}, true],
    ["no flag, but the variable", ["tools"], { FLEET_READ_ONLY: "1" }, true],
  ])("%s", async (_, args, env, hidden) => {
    const { code, stdout } = await run([...args, "--sandbox"], env);
    expect({ code, hidden: !/create_job|update_group/.test(stdout), onlyReads: READS.test(stdout) || / 13 tools/.test(stdout) }).toEqual({
      code: 0,
      hidden,
      onlyReads: hidden,
    });
  });

  it("does not take the tool of call as its value", async () => {
    const { code, stdout } = await run(["call", "--read-only", "list_tire_events", "--sandbox"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/events/)]);
  });

  it("does not let an empty flag override the variable", async () => {
    const { code, stderr } = await run(["tools", "--read-only=", "--sandbox"], { FLEET_READ_ONLY: "1" });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--read-only is empty/)]);
  });

  it("names the variable when refusing another value", async () => {
    const { code, stderr } = await run(["tools", "--read-only=yes", "--sandbox"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/FLEET_READ_ONLY must be one of 0, 1/)]);
  });
});

describe("a missing configuration", () => {
  it.each([[[]], [["tools"]], [["http"]], [["doctor"]]])("is reported in one line that names --sandbox and --help: %j", async (args) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^[^\n]*configuration: FLEET_CUSTOMER_ID is missing [^\n]*--help[^\n]*--sandbox[^\n]*\n$/);
  });

  it("does not suggest --sandbox to someone who uses it", async () => {
    const { stderr } = await run(["tools", "--sandbox"], { FLEET_PRIVACY: "on" });
    expect(stderr).toMatch(/FLEET_PRIVACY must/);
    expect(stderr).not.toContain("--sandbox");
  });
});

describe("errors with --json", () => {
  const NOWHERE = environmentOf("http://127.0.0.1:9");

  it.each<[string, string[], Record<string, string>, number, string, RegExp]>([
    ["no configuration for doctor", ["doctor", "--json"], {}, 2, "config", /FLEET_BASE_URL is missing/],
    ["no configuration for call", ["call", "locate_vehicle", "--json"], {}, 2, "config", /FLEET_BASE_URL is missing/],
    ["a malformed variable", ["doctor", "--json"], { ...WHOLE, FLEET_LOG: "loud" }, 2, "config", /FLEET_LOG must/],
    [
      "a missing file",
      ["doctor", "--json"],
      { ...WHOLE, FLEET_CLIENT_SECRET: "", FLEET_CLIENT_SECRET_FILE: "/canary" },
      2,
      "config",
      /FILE: .*ENOENT/,
    ],
    ["a timeout out of range", ["doctor", "--json", "--timeout", "601"], WHOLE, 2, "config", /FLEET_TIMEOUT must be .* from 1 to 600/],
    ["a misspelt variable", ["doctor", "--json"], { ...WHOLE, FLEET_READONLY: "1" }, 2, "config", /did you mean FLEET_READ_ONLY\?/],
    ["an unknown toolset", ["doctor", "--json", "--toolsets", "jbos"], WHOLE, 2, "config", /there is no toolset jbos/],
    ["an unknown flag of doctor", ["doctor", "--json", "--colour"], WHOLE, 2, "usage", /unknown option '--colour'/],
    ["an unknown flag before --json", ["doctor", "--colour", "--json"], WHOLE, 2, "usage", /unknown option '--colour'/],
    ["no tool", ["call", "--json"], WHOLE, 2, "usage", /missing required argument 'tool'/],
    ["an unknown tool", ["call", "sell_vehicle", "--json"], WHOLE, 2, "usage", /there is no tool sell_vehicle/],
    ["arguments that are not JSON", ["call", "locate_vehicle", "truck 12", "--json"], WHOLE, 2, "usage", /must be JSON/],
    ["refused arguments", ["call", "locate_vehicle", "{}", "--json"], WHOLE, 1, "input", /^input: .*query.* Next: /],
    ["no service", ["call", "locate_vehicle", '{"query": "12"}', "--json"], NOWHERE, 1, "network", /^network: /],
    ["an unknown verb", ["physician", "--json"], WHOLE, 2, "usage", /unknown verb physician|unknown option/],
  ])("are JSON on stdout and text on stderr: %s", async (_, args, env, code, kind, error) => {
    const ended = await run(args, { ...env, FLEET_LOG: env["FLEET_LOG"] ?? "silent" });
    expect({ code: ended.code, ...JSON.parse(ended.stdout), status: ended.code }).toEqual({
      status: code,
      ok: false,
      code: kind,
      error: expect.stringMatching(error),
    });
    expect(ended.stderr).toMatch(error.source.startsWith("^") ? new RegExp(error.source.slice(1)) : error);
    expect(ended.stdout + ended.stderr).not.toContain("canary");
  });

  it("are text only without it", async () => {
    const { code, stdout, stderr } = await run(["call", "locate_vehicle", "{}", "--sandbox"]);
    expect([code, stdout, stderr.replace(NOTICE, "")]).toEqual([1, "", expect.stringMatching(/^\[sandbox\] input: /)]);
  });
});

describe("doctor with a service that leaks secrets", () => {
  // A service may quote the request, including a token.
  const LEAK = "Authorization: Bearer canary-t0ken-of-somebody \u001b[2J";
  const body = { success: false, message: LEAK, errors: [{ field: LEAK, message: LEAK, code: LEAK }], error: LEAK };

  it.each<[number, string]>([
    [400, "rejected"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "notFound"],
    [409, "conflict"],
    [418, "contract"],
    [422, "rejected"],
    [429, "rateLimited"],
    [500, "upstream"],
    [503, "upstream"],
  ])("prints only code, status and our own words for HTTP %i", async (status, code) => {
    const reply = () => ({ status, body });
    const service = await fleetService({
      listLivePositions: reply,
      listVehicleFaults: () => ({ status, body: [body] }),
      listTireEvents: () => ({ status, body: LEAK }),
      listJobs: reply,
      queryTachoActivity: reply,
    });
    const env = environmentOf(service.origin);
    const [text, json] = [await run(["doctor"], env), await run(["doctor", "--json"], env)];
    for (const { stdout, stderr } of [text, json]) expect(stdout + stderr).not.toMatch(/canary|Bearer|issued-token/);
    expect([text.code, json.code]).toEqual([1, 1]);
    expect(text.stdout).toMatch(new RegExp(`NO +${code}: listLivePositions: HTTP ${status}: [A-Z]`));
    const failed = JSON.parse(json.stdout).servers.filter(({ ok }: { ok: boolean }) => !ok);
    // A write is not called, and counts as failed if all calls like it do.
    expect(failed.flatMap(({ status: seen }: { status?: number }) => seen ?? [])).toEqual(Array(5).fill(status));
  });

  it.each<[string, () => { status?: number; body: unknown }]>([
    ["that refuses", () => ({ body })],
    ["that fails", () => ({ status: 500, body })],
    ["that responds with garbage", () => ({ body: { ...body, success: true, accessToken: 7 } })],
  ])("prints none of the text of a token service %s", async (_, requestAccessToken) => {
    const service = await fleetService({ requestAccessToken });
    const { code, stdout, stderr } = await run(["doctor"], environmentOf(service.origin));
    expect(code).toBe(1);
    expect(stdout + stderr).not.toMatch(/canary|Bearer/);
    expect(stdout).toMatch(/requestAccessToken +NO +\w+: requestAccessToken: /);
  });
});
