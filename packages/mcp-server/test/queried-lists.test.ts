import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { faultPages, type Script } from "../../tools/test/fleet-service.ts";
import { rawSandbox } from "./raw-sandbox.ts";
import { errorOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const vehicle = (assetId: string, assetName: string, more: object = {}) => ({ assetId, assetName, assetType: "TRUCK", ...more });

const FLEET = [
  vehicle("v1", "Truck 1", {
    speed: 80,
    odometer: 500,
    fuelLevelPercentage: 12,
    city: "Lyon",
    eventType: "driving",
    driverName: "Anna Keller",
    driverId: "p1",
    date: "2026-11-20T08:30:00Z",
  }),
  vehicle("v2", "Truck 2", {
    tags: ["leased"],
    ignitionStatus: "OFF",
    assetGroupName: "North",
    driverGroupName: "South",
    speed: 0,
    odometer: 90_000,
    fuelLevelPercentage: 70,
    city: "Lyon",
    assetRegistration: "AB 12",
  }),
  vehicle("v3", "Van 3", { assetType: "VAN", energyType: "EV", ignitionStatus: "ON", speed: 0, odometer: 7_000, city: "Kassel" }),
];

const SOLD = vehicle("v9", "Car 9", { assetType: "CAR", status: "SOLD" });

const fault = (code: string, startDate: string, more: object = {}) => ({ code, startDate, inProgress: false, ...more });
const ENGINE = { sourceDescription: "Engine control unit" };

const FAULTS = [
  {
    id: "v1",
    assetName: "Truck 1",
    faults: [
      fault("P1", "2026-11-18T06:00:00Z", { inProgress: true, details: { ...ENGINE, lamps: ["RED_STOP"] } }),
      fault("P2", "2026-11-02T06:00:00Z", { endDate: "2026-11-03T06:00:00Z", details: { lamps: ["AMBER"] } }),
    ],
  },
  { id: "v3", assetName: "Van 3", faults: [fault("P1", "2026-11-10T06:00:00Z", { inProgress: true, details: ENGINE })] },
];

const JOBS = [
  { jobNumber: "J1", status: "NEW", vehicleId: "v1", scheduledStartDateTime: "2026-11-20T07:00Z" },
  { jobNumber: "J2", status: "ASSIGNED", vehicleName: "Truck 2", personName: "Anna Keller", scheduledStartDateTime: "2026-11-21T07:00Z" },
  { jobNumber: "J3", status: "NEW", registration: "AB-12", clientName: "Truck 1" },
];

const SCRIPT: Script = {
  listLivePositions: ({ url }) => ({ body: url.searchParams.has("showAllVehicleStatus") ? [...FLEET, SOLD] : FLEET }),
  ...faultPages(FAULTS),
  listJobs: () => ({ body: { jobs: JOBS } }),
  listTireEvents: () => ({ body: [{ kind: "LOW", vehicleId: "v1", date: "2026-11-19T07:00:00Z" }] }),
};

const env = { FLEET_TIME_ZONE: "UTC" };

async function listed(tool: string, args: Record<string, unknown>) {
  const { call, service } = await serverUnderTest({ script: SCRIPT, env });
  const result = await call(tool, args);
  return { text: textOf(result), ...structuredOf(result), service };
}

const codes = (items: { code: string }[]) => items.map(({ code }) => code);

describe("list_vehicle_faults", () => {
  it.each<[string, Record<string, unknown>, string[], string]>([
    ["the latest first", {}, ["P1", "P1", "P2"], "3 faults of 2 vehicles."],
    ["a page, with the total", { limit: 1 }, ["P1"], "1 of 3 faults; all 3 are of 2 vehicles."],
    ["open ones", { where: "inProgress=true" }, ["P1", "P1"], "2 faults of 2 vehicles."],
    ["open ones, as a word", { where: "open" }, ["P1", "P1"], "Where inProgress=true."],
    ["open ones with the red lamp", { where: "open, lamps=red" }, ["P1"], "lamps=red matched: “RED_STOP”"],
    ["open ones, in other words", { where: { open: true } }, ["P1", "P1"], "Where inProgress=true."],
    ["the red lamp", { where: "lamps=red" }, ["P1"], "lamps=red matched: “RED_STOP”"],
    ["a lamp that no fault lights", { where: "lamps=blue" }, [], "No lamps matches “blue”. Values: “AMBER, RED_STOP”"],
    ["by the vehicle's type", { where: "open=true, assetType=truck, sourceDescription=engine" }, ["P1"], "1 fault of 1 vehicle."],
    ["by several vehicles", { vehicle: "truck 1 and van 3" }, ["P1", "P1", "P2"], "Only Truck 1 (v1), Van 3 (v3)."],
    [
      "active in a period",
      { period: "2026-11-15/2026-11-19" },
      ["P1", "P1"],
      "Active in it, even if begun earlier; begun=true leaves those out.",
    ],
    ["begun in a period", { period: "2026-11-15/2026-11-19", begun: true }, ["P1"], "Only those begun in it."],
    ["whenever begun, without a period", { begun: true }, ["P1", "P1", "P2"], "begun has no effect without a period."],
    ["begun in a period, as a condition", { where: "startDate=2026-11-18" }, ["P1"], "1 fault of 1 vehicle."],
    ["oldest first", { sort: "startDate" }, ["P2", "P1", "P1"], "3 faults of 2 vehicles."],
  ])("lists %s", async (_, args, expected, sentence) => {
    const { items, text, note, total, service } = await listed("list_vehicle_faults", { fields: "code", ...args });
    expect(codes(items)).toEqual(expected);
    expect(text).toContain(sentence);
    if (total === 0) expect(note).toContain(sentence);
    expect(service.of("listVehicleFaults").length).toBeGreaterThan(0);
  });

  it("shows code and lamps of a short list, and otherwise names the vehicles whose red lamp is lit", async () => {
    const columns = async (args: object) => (await listed("list_vehicle_faults", { ...args })).text.split("\n");
    expect((await columns({ where: "open" }))[1]).toBe("assetName | code | startDate | lamps");
    expect((await columns({ period: "2026-11-01/2026-11-19" }))[1]).toContain("endDate");
    const [first] = await columns({ where: "open", fields: "code" });
    expect(first).toContain("Red stop lamp: Truck 1.");
  });

  it.each([
    [{ fields: "code,endDate" }, true],
    [{ fields: "code,endDate", vehicle: "van 3" }, true],
    [{ fields: "code,endDate,inProgress" }, false],
    [{ fields: "code" }, false],
    [{ where: "open" }, false],
  ])("with %j says that faults without an endDate are open: %s", async (args, says) => {
    const { note, text } = await listed("list_vehicle_faults", args);
    expect(`${note} ${text}`.includes("No endDate: still open.")).toBe(says);
  });

  it("counts in place of rows, by vehicle too", async () => {
    expect((await listed("list_vehicle_faults", { count: "code" })).text).toBe(
      "3 faults of 2 vehicles. Counted by code: 2 values.\ncode | faults | vehicles\nP1 | 2 | 2\nP2 | 1 | 1",
    );
    expect((await listed("list_vehicle_faults", { where: "inProgress=true", count: "total" })).text).toBe(
      "2 faults of 2 vehicles. Truck 1, Van 3. Where inProgress=true.",
    );
  });
});

describe("list_live_positions", () => {
  const names = (items: { assetName: string }[]) => items.map(({ assetName }) => assetName);

  it.each<[Record<string, unknown>, string[], string]>([
    [{ sort: "-odometer" }, ["Truck 2", "Van 3", "Truck 1"], "odometer km"],
    [{ sort: "fuel desc" }, ["Truck 2", "Truck 1", "Van 3"], "fuelLevelPercentage %"],
    [{ where: "fuelLevelPercentage<20" }, ["Truck 1"], "Left out without fuelLevelPercentage: 1."],
    [{ where: "moving=true" }, ["Truck 1"], "1 of 1 vehicle."],
    [{ where: "moving" }, ["Truck 1"], "1 of 1 vehicle."],
    [{ where: "city=Lione|kassel & assetType!=VAN" }, ["Truck 1", "Truck 2"], "2 of 2 vehicles."],
    [{ where: "city=lyon|kassel & assetType!=VAN" }, ["Truck 1", "Truck 2"], "2 of 2 vehicles."],
    [{ where: "leased" }, ["Truck 2"], "Where tags=leased."],
    [{ where: "energyType=elektrisch" }, ["Van 3"], "energyType=elektrisch matched: “EV”"],
    [{ where: "ignition=true" }, ["Van 3"], "ignitionStatus=true matched: “ON”"],
    [{ where: "assetType=lkw", sort: "-mileage" }, ["Truck 2", "Truck 1"], "assetType=lkw matched: “TRUCK”"],
    [{ where: "group=North" }, ["Truck 2"], "Where assetGroupName=North."],
    [{ where: "city=Kasel" }, [], "No city matches “Kasel”. Similar: “Kassel”"],
    [{ where: "sold" }, ["Car 9"], "Where status=sold."],
    [{ where: "assetType=truck, fuel<5" }, [], "Of 2 with assetType=truck, 2 have fuelLevelPercentage, from 12 to 70."],
  ])("understands %j", async (args, expected, sentence) => {
    const { items, text } = await listed("list_live_positions", args);
    expect(names(items)).toEqual(expected);
    expect(text).toContain(sentence);
  });

  it("asks the service for names by id, several at a time", async () => {
    const { service } = await listed("list_live_positions", { vehicle: "truck 1, AB 12", driver: "anna" });
    const asked = service
      .of("listLivePositions")
      .map((one: { url: URL }) => ["vehicleIds", "driverIds"].map((name) => one.url.searchParams.get(name)));
    expect(asked).toContainEqual(["v1,v2", "p1"]);
  });

  it("continues a sorted list, and refuses a cursor of another query", async () => {
    const { call } = await serverUnderTest({ script: SCRIPT, env });
    const first = structuredOf(await call("list_live_positions", { sort: "-odometer", limit: 2 }));
    const rest = structuredOf(await call("list_live_positions", { sort: "-odometer", limit: 2, cursor: first.next }));
    expect(names([...first.items, ...rest.items])).toEqual(["Truck 2", "Van 3", "Truck 1"]);
    for (const other of [{}, { sort: "odometer" }, { sort: "-odometer", where: "speed>1" }])
      expect(errorOf(await call("list_live_positions", { ...other, cursor: first.next }))).toMatch(
        /^input: cursor: where, sort or count has changed/,
      );
  });
});

it.each([
  [{ period: "today", startDate: "2026-11-01T00:00Z" }, "period and startDate were both given. Next: Pass only one."],
  [{ period: "today", endDate: "2026-11-01T00:00Z" }, "period and endDate were both given. Next: Pass only one."],
])("one input in two ways is rejected: %j", async (args, message) => {
  const { call } = await serverUnderTest({ script: SCRIPT, env });
  expect(errorOf(await call("list_vehicle_faults", args))).toContain(message);
});

describe("jobs and tire events, whose fields are undocumented", () => {
  const numbers = (items: { jobNumber: string }[]) => items.map(({ jobNumber }) => jobNumber);

  it.each<[Record<string, unknown>, string[], string]>([
    [{ vehicle: "truck 1" }, ["J1"], "Matched on vehicleId."],
    [{ vehicle: "truck 2" }, ["J2", "J3"], "Matched on vehicleName, registration."],
    [{ driver: "anna keller" }, ["J2"], "Matched on personName."],
    [{ period: "today" }, ["J1"], "Period matched on scheduledStartDateTime; 1 job without a readable one left out."],
    [{ where: "jobNumber=J2" }, ["J2"], "1 of 1 job."],
    [{ where: "status=new" }, ["J1", "J3"], "2 of 2 jobs."],
  ])("are found by %j", async (args, expected, sentence) => {
    const { items, text } = await listed("list_jobs", args);
    expect(numbers(items)).toEqual(expected);
    expect(text).toContain(sentence);
  });

  it("are not found by a field that neither they nor the service know", async () => {
    const { call } = await serverUnderTest({ script: SCRIPT, env });
    expect(errorOf(await call("list_jobs", { where: "priority=high" }))).toMatch(
      /^input: where: no such field: priority\. Next: Choose from/,
    );
  });

  it("are continued with all arguments if those named have no id", async () => {
    const jobs = ["J1", "J2"].map((jobNumber) => ({ jobNumber, personName: "Kim Oh" }));
    const script: Script = {
      listLivePositions: () => ({ body: [{ assetId: "v1", driverName: "Kim Oh" }] }),
      listJobs: () => ({ body: jobs }),
    };
    const { call } = await serverUnderTest({ script, env });
    const noteOf = async (args: object) => structuredOf(await call("list_jobs", { limit: 1, ...args })).note ?? "";
    expect(await noteOf({ driver: "kim" })).toContain("For more, repeat all arguments.");
    expect(await noteOf({ driver: "kim", limit: 2 })).not.toContain("repeat all arguments");
    expect(await noteOf({})).not.toContain("repeat all arguments");
  });

  it("are those of the driver's vehicle if they name no driver", async () => {
    const { items, text } = await listed("list_tire_events", { driver: "anna keller" });
    expect(items).toHaveLength(1);
    expect(text).toContain("No events name the driver; matched the vehicle they drive now, on vehicleId.");
  });
});

describe("a row", () => {
  it("costs at most 25 tokens by default, in the text and in the record (rows/queried-rows.ts)", async () => {
    const now = Date.parse("2026-11-20T16:00:00Z");
    const raw = rawSandbox(now);
    const { origin, env: sandboxed } = await raw.sandbox.listen();
    const { call } = await serverUnderTest({ env: { ...sandboxed }, now: () => now });
    expect(origin).toMatch(/^http/);
    for (const jobTitle of ["Collect 4 pallets", "Deliver parcels", "Service visit", "Empty the container", "Collect 2 pallets"])
      await call("create_job", { jobTitle, address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" });
    for (const tool of ["list_live_positions", "list_vehicle_faults", "list_jobs", "list_tire_events"]) {
      const result = await call(tool);
      const { rows } = result.structuredContent as { rows: unknown[][] };
      const lines = textOf(result)
        .split("\n")
        .slice(2, 2 + rows.length);
      const perRow = [lines.join("\n"), JSON.stringify(rows)].map((shown) => countTokens(shown) / rows.length);
      console.log(`${tool}: ${perRow.map((count) => count.toFixed(1)).join(" tokens in the text, ")} in the record`);
      expect(Math.max(...perRow), tool).toBeLessThanOrEqual(25);
    }
    await raw.sandbox.close();
  });
});
