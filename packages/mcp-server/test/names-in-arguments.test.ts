import { describe, expect, it } from "vitest";
import { faultPages, type Script } from "../../tools/test/fleet-service.ts";
import { errorOf, questionOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const vehicle = (assetId: string, assetName: string, group: string, driver: [string, string, string]) => ({
  ...{ assetId, assetName, assetRegistration: `REG ${assetId.toUpperCase()}`, assetGroupId: group, assetGroupName: `${group} vans` },
  ...{ driverId: driver[0], driverName: driver[1], driverGroupId: driver[2], driverGroupName: `${driver[2]} vans` },
});

const FLEET = [
  vehicle("v12", "Truck 12", "south", ["p1", "Anna Keller", "south"]),
  vehicle("v112", "Truck 112", "north", ["p2", "Karl Ås", "north"]),
  vehicle("v7", "Van 7", "south", ["p3", "Mia Rossi", "south"]),
];
const SOLD = { ...vehicle("v99", "Van 99", "north", ["p9", "Otto Alt", "north"]), status: "SOLD" };

const script: Script = {
  listLivePositions: ({ url }) => ({ body: url.searchParams.get("showAllVehicleStatus") === "true" ? [...FLEET, SOLD] : FLEET }),
  ...faultPages([{ id: "v12", assetName: "Truck 12", faults: [{ code: "P0401" }] }]),
  createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }),
  updateGroup: ({ body }) => ({ body }),
};

// Two vehicles and two drivers with the same name, a group without a name, and a driver without an id.
const ODD: Script = {
  listLivePositions: () => ({
    body: [
      vehicle("e1", "Twin", "east", ["p10", "Max Doppel", "east"]),
      vehicle("w1", "Twin", "west", ["p11", "Max Doppel", "east"]),
      vehicle("e2", "Plain", "east", ["p12", "Lea Solo", "east"]),
      { assetId: "o1", assetName: "Odd one", assetGroupId: "nameless", driverName: "Cora Ohneid" },
    ],
  }),
};

const serve = (env: Record<string, string> = {}, over: Script = {}) =>
  serverUnderTest({ script: { ...script, ...over }, env: { FLEET_TIME_ZONE: "Europe/Paris", ...env } });
const PLACE = { address: "Quai Perrache 10, Lyon" };

describe("list_vehicle_faults", () => {
  it("accepts a vehicle by name or registration, a group by name, and a period in words", async () => {
    const { call, service } = await serve();
    const result = await call("list_vehicle_faults", { vehicle: "truck 12", group: "the north vans", period: "this week" });
    const [request] = service.of("listVehicleFaults");
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toMatchObject({
      vehicleId: "v12",
      groupId: "north",
      startDate: "2026-11-15T23:00:00",
      endDate: "2026-11-22T23:00:00",
    });
    const { note, total, vehicles } = structuredOf(result);
    expect([total, vehicles]).toEqual([1, 1]);
    for (const part of ["Only Truck 12 (REG V12).", "this week in Europe/Paris", "service due dates"]) {
      expect(note).toContain(part);
      expect(textOf(result)).toContain(part);
    }
  });

  it("finds sold vehicles too, and still accepts ids and times", async () => {
    const { call, service } = await serve();
    await call("list_vehicle_faults", { vehicle: "REG V99" });
    await call("list_vehicle_faults", { vehicleId: "v1", startDate: "2026-11-01T00:00:00Z" });
    expect(service.of("listVehicleFaults").map(({ url }) => url.searchParams.get("vehicleId"))).toEqual(["v99", "v1"]);
    expect(service.of("listLivePositions")).toHaveLength(1);
  });

  it("asks which vehicle is meant, and sends nothing", async () => {
    const { call, service } = await serve();
    expect(questionOf(await call("list_vehicle_faults", { vehicle: "truck" }))).toMatch(
      /Truck 12 \(REG V12\).*; Truck 112 \(REG V112\).*\?/,
    );
    expect(service.of("listVehicleFaults")).toEqual([]);
  });
});

describe("update_group", () => {
  it("adds by name to the known members, including sold vehicles", async () => {
    const { call, service } = await serve();
    const result = await call("update_group", { group: "North vans", vehicles: ["van 7", "v12"], drivers: "anna keller" });
    expect(service.of("updateGroup").map(({ body }) => body)).toEqual([
      { id: "north", vehicleIds: ["v112", "v99", "v7", "v12"], personIds: ["p2", "p9", "p1"] },
    ]);
    expect(textOf(result)).toMatch(/^Group updated\. Members are known from live positions only; if lists replace/);
  });

  it("replaces the members if asked to, and moves the group below a parent by name", async () => {
    const { call, service } = await serve();
    await call("update_group", { group: "north vans", parent: "South vans", vehicles: ["Van 7"], drivers: ["p3"], replace: true });
    expect(service.of("updateGroup").map(({ body }) => body)).toEqual([
      { id: "north", parentId: "south", vehicleIds: ["v7"], personIds: ["p3"] },
    ]);
  });

  it("sends no list that was not requested", async () => {
    const { call, service } = await serve();
    await call("update_group", { group: "north vans", name: "Northern vans" });
    await call("update_group", { id: "north", vehicles: ["Van 7"] });
    expect(service.of("updateGroup").map(({ body }) => body)).toEqual([
      { id: "north", name: "Northern vans" },
      { id: "north", vehicleIds: ["v112", "v99", "v7"] },
    ]);
  });

  it("accepts pseudonyms if names are hidden", async () => {
    const { call, service } = await serve({ FLEET_DRIVER_NAMES: "hide" });
    const { vehicle: located } = structuredOf(await call("locate_vehicle", { query: "truck 12" }));
    await call("update_group", { group: "north vans", drivers: [located.driverName] });
    expect(service.of("updateGroup")[0]?.body.personIds).toEqual(["p2", "p9", "p1"]);
    expect(questionOf(await call("update_group", { group: "north vans", drivers: ["Anna Keller"] }))).toMatch(/ as drivers\.$/);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["group and id", { group: "north vans", id: "north" }, /Pass only one/],
    ["a list and names", { group: "north vans", vehicleIds: ["v1"], vehicles: ["van 7"] }, /Pass only one/],
    ["parent and its id", { group: "north vans", parent: "south vans", parentId: "south" }, /Pass only one/],
    ["replacing by nothing", { group: "north vans", replace: true }, /Pass the members to keep or add/],
  ])("sends nothing for %s", async (_, args, expected) => {
    const { call, service } = await serve();
    expect(errorOf(await call("update_group", args))).toMatch(expected);
    expect(service.of("updateGroup")).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    [
      "a typo in a name",
      { group: "north vans", vehicles: ["truk 12"] },
      /^No vehicle matches "truk 12"\. Did you mean Truck 12 \(REG V12\).*\?/,
    ],
    ["a typo in the group", { group: "nort vans", name: "x" }, /^No group matches .* Did you mean north vans \(north\)\?/],
    ["several", { group: "vans", name: "x" }, /^2 groups match "vans".* as group\./],
    ["a typo in the parent", { group: "north vans", parent: "sout vans" }, /^No group matches "sout vans".* as parent\./],
  ])("asks, and sends nothing, for %s", async (_, args, expected) => {
    const { call, service } = await serve();
    const question = questionOf(await call("update_group", args));
    expect(question).toMatch(expected);
    expect(question).toContain("Nothing was sent. Ask the user, then call again");
    expect(service.of("updateGroup")).toEqual([]);
  });
});

describe("names in create_job are checked against the fleet", () => {
  it("and are sent as the fleet spells them", async () => {
    const { call, service } = await serve();
    await call("create_job", { ...PLACE, vehicleName: "TRUCK-12", personName: "keller, anna", groupName: "South Vans" });
    expect(service.of("createJob")[0]?.body).toMatchObject({ vehicleName: "Truck 12", personName: "Anna Keller", groupName: "south vans" });
  });

  it("a registration is replaced by the vehicle's name", async () => {
    const { call, service } = await serve();
    await call("create_job", { ...PLACE, vehicleName: "REG V7" });
    expect(service.of("createJob")[0]?.body).toMatchObject({ vehicleName: "Van 7" });
  });

  it("a pseudonym is replaced by the driver's id", async () => {
    const { call, service } = await serve({ FLEET_DRIVER_NAMES: "hide" });
    const { vehicle: located } = structuredOf(await call("locate_vehicle", { query: "truck 12" }));
    await call("create_job", { ...PLACE, personName: located.driverName });
    expect(service.of("createJob")[0]?.body).toMatchObject({ personId: "p1" });
    expect(service.of("createJob")[0]?.body).not.toHaveProperty("personName");
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["an unknown vehicle", { vehicleName: "Truck 13" }, /^No vehicle matches "Truck 13"\. Did you mean one of these: .*Truck 1\d? .*\?/],
    ["a slip", { vehicleName: "truk 12" }, /^No vehicle matches .* Did you mean Truck 12 \(REG V12\).*\?/],
    ["a sold vehicle", { vehicleName: "Van 99" }, /^No vehicle matches "Van 99"\. Van 99 .*is sold\./],
    ["several", { vehicleName: "truck" }, /^2 vehicles match "truck"\. Which one: /],
    ["an unknown driver", { personName: "Zeppelin" }, /^No driver matches .*pass personId\.$/],
    ["a typo in a group", { groupName: "nort vans" }, /^No group matches .* Did you mean north vans \(north\)\?/],
  ])("and nothing is sent for %s", async (_, names, expected) => {
    const { call, service } = await serve();
    const question = questionOf(await call("create_job", { ...PLACE, ...names }));
    expect(question).toMatch(expected);
    expect(question).toContain("Nothing was sent. Ask the user, then call again");
    expect(service.of("createJob")).toEqual([]);
  });

  it("except for an empty group, or if the fleet cannot be read, which the result says", async () => {
    const { call, service } = await serve();
    const unknown = await call("create_job", { ...PLACE, groupName: "Paris depot" });
    service.script = { ...service.script, listLivePositions: () => ({ status: 503 }) };
    const unread = await call("create_job", { ...PLACE, vehicleName: "Truck 500" });
    const dry = await call("create_job", { ...PLACE, vehicleName: "Truck 500", dryRun: true });
    expect(service.of("createJob").map(({ body }) => body.groupName ?? body.vehicleName)).toEqual(["Paris depot", "Truck 500"]);
    for (const [result, expected] of [
      [unknown, "groupName: no vehicle or driver is in a group with this name, so it was not checked."],
      [unread, "vehicleName: not checked, as the fleet could not be read."],
      [dry, "vehicleName: not checked, as the fleet could not be read."],
    ] as const) {
      expect(textOf(result)).toContain(expected);
      expect(structuredOf(result).note).toContain(expected);
    }
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a name shared by two vehicles", { vehicleName: "REG E1" }, /“Twin \(REG E1\)” is not a unique name.*Pass vehicleId e1 instead/],
    ["a group without a name", { groupName: "nameless" }, /^input: groupName: “nameless” is not a unique name/],
  ])("and nothing is sent for %s", async (_, names, expected) => {
    const { call, service } = await serve({}, ODD);
    expect(errorOf(await call("create_job", { ...PLACE, ...names }))).toMatch(expected);
    expect(service.of("createJob")).toEqual([]);
  });

  it("nor for a group name instead of its only vehicle", async () => {
    const { call, service } = await serve({}, ODD);
    expect(questionOf(await call("create_job", { ...PLACE, vehicleName: "west vans" }))).toMatch(/Did you mean Twin \(REG W1\).*\?/);
    expect(service.of("createJob")).toEqual([]);
  });

  it("a driver with a shared name is sent by id, and an empty name is left out", async () => {
    const { call, service } = await serve({}, ODD);
    await call("create_job", { ...PLACE, personName: "p11" });
    await call("create_job", { ...PLACE, personName: "", vehicleName: "odd one" });
    const [byId, empty] = service.of("createJob").map(({ body }) => body);
    expect([byId.personId, byId.personName]).toEqual(["p11", undefined]);
    expect([empty.personName, empty.vehicleName]).toEqual([undefined, "Odd one"]);
  });
});

describe("a driver without an id", () => {
  it("is in no list, total or job under a pseudonym: nothing is sent for them", async () => {
    const shown = await serve({}, ODD);
    expect(errorOf(await shown.call("update_group", { id: "east", drivers: ["Cora Ohneid"] }))).toMatch(
      /^input: drivers: the live positions have no id for “Cora Ohneid”\. This call sent nothing/,
    );
    expect(errorOf(await shown.call("summarize_driver_activity", { period: "yesterday", driver: "cora" }))).toMatch(
      /^input: driver: the live positions have no id for “Cora Ohneid”/,
    );
    expect(shown.service.received.every(({ operation }) => operation === "listLivePositions")).toBe(true);

    const hidden = await serve({ FLEET_DRIVER_NAMES: "hide" }, ODD);
    const { vehicle: located } = structuredOf(await hidden.call("locate_vehicle", { query: "odd one" }));
    expect(errorOf(await hidden.call("create_job", { ...PLACE, personName: located.driverName }))).toMatch(
      /^input: personName: the live positions have no id for “Driver \w{10}”\. This call sent nothing/,
    );
    hidden.service.script = { ...hidden.service.script, listLivePositions: () => ({ status: 403 }) };
    expect(errorOf(await hidden.call("create_job", { ...PLACE, personName: located.driverName }))).toMatch(/^forbidden: /);
    expect(hidden.service.of("createJob")).toEqual([]);
  });
});
