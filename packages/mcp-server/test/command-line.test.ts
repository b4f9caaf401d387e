import { environmentVariables } from "@fleetwire/mcp-server/environment";
import { catalogue } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import { fleetService } from "../../tools/test/served-fleet.ts";
import COSTS from "../token-costs.json" with { type: "json" };
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { NOTICE } from "./spawned-bin.ts";

const WHOLE = environmentOf("https://fleet.example.com/prefix");
const REQUIRED = ["FLEET_CUSTOMER_ID", "FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET", "FLEET_BASE_URL"];

const MALFORMED: Record<string, string> = {
  FLEET_CUSTOMER_ID: "../c42",
  FLEET_BASE_URL: "http://fleet.example.com",
  FLEET_API_HOST: "user:pa55word@fleet.example.com",
  FLEET_TIME_ZONE: "Mars/Olympus",
  FLEET_RESULT: "neither",
  FLEET_SEAL_KEY: "c2hvcnQ=",
  FLEET_LOG: "loud",
};

describe("an invalid configuration", () => {
  it.each<[string, string[], Record<string, string>, string[]]>([
    ["nothing is set, or only blank values", [], { FLEET_BASE_URL: " ", FLEET_CUSTOMER_ID: "" }, REQUIRED],
    ["everything that can be malformed is", [], { ...WHOLE, ...MALFORMED }, Object.keys(MALFORMED)],
    ["a flag is malformed", ["--log", "sometimes"], WHOLE, ["FLEET_LOG"]],
    ["one is misspelt", [], { ...WHOLE, FLEET_CUSTOMER: "canary-c42" }, ["FLEET_CUSTOMER", "FLEET_CUSTOMER_ID"]],
  ])("%s: one line names each variable, exit code 2", async (_, args, env, names) => {
    const { code, stdout, stderr } = await run(args, env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^fleetwire-mcp: configuration: [^\n]+\n$/);
    expect([...new Set(stderr.match(/FLEET_[A-Z_]+/g))].toSorted()).toEqual(names.toSorted());
    for (const value of ["pa55word", "canary-5ecret", "c2hvcnQ=", "Mars", "../c42"]) expect(stderr).not.toContain(value);
  });
});

describe("call", () => {
  it.each<[string, string[], RegExp]>([
    ["the result", ["locate_vehicle", '{"query": "truck 12"}'], /^\[sandbox\] Truck 12 \(.+\): .+ UTC, .+\n$/],
    ["the structured result", ["locate_vehicle", '{"query": "truck 12"}', "--json"], /^\{\s*"sandbox": true,\s*"result": "found"/],
  ])("prints %s, exit code 0", async (_, args, expected) => {
    const { code, stdout, stderr } = await run(["call", ...args, "--sandbox"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: NOTICE });
    expect(stdout).toMatch(expected);
  });

  it.each<[string, string[], Record<string, string>, RegExp]>([
    [
      "refused arguments",
      ["list_live_positions", '{"limit": 0}', "--sandbox"],
      {},
      /^\[sandbox\] input: list_live_positions: limit: .*Next: /,
    ],
    [
      "an argument named __proto__",
      ["list_jobs", '{"query": {"__proto__": {"a": 1}}}', "--sandbox"],
      {},
      /^\[sandbox\] input: list_jobs: query\.__proto__: is not a field/,
    ],
    ["no service", ["list_live_positions"], { ...WHOLE, FLEET_BASE_URL: "http://127.0.0.1:9" }, /^network: /],
  ])("prints a tool's failure to stderr, exit code 1: %s", async (_, args, env, expected) => {
    const { code, stdout, stderr } = await run(["call", ...args], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const words = stderr.replace(NOTICE, "");
    expect(words).toMatch(expected);
    expect(words.trimEnd()).not.toContain("\n");
    expect(JSON.parse((await run(["call", ...args, "--json"], env)).stdout)).toEqual(expect.objectContaining({ error: words.trimEnd() }));
  });

  it("previews a write if no user can be asked, and accepts the confirmation under the same key", async () => {
    const { origin } = await fleetService({ createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) });
    const env = { ...environmentOf(origin), FLEET_CONFIRM: "auto", FLEET_SEAL_KEY: Buffer.alloc(32, 1).toString("base64") };
    const job = (more: object) => ["call", "create_job", JSON.stringify({ address: "Lyon", ...more })];
    const shown = await run(job({}), env);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/^Nothing was sent: the user must approve\.\nCreate job:\naddress: Lyon\n/);
    expect(shown.stderr).toContain("run the command in a terminal to be asked, or set FLEET_CONFIRM=never");
    const [, confirmation] = /confirmation "(\S+)"/.exec(shown.stdout) ?? [];
    const { code, stdout } = await run(job({ confirmation }), env);
    expect(code).toBe(0);
    expect(stdout).toContain(`jobNumber: ${confirmation?.split(".")[1]}`);
  });

  it.each([
    ["y\n", "Job created."],
    ["\n", "declined"],
    ["", "cancelled"],
  ])("asks at a terminal before a write; after %j: %s", async (typed, outcome) => {
    const service = await fleetService({ createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) });
    const env = { ...environmentOf(service.origin), FLEET_CONFIRM: "auto" };
    const { code, stdout, stderr } = await run(["call", "create_job", '{"address": "Lyon"}'], env, typed);
    expect(stderr).toMatch(/address: Lyon[\s\S]*Send it\? \[y\/N\] /);
    expect(stdout).toContain(outcome);
    const isSent = outcome === "Job created.";
    expect([code, service.of("createJob").length]).toEqual(isSent ? [0, 1] : [1, 0]);
  });

  it.each<[string, string[], RegExp]>([
    ["no such tool", ["call", "request_access_token", "--sandbox"], /there is no tool request_access_token; available: locate_vehicle, /],
    [
      "a tool that is not available",
      ["call", "create_job", "--sandbox", "--read-only"],
      /create_job is not available: it writes, and FLEET_READ_ONLY is set; available: /,
    ],
    ["arguments that are not JSON", ["call", "locate_vehicle", "truck 12", "--sandbox"], /must be JSON, such as/],
    ["an unknown flag", ["call", "locate_vehicle", "--colour"], /unknown option '--colour'/],
    ["a secret on the command line", ["--client-secret=canary-s"], /unknown option '--client-secret=': set FLEET_CLIENT_SECRET\n$/],
    ["a flag that is a variable", ["doctor", "--base-url", "canary-u"], /unknown option '--base-url': set FLEET_BASE_URL\n$/],
    [
      "an unknown verb before a flag",
      ["physician", "--sandbox"],
      /unknown verb physician; verbs: stdio, http, token, call, watch, tools, doctor/,
    ],
  ])("prints a usage error, exit code 2: %s", async (_, args, expected) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(expected);
    expect(stderr).not.toContain("canary");
  });
});

describe("tools", () => {
  it("prints a table of the tools with effect, cost and total", async () => {
    const { code, stdout, stderr } = await run(["tools", "--sandbox"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: NOTICE });
    const rows = stdout.split("\n").map((line) => line.split(/ {2,}/));
    expect(rows[0]).toEqual(["tool", "effect", "tokens", "title"]);
    const cells = rows.slice(1, 1 + catalogue.length).map(([name, effect, tokens]) => [name, effect, Number(tokens)]);
    const known: Record<string, number> = COSTS;
    expect(cells).toEqual(catalogue.map(({ name, effect }) => [name, effect, known[name]]));
    const sum = cells.reduce((total, [, , tokens]) => total + Number(tokens), 0);
    expect(rows[1 + catalogue.length]).toEqual(["total", String(sum), `${catalogue.length} tools`]);
    expect(stdout).toContain("o200k");
  });

  it("lists only what the configuration allows", async () => {
    const { stdout } = await run(["tools", "--read-only"], { ...WHOLE, FLEET_TACHO_URL: "" });
    expect(stdout).not.toMatch(/create_job|update_group|query_tacho_activity|summarize_driver_activity/);
    expect(stdout).toMatch(/7 tools/);
  });
});

describe("help", () => {
  it("names the verbs, flags, required variables and examples", async () => {
    const { code, stdout, stderr } = await run(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const words = "stdio http call tools doctor --sandbox --read-only --tools --log FLEET_CLIENT_SECRET Examples:".split(" ");
    for (const word of ["Usage: fleetwire-mcp", ...words]) expect(stdout).toContain(word);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
    expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("of a verb lists its variables, of which only three have flags, and no secret", async () => {
    const { stdout } = await run(["stdio", "--help"]);
    const [flags = "", lines = ""] = stdout.split("Variables:\n");
    expect(lines.match(/^ {2}FLEET_\w+/gm)).toHaveLength(Object.keys(environmentVariables).length);
    expect(flags.match(/^ {2}(-\w, )?--[a-z-]+/gm)?.map((flag) => flag.replace(/.* /, ""))).toEqual([
      ...["--help", "--version", "--sandbox", "--tools", "--read-only", "--log"],
    ]);
  });
});

it.each([[["--sandbox", "--tools", "list_tire_events", "tools"]], [["--sandbox", "call", "list_tire_events", "--read-only"]]])(
  "flags and verbs may come in any order: %j",
  async (args) => {
    const { code, stdout } = await run(args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/1 tools|events/)]);
  },
);
