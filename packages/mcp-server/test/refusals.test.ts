import { describe, expect, it } from "vitest";
import { fleetService } from "../../tools/test/served-fleet.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";

const WHOLE = environmentOf("https://fleet.example.com/prefix");

describe("what a command is configured with", () => {
  const SUGGESTED = /^[^\n]*configuration: FLEET_CUSTOMER_ID is missing [^\n]*--help[^\n]*--sandbox[^\n]*\n$/;
  const OTHERS = { FLEET_URL: "canary-1", FLEET_ENROLLMENT_TOKEN: "canary-2", FLEETING: "1" };
  const IGNORED = /ignored unknown variables: FLEET_URL, FLEET_ENROLLMENT_TOKEN\n/;
  const REPLACED = { FLEET_BASE_URL: "https://x.example", FLEET_JOB_URL: " " };
  const WATCHED = { FLEET_PUBLIC_URL: "https://fleet.example.com/mcp", FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: "/nonexistent" };
  it.each<[string, string[], Record<string, string>, number, RegExp]>([
    ["variables of other programs are named by tools", ["tools"], { ...WHOLE, ...OTHERS }, 0, IGNORED],
    ["and over stdio", ["stdio"], { ...WHOLE, ...OTHERS }, 0, IGNORED],
    ["a notice names what the sandbox replaces", ["tools", "--sandbox"], REPLACED, 0, /made up; ignored: FLEET_BASE_URL\n/],
    ["but not to a watch", ["watch", "--sandbox", "--rules", "/none"], WATCHED, 2, /made up\n(?:fleetwire-mcp: )?--rules/],
    ["an empty flag is refused", ["tools", "--tools", ""], {}, 2, /--tools is empty\. Set a value or omit the flag/],
    ...[[], ["tools"], ["http"], ["doctor"]].map((args): [string, string[], object, number, RegExp] => [
      `the sandbox is suggested to ${args}`,
      args,
      {},
      2,
      SUGGESTED,
    ]),
    ["but not to someone who uses it", ["tools", "--sandbox"], { FLEET_PRIVACY: "on" }, 2, /FLEET_PRIVACY must(?!.*--sandbox)/],
  ] as [string, string[], Record<string, string>, number, RegExp][])("%s", async (_, args, env, code, expected) => {
    expect(await run(args, env)).toMatchObject({ code, stderr: expect.stringMatching(expected) });
  });
});

describe("--read-only", () => {
  it.each<[string, string[], Record<string, string>, boolean]>([
    ["alone", ["tools", "--read-only"], {}, true],
    ["over the variable", ["tools", "--read-only"], { FLEET_READ_ONLY: "0" }, true],
    ["alone before a verb", ["--read-only", "tools"], {}, true],
    ["no flag, but the variable", ["tools"], { FLEET_READ_ONLY: "1" }, true],
  ])("%s", async (_, args, env, hidden) => {
    const { code, stdout } = await run([...args, "--sandbox"], env);
    expect([code, !/create_job|update_group/.test(stdout), /\s13 tools/.test(stdout)]).toEqual([0, hidden, hidden]);
  });

  it.each([
    ["an empty value", "--read-only=", /unknown option '--read-only=': set FLEET_READ_ONLY/],
    ["another value", "--read-only=yes", /unknown option '--read-only=': set FLEET_READ_ONLY/],
  ])("refuses %s", async (_, flag, expected) => {
    const { code, stderr } = await run(["tools", flag, "--sandbox"], { FLEET_READ_ONLY: "1" });
    expect([code, stderr]).toEqual([2, expect.stringMatching(expected)]);
  });
});

describe("errors with --json", () => {
  const NOWHERE = environmentOf("http://127.0.0.1:9");
  const MISSING = { ...WHOLE, FLEET_CLIENT_SECRET: "", FLEET_CLIENT_SECRET_FILE: "/canary" };
  const DOCTOR = ["doctor", "--json"];

  it.each<[string, string[], Record<string, string>, number, string, RegExp]>([
    ["no configuration for doctor", DOCTOR, {}, 2, "config", /FLEET_BASE_URL is missing/],
    ["a missing file", DOCTOR, MISSING, 2, "config", /FILE: .*ENOENT/],
    ["a timeout out of range", DOCTOR, { ...WHOLE, FLEET_TIMEOUT: "601" }, 2, "config", /FLEET_TIMEOUT must be .* from 1 to 600/],
    ["an unknown flag of doctor", [...DOCTOR, "--colour"], WHOLE, 2, "usage", /unknown option '--colour'/],
    ["an unknown tool", ["call", "sell_vehicle", "--json"], WHOLE, 2, "usage", /there is no tool sell_vehicle/],
    ["arguments that are not JSON", ["call", "locate_vehicle", "truck 12", "--json"], WHOLE, 2, "usage", /must be JSON/],
    ["refused arguments", ["call", "locate_vehicle", "{}", "--json"], WHOLE, 1, "input", /^input: .*query.* Next: /],
    ["no service", ["call", "locate_vehicle", '{"query": "12"}', "--json"], NOWHERE, 1, "network", /^network: /],
    ["an unknown verb", ["physician", "--json"], WHOLE, 2, "usage", /unknown verb physician|unknown option/],
  ])("are JSON on stdout and text on stderr: %s", async (_, args, env, code, kind, error) => {
    const ended = await run(args, { ...env, FLEET_LOG: env["FLEET_LOG"] ?? "silent" });
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([code, { ok: false, code: kind, error: expect.stringMatching(error) }]);
    expect(ended.stderr).toMatch(new RegExp(error.source.replace("^", "")));
    expect(ended.stdout + ended.stderr).not.toContain("canary");
  });
});

describe("doctor with a service that leaks secrets", () => {
  // A service may quote the request, including a token.
  const LEAK = "Authorization: Bearer canary-t0ken-of-somebody \u001b[2J";
  const body = { success: false, message: LEAK, errors: [{ field: LEAK, message: LEAK, code: LEAK }], error: LEAK };

  it.each<[number, string]>([
    [400, "rejected"],
    [418, "contract"],
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
    ["that responds with garbage", () => ({ body: { ...body, success: true, accessToken: 7 } })],
  ])("prints none of the text of a token service %s", async (_, requestAccessToken) => {
    const service = await fleetService({ requestAccessToken });
    const { code, stdout, stderr } = await run(["doctor"], environmentOf(service.origin));
    expect(code).toBe(1);
    expect(stdout + stderr).not.toMatch(/canary|Bearer/);
    expect(stdout).toMatch(/requestAccessToken +NO +\w+: requestAccessToken: /);
  });
});
