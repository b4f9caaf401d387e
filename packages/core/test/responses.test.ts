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

interface Row {
  what: string;
  read?: keyof typeof reads;
  body: unknown;
  /** The result that the caller gets. */
  gives: unknown;
  /** Path, kind and count of each difference. */
  drift?: string[];
}

const rows: Row[] = [
  {
    what: "a record as documented",
    body: [{ assetId: "v1", speed: 1.5, tags: ["a"] }],
    gives: [{ assetId: "v1", speed: 1.5, tags: ["a"] }],
  },
  { what: "no records", body: [], gives: [] },
  { what: "a record without fields", body: [{}], gives: [{}] },
  { what: "null for optional fields", body: [{ assetId: "v1", speed: null, tags: null, eventType: null }], gives: [{ assetId: "v1" }] },
  {
    what: "fields of the wrong type",
    body: [
      { assetId: "v1", speed: "82", privacy: "true", tags: "a", latitude: {}, assetName: 12, date: 1_795_000_000, serialNumber: "x1" },
      { assetId: "v2", speed: 5 },
    ],
    gives: [
      { assetId: "v1", privacy: true },
      { assetId: "v2", speed: 5 },
    ],
    drift: ["speed", "privacy", "tags", "latitude", "assetName", "date", "serialNumber"].map((field) => `$[*].${field} wrong type 1`),
  },
  {
    what: "wrong and missing entries of a list",
    body: [{ tags: ["a", null, 5, "b", {}], activeFaultCodes: [["P1"]] }],
    gives: [{ tags: ["a", "b"], activeFaultCodes: [] }],
    drift: ["$[*].tags[*] wrong type 3", "$[*].activeFaultCodes[*] wrong type 1"],
  },
  {
    what: "undocumented values",
    body: [{ eventType: "flying", energyType: "STEAM", fuelType: ["COAL", "DIESEL"], engineTotalHoursType: "GUESS", status: "PARKED" }],
    gives: [{ eventType: "flying", energyType: "STEAM", fuelType: ["COAL", "DIESEL"], engineTotalHoursType: "GUESS", status: "PARKED" }],
    drift: [
      "$[*].eventType unknown enum value 1",
      "$[*].energyType unknown enum value 1",
      "$[*].fuelType[*] unknown enum value 1",
      "$[*].engineTotalHoursType unknown enum value 1",
    ],
  },
  {
    what: "an enum value of another type",
    body: [{ eventType: 5, fuelType: [null, "DIESEL"] }],
    gives: [{ fuelType: ["DIESEL"] }],
    drift: ["$[*].eventType wrong type 1", "$[*].fuelType[*] wrong type 1"],
  },
  {
    what: "undocumented fields",
    body: [
      { assetId: "v1", colour: "red", nested: { a: [1] }, nothing: null },
      { colour: "blue", assetId: "v2" },
    ],
    gives: [
      { assetId: "v1", colour: "red", nested: { a: [1] }, nothing: null },
      { colour: "blue", assetId: "v2" },
    ],
    drift: ["$[*].colour unknown field 2", "$[*].nested unknown field 1", "$[*].nothing unknown field 1"],
  },
  {
    what: "records that are not objects",
    body: [null, { assetId: "v1" }, 5, "v2", [], [{ assetId: "v3" }], true],
    gives: [{ assetId: "v1" }],
    drift: ["$[*] dropped record 6"],
  },
  {
    what: "a privacy flag of the wrong type: the journey counts as private",
    body: ["true", "false", "no", 0, 1, {}, [], null, true, false].map((privacy) => ({ privacy })),
    gives: [...Array.from({ length: 7 }, () => ({ privacy: true })), {}, { privacy: true }, { privacy: false }],
    drift: ["$[*].privacy wrong type 7"],
  },
  {
    what: "impossible coordinates, which are kept",
    body: [{ latitude: 91, longitude: -181 }],
    gives: [{ latitude: 91, longitude: -181 }],
  },
  {
    what: "fields in another order",
    body: [{ activeFaultCodes: [], speed: 1, assetName: "x", assetRegistration: "y" }],
    gives: [{ activeFaultCodes: [], speed: 1, assetName: "x", assetRegistration: "y" }],
  },
  {
    what: "the same difference in many records, reported once",
    body: Array.from({ length: 200 }, () => ({ speed: "1", colour: 1 })),
    gives: Array.from({ length: 200 }, () => ({ colour: 1 })),
    drift: ["$[*].speed wrong type 200", "$[*].colour unknown field 200"],
  },

  {
    what: "a page of faults with differences at every depth",
    read: "faults",
    body: {
      items: [
        { id: "v1", faults: [{ code: "P1", startOdometer: "5", details: { lamps: ["MIL", 1], fmi: 3, extra: 1 } }, null], pagination: 1 },
        7,
      ],
      pagination: { totalItems: 1.5, totalPages: "1", pageSize: 50, pageIndex: 0 },
    },
    gives: {
      items: [{ id: "v1", faults: [{ code: "P1", details: { lamps: ["MIL"], extra: 1 } }], pagination: 1 }],
      pagination: { pageSize: 50, pageIndex: 0 },
    },
    drift: [
      "$.items[*].faults[*].startOdometer wrong type 1",
      "$.items[*].faults[*].details.lamps[*] wrong type 1",
      "$.items[*].faults[*].details.fmi wrong type 1",
      "$.items[*].faults[*].details.extra unknown field 1",
      "$.items[*].faults[*] dropped record 1",
      "$.items[*].pagination unknown field 1",
      "$.items[*] dropped record 1",
      "$.pagination.totalItems wrong type 1",
      "$.pagination.totalPages wrong type 1",
    ],
  },
  { what: "a page of faults without pagination", read: "faults", body: { items: [], pagination: null }, gives: { items: [] } },
  { what: "an empty page of faults", read: "faults", body: {}, gives: {} },
  {
    what: "a page of faults whose items are not a list",
    read: "faults",
    body: { items: {}, pagination: [] },
    gives: {},
    drift: ["$.items wrong type 1", "$.pagination wrong type 1"],
  },
  {
    what: "activities without their required count",
    read: "activities",
    body: { data: [{ driverId: "p1", activities: [{ duration: 5, distance: null }] }] },
    gives: { data: [{ driverId: "p1", activities: [{ duration: 5 }] }] },
    drift: ["$.count missing required 1"],
  },
  {
    what: "activities whose count is not a number",
    read: "activities",
    body: { count: "1", data: [] },
    gives: { data: [] },
    drift: ["$.count wrong type 1"],
  },
  {
    what: "activities whose count is null",
    read: "activities",
    body: { count: null, data: [] },
    gives: { data: [] },
    drift: ["$.count missing required 1"],
  },
  {
    what: "a group without its required id",
    read: "group",
    body: { name: "Nord", path: "root.g1" },
    gives: { name: "Nord", path: "root.g1" },
    drift: ["$.id missing required 1"],
  },
  {
    what: "a group whose other ids are not alphanumeric, which are kept",
    read: "group",
    body: { id: "g1", parentId: "root group", vehicleIds: ["v 1"], personIds: [] },
    gives: { id: "g1", parentId: "root group", vehicleIds: ["v 1"], personIds: [] },
  },
];

describe("a response in tolerant mode", () => {
  it.each(rows)("$what", async ({ read = "positions", body, gives, drift = [] }) => {
    const test = await fleetUnderTest({ api: [{ body }] });
    expect(await reads[read](test.fleet)).toEqual(gives);
    expect(test.drift.flatMap((report) => report.drift.map(({ path, kind, count }) => `${path} ${kind} ${count}`))).toEqual(drift);
    expect(test.drift).toHaveLength(drift.length > 0 ? 1 : 0);
  });

  it("is repaired even without a hook", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: [{ speed: "1" }] }], onDrift: undefined as never });
    expect(await fleet.listLivePositions()).toEqual([{}]);
  });

  it("is returned even if the hook throws", async () => {
    const onDrift = () => {
      throw new Error("a listener's own defect");
    };
    const { fleet } = await fleetUnderTest({ api: [{ body: { job: { jobId: "j1", notes: 7, jobNumber: "J1" } } }], onDrift });
    expect(await fleet.createJob({ address: "x" })).toEqual({ job: { jobId: "j1", jobNumber: "J1" } });
  });

  it("with ever new fields has a bounded report", async () => {
    const body = [Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field${at}`, at]))];
    const { fleet, drift } = await fleetUnderTest({ api: [{ body }] });
    expect(await fleet.listLivePositions()).toEqual(body);
    expect(drift[0]?.drift).toHaveLength(1_000);
  });

  it("omits a removed field from JSON", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: [{ speed: null, heading: "x", assetId: "v1" }] }] });
    expect(JSON.stringify(await fleet.listLivePositions())).toBe('[{"assetId":"v1"}]');
  });
});

describe("a response in strict mode", () => {
  it.each(rows)("$what", async ({ read = "positions", body, gives, drift = [] }) => {
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
  it.each<{ read: keyof typeof reads; body: unknown }>([
    ...[{}, { items: [] }, "text", 5, null, true].map((body) => ({ read: "positions" as const, body: JSON.stringify(body) })),
    ...[[], [{}], "text", 5, null].map((body) => ({ read: "faults" as const, body: JSON.stringify(body) })),
    ...[[], {}, { count: 1 }, { count: 1, data: null }, { count: 1, data: {} }, { data: "x" }].map((body) => ({
      read: "activities" as const,
      body: JSON.stringify(body),
    })),
    ...[[], [{ id: "g1" }], "g1", null].map((body) => ({ read: "group" as const, body: JSON.stringify(body) })),
  ])("$read: $body", async ({ read, body }) => {
    const { fleet } = await fleetUnderTest({ api: [{ body }] });
    const error = await failure(reads[read](fleet));
    expect(error).toMatchObject({ code: "contract", status: 200 });
    expect(error.message).toContain("overall shape");
  });
});

describe("an undocumented response is passed through", () => {
  it.each([[[1, { a: null }]], [{ jobs: [] }], ["text"], [5], [null], [false]])("%j", async (body) => {
    const { fleet, drift } = await fleetUnderTest({ api: [{ body: JSON.stringify(body) }], validation: "strict" });
    expect(await fleet.listJobs()).toEqual(body);
    expect(await fleet.listTireEvents()).toEqual(body);
    expect(drift).toEqual([]);
  });
});

describe("names that mean something to JavaScript", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "%s is a field like any other that is not documented",
    async (name) => {
      const { fleet, drift } = await fleetUnderTest({ api: [{ body: `[{"${name}":{"polluted":true},"assetId":"v1"}]` }] });
      const [position] = await fleet.listLivePositions();
      expect(JSON.stringify(position)).toBe(`{"${name}":{"polluted":true},"assetId":"v1"}`);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      expect(Object.getPrototypeOf(position)).toBe(Object.prototype);
      expect(drift[0]?.drift).toEqual([{ path: `$[*].${name}`, kind: "unknown field", count: 1 }]);
    },
  );
});
