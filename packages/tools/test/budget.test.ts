import { describe, expect, it } from "vitest";
import type { FleetToolResult } from "../src/index.ts";
import { cannedFleet, fleetOf } from "./canned-fleet.ts";
import { faultPages } from "./fleet-service.ts";
import { FAULT, HOSTILE_REFUSALS, HOSTILE_RESPONSES, long, many, POSITION, RECORD, times } from "./hostile-responses.ts";
import { readAllPages, tokens } from "./listed-fleet.ts";
import { NOW, servedFleet } from "./served-fleet.ts";

const TIMES = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z" };
const JOB = { address: "Quai Perrache 10, Lyon" };
/** As long as two arguments of a read may be. */
const said = long.slice(0, 1_300);

const CALLS: [string, Record<string, unknown>][] = [
  ["locate_vehicle", { query: "x" }],
  ["find_nearest_vehicles", { to: "45.7, 4.8", limit: 500 }],
  ["summarize_fleet", {}],
  ["summarize_fleet", { list: "silent", limit: 500 }],
  ["summarize_fleet", { list: "activeFaults", fuelBelow: 100 }],
  ["driver_hours", { limit: 500 }],
  ["summarize_driver_activity", { period: "2026-11-01/2026-11-20", limit: 500 }],
  ["list_live_positions", { limit: 500 }],
  ["list_live_positions", { limit: 500, fields: ["tags", "activeFaultCodes", "assetName"] }],
  ["list_vehicle_faults", { limit: 500 }],
  ["list_vehicle_faults", { fields: ["lamps", "make"] }],
  ["query_tacho_activity", { ...TIMES, limit: 500 }],
  ["list_jobs", { limit: 500 }],
  ["list_jobs", { fields: ["list"] }],
  ["list_tire_events", {}],
  ["create_job", JOB],
  ["update_group", { id: "north", name: "N" }],
];

/** Checks that a result stays within the budget and says what is missing. */
function expectWithin(budget: number, result: FleetToolResult): void {
  expect(tokens(result)).toBeLessThanOrEqual(budget);
  expect(result.text).not.toMatch(/internal: /);
  expect(result.text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
}

// every-tool.test.ts tries a large budget too.
describe("within the smallest budget", () => {
  const budget = 200;
  const env = { FLEET_MAX_RESULT_TOKENS: String(budget) };

  it.each(HOSTILE_RESPONSES)("%s", async (_, script) => {
    const { call } = await servedFleet({ script, env });
    for (const [tool, args] of CALLS) {
      const result = await call(tool, args);
      expectWithin(budget, result);
      // The outcome of a write must be reported, however small the budget.
      if (tool === "create_job") expect(result.text).toMatch(/^Job created\./);
      if (tool === "update_group") expect(result.text).toMatch(/^Group updated\./);
    }
  });

  it("refusals of many kilobytes", async () => {
    const { call } = await servedFleet({ script: HOSTILE_REFUSALS, env });
    for (const [tool, args] of CALLS) {
      const result = await call(tool, args);
      expect(result).toMatchObject({ ok: false, text: expect.stringMatching(/^rejected: /) });
      expectWithin(budget, result);
    }
  });

  it("errors that quote long arguments or lists of fields", async () => {
    const { call } = await servedFleet({
      env,
      script: {
        listLivePositions: () => ({ body: cannedFleet() }),
        listJobs: () => ({ body: [many(3_000, (index) => [`k${index}`, 1])] }),
      },
    });
    const refused: [string, Record<string, unknown>][] = [
      ["list_live_positions", { fields: times(500, long) }],
      ["list_live_positions", { fields: times(2, said) }],
      ["list_live_positions", { [said]: 1, ...many(100, (index) => [`unknown${index}`, index]) }],
      ["list_jobs", { fields: ["absent"] }],
      ["create_job", many(500, (index) => [`"\\${index}`, long])],
      ["locate_vehicle", { query: { [said]: said } }],
      ["list_live_positions", { vehicleIds: times(600, "a,b") }],
      ["list_vehicle_faults", { period: said }],
      ["summarize_driver_activity", { period: said }],
    ];
    const asked: [string, Record<string, unknown>][] = [
      ["find_nearest_vehicles", { to: said }],
      ["find_nearest_vehicles", { to: "truck" }],
      ["find_nearest_vehicles", { to: "truck 12", in: said }],
      ["summarize_fleet", { in: said }],
      ["list_vehicle_faults", { vehicle: said, period: said }],
      ["update_group", { group: long, name: "x" }],
      ["create_job", { ...JOB, vehicleName: long }],
    ];
    for (const [tool, args] of asked) {
      const result = await call(tool, args);
      expect(result).toMatchObject({ ok: true, text: expect.stringMatching(/ match(es)? /) });
      expectWithin(budget, result);
    }
    for (const [tool, args] of refused) {
      const result = await call(tool, args);
      expect(result).toMatchObject({ ok: false, text: expect.stringMatching(/^input: /) });
      expectWithin(budget, result);
    }
  });

  it("lists of hostile rows, each row once", async () => {
    const rows = Array.from({ length: 7 }, (_, index) => ({
      ...POSITION,
      assetId: `v${index}`,
      assetName: `${index} ${long}`,
      odometer: index,
    }));
    const faults = rows.map(({ odometer }) => ({
      id: `v${odometer}`,
      faults: [FAULT, FAULT].map((fault, at) => ({ ...fault, code: `${odometer}.${at}`, details: { fmi: long } })),
    }));
    const server = await servedFleet({
      env,
      script: {
        listLivePositions: () => ({ body: rows }),
        ...faultPages(faults),
        listJobs: () => ({ body: rows.map((row) => ({ number: row.odometer, ...RECORD })) }),
      },
    });
    const positions = await readAllPages(server, "list_live_positions", { fields: ["odometer", ...Object.keys(POSITION)] });
    expect(positions.items.map(({ odometer }) => odometer)).toEqual(rows.map(({ odometer }) => odometer));
    const listed = await readAllPages(server, "list_vehicle_faults", { limit: 3, fields: ["code", "fmi", "description"] });
    expect(listed.items.map(({ code }) => code)).toEqual(faults.flatMap((vehicle) => vehicle.faults.map(({ code }) => code)));
    const jobs = await readAllPages(server, "list_jobs", {});
    expect(jobs.items).toHaveLength(7);
    for (const { largest, notes } of [positions, listed, jobs]) {
      expect(largest).toBeLessThanOrEqual(budget);
      for (const note of notes) expect(note).toMatch(/shortened|Left out/);
    }
  });
});

describe("omissions are reported", () => {
  it("for fields of a record that did not fit", async () => {
    const job = many(40, (index) => [`field${index}`, "value ".repeat(20)]);
    const { call } = await servedFleet({
      env: { FLEET_MAX_RESULT_TOKENS: "200" },
      script: { createJob: () => ({ body: { job: { ...job, jobNumber: "J77" } } }) },
    });
    const result = await call("create_job", JOB);
    expect(result.text).toMatch(/^Job created\.\njobNumber: J77\n/);
    expect(result.structured).toMatchObject({
      job: { jobNumber: "J77" },
      note: expect.stringMatching(/^Job created\. Left out to fit FLEET_MAX_RESULT_TOKENS: field/),
    });
    expect(result.text).toContain("Left out to fit FLEET_MAX_RESULT_TOKENS: field");
  });

  it("for rows that did not fit, with a cursor to fetch them", async () => {
    const { call } = await servedFleet({
      env: { FLEET_MAX_RESULT_TOKENS: "500" },
      script: { listLivePositions: () => ({ body: cannedFleet() }) },
    });
    const result = await call("list_live_positions", { limit: 52 });
    const { returned, next } = result.structured as { returned: number; next: string };
    expect(returned).toBeLessThan(20);
    expect(result.text).toMatch(new RegExp(`^${returned} of 52 vehicles\\.[^]*More: repeat this call with cursor "${next}"\\.$`));
  });

  it("for fields of a row that did not fit", async () => {
    const { call } = await servedFleet({
      env: { FLEET_MAX_RESULT_TOKENS: "200" },
      script: { listLivePositions: () => ({ body: [POSITION] }) },
    });
    const result = await call("list_live_positions", { fields: Object.keys(POSITION) });
    expect(result.text).toMatch(/^1 of 1 vehicle\. Left out to fit FLEET_MAX_RESULT_TOKENS: [a-z]+/);
  });
});

it("the age of the data fits too, and no more rows are left out for it than necessary", async () => {
  let now = NOW;
  const { call, another } = await servedFleet({
    env: { FLEET_SNAPSHOT_SECONDS: "60" },
    options: { now: () => now },
    script: { listLivePositions: () => ({ body: fleetOf(50) }) },
  });
  await call("locate_vehicle", { query: "truck 12" });
  for (const maxResultTokens of [300, 500, 501, 502, 503, 504]) {
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
