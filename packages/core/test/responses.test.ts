import { describe, expect, it } from "vitest";
import type { FleetClient } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";

const span = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
const reads = {
  positions: (fleet: FleetClient) => fleet.listLivePositions(),
  faults: (fleet: FleetClient) => fleet.listVehicleFaults(),
  activities: (fleet: FleetClient) => fleet.queryTachoActivity(span),
  group: (fleet: FleetClient) => fleet.updateGroup({ id: "g1" }),
};

type Row = [what: string, read: keyof typeof reads, body: unknown, gives: unknown, ...drift: string[]];

// fixtures-pass.test.ts in contract-tests has each operation's examples: nulls, wrong types, extra fields, unknown values.
const rows: Row[] = [
  ["null for optional fields", "positions", [{ assetId: "v1", speed: null, tags: null, eventType: null }], [{ assetId: "v1" }]],
  [
    "fields of the wrong type",
    "positions",
    [{ assetId: "v1", speed: "82", tags: "a", latitude: {}, assetName: 12, date: 1_795_000_000, serialNumber: "x1" }, { speed: 5 }],
    [{ assetId: "v1" }, { speed: 5 }],
    ...["speed", "tags", "latitude", "assetName", "date", "serialNumber"].map((field) => `$[*].${field} wrong type 1`),
  ],
  [
    "wrong and missing entries of a list",
    "positions",
    [{ tags: ["a", null, 5, "b", {}], activeFaultCodes: [["P1"]] }],
    [{ tags: ["a", "b"], activeFaultCodes: [] }],
    "$[*].tags[*] wrong type 3",
    "$[*].activeFaultCodes[*] wrong type 1",
  ],
  [
    "undocumented values",
    "positions",
    [{ eventType: "flying", fuelType: ["COAL", "DIESEL"], status: "PARKED" }],
    [{ eventType: "flying", fuelType: ["COAL", "DIESEL"], status: "PARKED" }],
    "$[*].eventType unknown enum value 1",
    "$[*].fuelType[*] unknown enum value 1",
  ],
  [
    "an enum value of another type",
    "positions",
    [{ eventType: 5, fuelType: [null, "DIESEL"] }],
    [{ fuelType: ["DIESEL"] }],
    "$[*].eventType wrong type 1",
    "$[*].fuelType[*] wrong type 1",
  ],
  [
    "undocumented fields, in their order",
    "positions",
    [
      { assetId: "v1", colour: "red", nothing: null },
      { colour: "blue", assetId: "v2" },
    ],
    [
      { assetId: "v1", colour: "red", nothing: null },
      { colour: "blue", assetId: "v2" },
    ],
    "$[*].colour unknown field 2",
    "$[*].nothing unknown field 1",
  ],
  [
    "records that are not objects",
    "positions",
    [null, { assetId: "v1" }, 5, "v2", [], [{ assetId: "v3" }], true],
    [{ assetId: "v1" }],
    "$[*] dropped record 6",
  ],
  [
    "a privacy flag of the wrong type: the journey counts as private",
    "positions",
    ["true", "false", "no", 0, 1, {}, [], null, true, false].map((privacy) => ({ privacy })),
    [...Array.from({ length: 7 }, () => ({ privacy: true })), {}, { privacy: true }, { privacy: false }],
    "$[*].privacy wrong type 7",
  ],
  ["impossible coordinates, which are kept", "positions", [{ latitude: 91, longitude: -181 }], [{ latitude: 91, longitude: -181 }]],
  [
    "a page of faults with differences at every depth",
    "faults",
    {
      items: [{ id: "v1", faults: [{ code: "P1", startOdometer: "5", details: { lamps: ["MIL", 1], fmi: 3, extra: 1 } }, null] }, 7],
      pagination: { totalItems: 1.5, totalPages: "1", pageSize: 50 },
    },
    { items: [{ id: "v1", faults: [{ code: "P1", details: { lamps: ["MIL"], extra: 1 } }] }], pagination: { pageSize: 50 } },
    "$.items[*].faults[*].startOdometer wrong type 1",
    "$.items[*].faults[*].details.lamps[*] wrong type 1",
    "$.items[*].faults[*].details.fmi wrong type 1",
    "$.items[*].faults[*].details.extra unknown field 1",
    "$.items[*].faults[*] dropped record 1",
    "$.items[*] dropped record 1",
    "$.pagination.totalItems wrong type 1",
    "$.pagination.totalPages wrong type 1",
  ],
  ["items that are not a list", "faults", { items: {}, pagination: [] }, {}, "$.items wrong type 1", "$.pagination wrong type 1"],
  ["activities without their required count", "activities", { data: [] }, { data: [] }, "$.count missing required 1"],
  ["a group without its required id", "group", { name: "Nord" }, { name: "Nord" }, "$.id missing required 1"],
  ["a group whose other ids are not alphanumeric", "group", { id: "g1", vehicleIds: ["v 1"] }, { id: "g1", vehicleIds: ["v 1"] }],
];

describe("a response in tolerant mode", () => {
  it.each(rows)("%s", async (_, read, body, gives, ...drift) => {
    const test = await fleetUnderTest({ api: [{ body }] });
    expect(await reads[read](test.fleet)).toEqual(gives);
    expect(test.drift.flatMap((report) => report.drift.map(({ path, kind, count }) => `${path} ${kind} ${count}`))).toEqual(drift);
    expect(test.drift).toHaveLength(drift.length > 0 ? 1 : 0);
  });

  it("with ever new fields has a bounded report", async () => {
    const body = [Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field${at}`, at]))];
    const { fleet, drift } = await fleetUnderTest({ api: [{ body }] });
    expect(await fleet.listLivePositions()).toEqual(body);
    expect(drift[0]?.drift).toHaveLength(1_000);
  });
});

describe("a response in strict mode", () => {
  it.each(rows)("%s", async (_, read, body, gives, ...drift) => {
    const { fleet } = await fleetUnderTest({ api: [{ body }], validation: "strict" });
    if (drift.length === 0) {
      expect(await reads[read](fleet)).toEqual(gives);
      return;
    }
    const error = await failure(reads[read](fleet));
    expect(error.code).toBe("contract");
    // An unknown field name may contain personal data.
    const shown = drift[0]?.replace(/\w+ unknown field \d+$/, "(undocumented) unknown field").replace(/ (\d+)$/, " ($1)");
    expect(error.message).toContain(shown);
  });
});

describe("a response with the wrong overall shape violates the contract", () => {
  it.each<[keyof typeof reads, unknown]>([
    ...[{}, { items: [] }, "text", 5, null].map((body): [keyof typeof reads, unknown] => ["positions", body]),
    ...[[], [{}], null].map((body): [keyof typeof reads, unknown] => ["faults", body]),
    ...[[], {}, { count: 1, data: null }, { data: "x" }].map((body): [keyof typeof reads, unknown] => ["activities", body]),
    ["group", [{ id: "g1" }]],
  ])("%s: %j", async (read, body) => {
    const { fleet } = await fleetUnderTest({ api: [{ body: JSON.stringify(body) }] });
    const message = expect.stringContaining("overall shape");
    expect(await failure(reads[read](fleet))).toMatchObject({ code: "contract", status: 200, message });
  });
});

it.each([[[1, { a: null }]], [{ jobs: [] }], ["text"], [null]])("an undocumented response is passed through: %j", async (body) => {
  const { fleet, drift } = await fleetUnderTest({ api: [{ body: JSON.stringify(body) }], validation: "strict" });
  expect([await fleet.listJobs(), await fleet.listTireEvents(), drift]).toEqual([body, body, []]);
});

it.each(["__proto__", "constructor"])("%s is a field like any other that is not documented", async (name) => {
  const { fleet, drift } = await fleetUnderTest({ api: [{ body: `[{"${name}":{"polluted":true},"assetId":"v1"}]` }] });
  const [position] = await fleet.listLivePositions();
  expect(JSON.stringify(position)).toBe(`{"${name}":{"polluted":true},"assetId":"v1"}`);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(position)).toBe(Object.prototype);
  expect(drift[0]?.drift).toEqual([{ path: `$[*].${name}`, kind: "unknown field", count: 1 }]);
});
