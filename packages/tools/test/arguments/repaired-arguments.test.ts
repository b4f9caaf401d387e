import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/index.ts";
import { servedFleet } from "../served-fleet.ts";

/** How a tool reads arguments: repaired, or why it refuses them. */
function read(tool: string, args: unknown): unknown {
  const result = catalogue.find(({ name }) => name === tool)?.inputSchema["~standard"].validate(args);
  if (!result || result instanceof Promise) throw new Error(`${tool} cannot be read`);
  return "value" in result ? result.value : result.issues?.map(({ message }) => message).join("; ");
}

type Args = Record<string, unknown>;

describe("arguments that hosts and models write differently", () => {
  it.each<[string, tool: string, Args, Args]>([
    ["numbers as text", "create_job", { lat: "45.7", lng: " -4.8 " }, { lat: 45.7, lng: -4.8 }],
    ["an integer and a boolean", "create_job", { jobRadius: " 150 ", override: "True" }, { jobRadius: 150, override: true }],
    ["text as a list of one", "create_job", { address: ["Lyon"], notes: [""] }, { address: "Lyon", notes: "" }],
    ["a choice in another case", "create_job", { status: "-in progress" }, { status: "IN_PROGRESS" }],
    ["a list of one as text", "create_job", { orderNumbers: "4711" }, { orderNumbers: ["4711"] }],
    ["a list as text", "create_job", { orderNumbers: '["O1", "12"]' }, { orderNumbers: ["O1", "12"] }],
    ["numbers for text", "create_job", { address: 12, orderNumbers: [1, "2", -3] }, { address: "12", orderNumbers: ["1", "2", "-3"] }],
    ["a record as JSON", "list_jobs", { query: '{"status": "NEW"}' }, { query: { status: "NEW" } }],
    [
      "a record as in a URL",
      "list_jobs",
      { query: "?a=x%20b+c&d=1&d=2&e=&f=1=2" },
      { query: { a: "x b+c", d: ["1", "2"], e: "", f: "1=2" } },
    ],
    ["null for nothing", "create_job", { lat: null, address: "Lyon" }, { address: "Lyon" }],
    ["an empty string for nothing", "create_job", { lat: "", status: "" }, {}],
  ])("%s: %s %j", (_, tool, args, expected) => expect(read(tool, args)).toEqual(expected));

  it.each<[tool: string, field: string, values: unknown[]]>([
    ["list_live_positions", "vehicleIds", ["v1,v2", '{"0": "v1"}']],
    ["list_live_positions", "limit", ["0x10", "05", "5.5", "5 rows", 501, "0"]],
    ["create_job", "lat", ["45,7", "5.", "far"]],
    ["create_job", "address", [1.5, { street: "x" }, ["a", "b"]]],
    ["create_job", "jobNumber", [2 ** 63]],
    ["create_job", "status", ["another", [["NEW"]]]],
    ["list_jobs", "query", ["NEW", "status=NEW&open", "=b", 5]],
  ])("are refused if they cannot be converted: %s %s %j", (tool, field, values) => {
    for (const value of values) expect(read(tool, { [field]: value })).toMatch(/(: |the input )(must|is|has)\b/);
  });

  it("are sent as converted", async () => {
    const { call, service } = await servedFleet({
      script: {
        listLivePositions: () => ({ body: [] }),
        queryTachoActivity: () => ({ body: { count: 0, data: [] } }),
        listJobs: () => ({ body: [] }),
        createJob: ({ body }) => ({ body: { job: body } }),
      },
    });
    await call("create_job", { address: 12, jobRadius: "150", override: "false", jobNumber: "J1" });
    expect(service.of("createJob")[0]).toMatchObject({
      url: { search: "?override=false" },
      body: { address: "12", jobRadius: 150, jobNumber: "J1" },
    });
    await call("list_jobs", { query: { status: "NEW", limit: 5, open: true, ids: ["a", "b"] } });
    await call("list_jobs", { query: "" });
    const sent = service.of("listJobs").map(({ url }) => Object.fromEntries(url.searchParams));
    expect(sent).toEqual([{ status: "NEW", limit: "5", open: "true", ids: "a,b" }, {}]);
  });
});

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
const throwing = {
  get a() {
    throw new Error("canary-secret");
  },
};

it.each<[string, unknown, string]>([
  ["a bigint", { a: 1n }, "the arguments contain a bigint"],
  ["too many levels", nested(52), "the arguments are nested too deeply"],
  ["too many values", list(1_000, list(1_000, 1)), "the arguments contain more than 1000000 values"],
  ["too many fields", Object.fromEntries(list(10_001, 1).map((_, at) => [`f${at}`, 1])), "the arguments contain more than 10000 fields"],
  ["a getter that throws", throwing, "the arguments cannot be read"],
  ["a prototype's key", JSON.parse('{"query":{"__proto__":null}}'), "query.__proto__: is not a field of list_jobs"],
])("arguments cannot have %s", (_, args, why) => expect(read("list_jobs", args)).toContain(`list_jobs: ${why}`));

function list<Value>(length: number, value: Value): Value[] {
  return Array.from({ length }, () => value);
}

it("a read takes at most 4,000 characters, not counting its cursor", async () => {
  const { failure, call } = await servedFleet({ script: { listLivePositions: () => ({ body: [] }) } });
  expect(await failure("locate_vehicle", { query: "x".repeat(3_990) })).toMatch(
    /^input: .*the arguments exceed 4000 characters.* Next: Ask for less/,
  );
  expect((await call("list_live_positions", { where: "x".repeat(3_900), cursor: "y".repeat(4_000) })).text).not.toContain("exceed");
});
