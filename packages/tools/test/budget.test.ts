import { type Operation, operations } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import { hostileOutput } from "@fleetwire/core/samples";
import { describe, expect, it } from "vitest";
import type { FleetToolResult } from "../src/index.ts";
import { cannedFleet, fleetOf, HOSTILE_TEXTS } from "./canned-fleet.ts";
import { CALLS, scriptOf } from "./every-tool.ts";
import { faultPages, type Responder, type Script } from "./fleet-service.ts";
import { readAllPages, tokens } from "./listed-fleet.ts";
import { NOW, servedFleet } from "./served-fleet.ts";

type Json = Record<string, unknown>;

const JOB = { address: "Quai Perrache 10, Lyon" };
const long = 'Ab|\n"\\ '.repeat(1_500);
/** As long as two arguments of a read may be. */
const said = long.slice(0, 1_300);

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const many = (count: number, of: (index: number) => [string, unknown]): Json => Object.fromEntries(times(count, 0).map((_, at) => of(at)));
const keys = many(200, (index) => [`key ${index}\n${"x".repeat(99)}`, index]);
const nested = (depth: number): unknown =>
  depth === 0 ? "end" : depth % 2 === 0 ? { inner: nested(depth - 1), b: "beside" } : [nested(depth - 1), 1];

/** A record with an oversized value in each of the given fields. */
const swollen = (fields: string) =>
  Object.fromEntries(fields.split(" ").map((field, index) => [field, index % 5 === 4 ? Object.values(HOSTILE_TEXTS).join(" ") : long]));
const POSITION = swollen(
  "assetName assetRegistration eventType city country driverName assetVin status road formattedAddress locationName",
);
const FAULT = swollen("description code startDate endDate");
const RECORD = { ...swollen("number title notes place"), list: times(40, long), inner: nested(40) };

/** Changes every object in a value, innermost first, and repeats the items of object lists up to `count`. */
function everywhere(value: unknown, change: (record: Json) => Json, count = 1): unknown {
  if (Array.isArray(value)) return value.flatMap((item) => times(isRecord(item) ? count : 1, everywhere(item, change, count)));
  if (!isRecord(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, everywhere(inner, change, count)])));
}

/** Responses to every operation, derived from its schema, and those of operations whose records nobody documents. */
const HOSTILE: Record<string, [derived: (operation: Operation) => unknown, own: Json]> = {
  "huge texts in every field": [
    (operation) => hostileOutput(operation, long),
    {
      listLivePositions: times(5, { ...POSITION, tags: times(40, long), activeFaultCodes: times(1_000, "P1") }),
      ...{ listJobs: { jobs: times(5, RECORD), label: long, [long]: long }, listTireEvents: RECORD },
      createJob: { job: { jobNumber: "J1", ...RECORD, jobHistory: times(40, { name: long }) }, errors: times(30, { field: long }) },
      updateGroup: { id: "north", name: long, path: long, vehicleIds: times(9_000, "v1"), ...RECORD },
    },
  ],
  "thousands of keys": [
    (operation) => everywhere(hostileOutput(operation, "x"), (record) => ({ ...record, ...keys })),
    {
      ...{
        listJobs: { jobs: times(3, keys), ...keys },
        listTireEvents: many(600, (index) => [`${index}${"x".repeat(500)}`, { index }]),
      },
      ...{ createJob: { job: { jobId: "j1", ...keys } }, updateGroup: { id: "north", ...keys } },
    },
  ],
  "huge counts": [
    (operation) => everywhere(hostileOutput(operation, "x"), (record) => record, 12),
    {
      listLivePositions: fleetOf(300).map((position) => ({ ...position, odometer: Number.MAX_VALUE, speed: 5e-324, heading: -1e300 })),
      ...{ listJobs: { jobs: times(2_000, { jobNumber: "J1", value: 1e300 }), total: 1e300 }, listTireEvents: times(2_000, [1, 2, 3]) },
      createJob: { job: { jobNumber: "J1", orderNumbers: times(9_000, "o") } },
      updateGroup: { id: "north", vehicleIds: times(9_000, "v1"), personIds: times(9_000, "p1") },
    },
  ],
  "deep JSON": [
    (operation) => everywhere(hostileOutput(operation, "x"), (record) => ({ ...record, more: nested(500) })),
    {
      listJobs: { jobs: times(5, { value: nested(500), list: [[[[[[[[[[1]]]]]]]]]] }) },
      listTireEvents: `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
      createJob: `{"job": {"jobNumber": "J1", "x": ${'{"a":['.repeat(9_000)}${"]}".repeat(9_000)}}}`,
      updateGroup: `{"id": "north", "x": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
    },
  ],
};

/** Replies to every operation but the one for tokens, each serialized once. */
function replies(bodyOf: (operation: Operation) => unknown, status = 200): Script {
  const offered = Object.values<Operation>(operations).filter(({ tool }) => tool);
  return Object.fromEntries(
    offered.map((operation): [string, Responder] => {
      const value = bodyOf(operation);
      const body = typeof value === "string" ? value : JSON.stringify(value);
      return [operation.name, () => ({ status, body })];
    }),
  );
}

const refusal = times(5, { errorCode: 1, errorMessage: long, offendingFields: [long] });
const LISTS: [string, Json][] = [
  ["list_live_positions", { limit: 500, fields: ["tags", "activeFaultCodes", "assetName"] }],
  ["list_live_positions", { where: "activeFaultCodes!=none", limit: 500 }],
  ["list_vehicle_faults", { fields: ["lamps", "make"], limit: 500 }],
  ["list_jobs", { fields: ["list"] }],
];

const hostile = (what: string, budget: number): [string, number, Script, Json, RegExp] => {
  const [derived, own] = HOSTILE[what] as (typeof HOSTILE)[string];
  return [what, budget, replies((operation) => own[operation.name] ?? derived(operation)), {}, /^/];
};

describe("every result fits its budget, with the mark of the sandbox", () => {
  it.each<[what: string, budget: number, script: Script, args: Json, starts: RegExp]>([
    ...Object.keys(HOSTILE).map((what) => hostile(what, 200)),
    hostile("huge texts in every field", 5_000),
    ["refused arguments", 200, scriptOf("x"), { [said]: 1 }, /^input: /],
    ["a refusal of the service", 200, replies(() => refusal, 400), {}, /^rejected: /],
  ])("%s, of %i tokens", async (_, budget, script, more, starts) => {
    const { call } = await servedFleet({ script, config: { maxResultTokens: budget, snapshotSeconds: 600, sandbox: true } });
    for (const [tool, args] of [...CALLS, ...LISTS]) {
      const result = await call(tool, { ...args, ...more });
      expectWithin(budget, result);
      const [, text = ""] = /^\[sandbox\] (.*)/s.exec(result.text) ?? [];
      expect(result.structured).toHaveProperty("sandbox", true);
      expect(text).toMatch(starts);
      // The outcome of a write must be reported, however small the budget.
      if (starts.source === "^" && tool === "create_job") expect(text).toMatch(/^Job created\./);
      if (starts.source === "^" && tool === "update_group") expect(text).toMatch(/^Group updated\./);
    }
  });
});

/** Checks that a result stays within the budget and says what is missing. */
function expectWithin(budget: number, result: FleetToolResult): void {
  expect(tokens(result), result.text).toBeLessThanOrEqual(budget);
  expect(result.text).not.toMatch(/internal: /);
  expect(result.text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
}

const small = { FLEET_MAX_RESULT_TOKENS: "200" };

it("errors and questions that quote long arguments or lists of fields fit", async () => {
  const listJobs: Responder = () => ({ body: [many(3_000, (index) => [`k${index}`, 1])] });
  const { call } = await servedFleet({ env: small, script: { listLivePositions: () => ({ body: cannedFleet() }), listJobs } });
  const refused: [string, Json][] = [
    ["list_live_positions", { fields: times(500, long) }],
    ["list_live_positions", { [said]: 1, ...many(100, (index) => [`unknown${index}`, index]) }],
    ["list_jobs", { fields: ["absent"] }],
    ["create_job", many(500, (index) => [`"\\${index}`, long])],
    ["locate_vehicle", { query: { [said]: said } }],
    ["summarize_driver_activity", { period: said }],
  ];
  const asked: [string, Json][] = [
    ["find_nearest_vehicles", { to: said }],
    ["list_vehicle_faults", { vehicle: said, period: said }],
    ["create_job", { ...JOB, vehicleName: long }],
  ];
  for (const [index, [tool, args]] of [...refused, ...asked].entries()) {
    const result = await call(tool, args);
    expect([tool, result.ok, result.text]).toEqual([
      tool,
      ...(index < refused.length ? [false, expect.stringMatching(/^input: /)] : [true, expect.stringMatching(/ match(es)? /)]),
    ]);
    expectWithin(200, result);
  }
});

it("lists of hostile rows have each row once", async () => {
  const rows = [0, 1, 2, 3, 4].map((odometer) => ({ ...POSITION, assetId: `v${odometer}`, assetName: `${odometer} ${long}`, odometer }));
  const codes = rows.map(({ odometer }) => [`${odometer}.0`, `${odometer}.1`]);
  const faults = codes.map((own, at) => ({ id: `v${at}`, faults: own.map((code) => ({ ...FAULT, code, details: { fmi: long } })) }));
  const jobs = rows.map((row) => ({ number: row.odometer, ...RECORD }));
  const script = { listLivePositions: () => ({ body: rows }), ...faultPages(faults), listJobs: () => ({ body: jobs }) };
  const server = await servedFleet({ env: small, script });
  const lists = [
    await readAllPages(server, "list_live_positions", { fields: ["odometer", ...Object.keys(POSITION)] }),
    await readAllPages(server, "list_vehicle_faults", { limit: 3, fields: ["code", "fmi", "description"] }),
    await readAllPages(server, "list_jobs", {}),
  ];
  expect(lists[0]?.items.map(({ odometer }) => odometer)).toEqual([0, 1, 2, 3, 4]);
  expect(lists[1]?.items.map(({ code }) => code)).toEqual(codes.flat());
  expect(lists[2]?.items).toHaveLength(5);
  for (const { largest, notes } of lists) {
    expect(largest).toBeLessThanOrEqual(200);
    for (const note of notes) expect(note).toMatch(/shortened|Left out/);
  }
});

it("a list of which not even one row fits is refused", async () => {
  const { another } = await servedFleet({ script: { listLivePositions: () => ({ body: cannedFleet() }) } });
  expect((await another({ maxResultTokens: 20 }).call("list_live_positions", {})).text).toMatch(
    /^input: vehicles: the result does not fit FLEET_MAX_RESULT_TOKENS\. Next: Request fewer fields, or raise the budget/,
  );
});

describe("omissions are reported", () => {
  it("for fields of a record that did not fit", async () => {
    const job = { ...many(40, (index) => [`field${index}`, "value ".repeat(20)]), jobNumber: "J77" };
    const { call } = await servedFleet({ env: small, script: { createJob: () => ({ body: { job } }) } });
    const { text, structured } = await call("create_job", JOB);
    const note = "Left out to fit FLEET_MAX_RESULT_TOKENS: field";
    expect(text).toMatch(/^Job created\.\njobNumber: J77\n/);
    expect(text).toContain(note);
    expect(structured).toMatchObject({ job: { jobNumber: "J77" }, note: expect.stringContaining(`Job created. ${note}`) });
  });

  it("for fields of a row that did not fit", async () => {
    const { text } = await servedFleet({ env: small, script: { listLivePositions: () => ({ body: cannedFleet() }) } });
    const fields = Object.keys(cannedFleet()[0] ?? {});
    expect(await text("list_live_positions", { limit: 1, fields })).toMatch(
      /^1 of 52 vehicles\. Left out to fit FLEET_MAX_RESULT_TOKENS: [a-zA-Z]+/,
    );
  });
});

it("the age of the data fits too, and no more rows are left out for it than necessary", async () => {
  let now = NOW;
  const { another } = await servedFleet({
    config: { snapshotSeconds: 60 },
    options: { now: () => now },
    script: { listLivePositions: () => ({ body: fleetOf(50) }) },
  });
  for (const maxResultTokens of [300, 500, 503]) {
    const tools = another({ maxResultTokens });
    now = NOW;
    await tools.call("locate_vehicle", { query: "truck 12" });
    now = NOW + 7_000;
    const result = await tools.call("list_live_positions", { limit: 50 });
    expect(result.text).toMatch(/\nRead 7 s ago\.$/);
    expect(result.structured).toMatchObject({ readSecondsAgo: 7 });
    expect(tokens(result)).toBeLessThanOrEqual(maxResultTokens);
    expect(tokens(result)).toBeGreaterThan(maxResultTokens - 120);
  }
});
