import { describe, expect, it } from "vitest";
import { faultPages, type Script } from "../fleet-service.ts";
import { servedFleet } from "../served-fleet.ts";

type Args = Record<string, unknown>;

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

// Two vehicles and two drivers with the same name, a group without a name, and a driver without an id.
const ODD = [
  vehicle("e1", "Twin", "east", ["p10", "Max Doppel", "east"]),
  vehicle("w1", "Twin", "west", ["p11", "Max Doppel", "east"]),
  vehicle("e2", "Plain", "east", ["p12", "Lea Solo", "east"]),
  { assetId: "o1", assetName: "Odd one", assetGroupId: "nameless", driverName: "Cora Ohneid" },
];

const SCRIPT: Script = {
  ...faultPages([{ id: "v12", assetName: "Truck 12", faults: [{ code: "P0401" }] }]),
  createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }),
  updateGroup: ({ body }) => ({ body }),
};

async function serve(env: Record<string, string> = {}, fleet: readonly object[] = FLEET) {
  const listLivePositions: Script["listLivePositions"] = ({ url }) => ({
    body: url.searchParams.get("showAllVehicleStatus") === "true" ? [...fleet, SOLD] : fleet,
  });
  const served = await servedFleet({ script: { ...SCRIPT, listLivePositions }, env: { FLEET_TIME_ZONE: "Europe/Paris", ...env } });
  const { service, record } = served;
  return {
    ...served,
    /** The bodies of the writes sent. */
    sent: () => [...service.of("createJob"), ...service.of("updateGroup")].map(({ body }) => body),
    pseudonymOf: async (query: string): Promise<string> => (await record("locate_vehicle", { query })).vehicle.driverName,
  };
}

const PLACE = { address: "Quai Perrache 10, Lyon" };
const HIDE = { FLEET_DRIVER_NAMES: "hide" };
const NOTHING_SENT = "Nothing was sent. Ask the user, then call again";

describe("list_vehicle_faults", () => {
  it("accepts a vehicle, a group and a period in words, and says what it took them for", async () => {
    const { text, record, service } = await serve();
    const args = { vehicle: "truck 12", group: "the north vans", period: "this week" };
    const [said, { note, total, vehicles }] = [await text("list_vehicle_faults", args), await record("list_vehicle_faults", args)];
    const [request] = service.of("listVehicleFaults");
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toMatchObject({
      ...{ vehicleId: "v12", groupId: "north", startDate: "2026-11-15T23:00:00", endDate: "2026-11-22T23:00:00" },
    });
    expect([total, vehicles]).toEqual([1, 1]);
    for (const part of ["Only Truck 12 (REG V12).", "this week in Europe/Paris", "service due dates"]) {
      expect(note).toContain(part);
      expect(said).toContain(part);
    }
  });

  it("finds sold vehicles too, accepts ids without reading the fleet, and asks which vehicle is meant", async () => {
    const { text, question, service } = await serve();
    await text("list_vehicle_faults", { vehicle: "REG V99" });
    await text("list_vehicle_faults", { vehicleId: "v1", startDate: "2026-11-01T00:00:00Z" });
    expect(service.of("listLivePositions")).toHaveLength(1);
    expect(await question("list_vehicle_faults", { vehicle: "truck" })).toMatch(/Truck 12 \(REG V12\).*; Truck 112 \(REG V112\).*\?/);
    expect(service.of("listVehicleFaults").map(({ url }) => url.searchParams.get("vehicleId"))).toEqual(["v99", "v1"]);
  });
});

describe("update_group", () => {
  it.each<[what: string, args: Args, sent: Args]>([
    [
      "members added by name to the existing ones, including sold vehicles",
      { group: "North vans", vehicles: ["van 7", "v12"], drivers: "anna keller" },
      { id: "north", vehicleIds: ["v112", "v99", "v7", "v12"], personIds: ["p2", "p9", "p1"] },
    ],
    [
      "members that replace the existing ones, and a parent",
      { group: "north vans", parent: "South vans", vehicles: ["Van 7"], drivers: ["p3"], replace: true },
      { id: "north", parentId: "south", vehicleIds: ["v7"], personIds: ["p3"] },
    ],
    ["no list that was not requested", { group: "north vans", name: "Northern vans" }, { id: "north", name: "Northern vans" }],
    ["one list", { id: "north", vehicles: ["Van 7"] }, { id: "north", vehicleIds: ["v112", "v99", "v7"] }],
  ])("sends %s", async (_, args, body) => {
    const { text, sent } = await serve();
    expect(await text("update_group", args)).toMatch(
      args["vehicles"] && !args["replace"]
        ? /^Group updated\. Members are known from live positions only; if lists replace/
        : /^Group updated/,
    );
    expect(sent()).toEqual([body]);
  });

  it("accepts pseudonyms if names are hidden, and not the names", async () => {
    const { text, question, sent, pseudonymOf } = await serve(HIDE);
    await text("update_group", { group: "north vans", drivers: [await pseudonymOf("truck 12")] });
    expect(await question("update_group", { group: "north vans", drivers: ["Anna Keller"] })).toMatch(/ as drivers\.$/);
    expect(sent()).toMatchObject([{ personIds: ["p2", "p9", "p1"] }]);
  });

  it.each<[args: Args, message: string]>([
    [{ group: "north vans", id: "north" }, "Pass only one"],
    [{ group: "north vans", vehicleIds: ["v1"], vehicles: ["van 7"] }, "Pass only one"],
    [{ group: "north vans", parent: "south vans", parentId: "south" }, "Pass only one"],
    [{ group: "north vans", replace: true }, "Pass the members to keep or add"],
  ])("sends nothing for %j", async (args, message) => {
    const { failure, sent } = await serve();
    expect(await failure("update_group", args)).toContain(message);
    expect(sent()).toEqual([]);
  });

  it.each<[args: Args, asked: RegExp]>([
    [{ group: "north vans", vehicles: ["truk 12"] }, /^No vehicle matches "truk 12"\. Did you mean Truck 12 \(REG V12\).*\?/],
    [{ group: "nort vans", name: "x" }, /^No group matches .* Did you mean north vans \(north\)\?/],
    [{ group: "vans", name: "x" }, /^2 groups match "vans".* as group\./],
    [{ group: "north vans", parent: "sout vans" }, /^No group matches "sout vans".* as parent\./],
  ])("asks, and sends nothing, for %j", async (args, asked) => {
    const { question, sent } = await serve();
    const text = await question("update_group", args);
    expect(text).toMatch(asked);
    expect(text).toContain(NOTHING_SENT);
    expect(sent()).toEqual([]);
  });
});

describe("create_job", () => {
  it.each<[args: Args, sent: Args, fleet?: object[]]>([
    [
      { vehicleName: "TRUCK-12", personName: "keller, anna", groupName: "South Vans" },
      { vehicleName: "Truck 12", personName: "Anna Keller", groupName: "south vans" },
    ],
    [{ vehicleName: "REG V7" }, { vehicleName: "Van 7" }],
    [{ personName: "p11" }, { personId: "p11" }, ODD],
    [{ personName: "", vehicleName: "odd one" }, { vehicleName: "Odd one" }, ODD],
  ])("sends the names %j as %j", async (args, names, fleet) => {
    const { text, sent } = await serve({}, fleet);
    await text("create_job", { ...PLACE, ...args });
    const [{ vehicleName, personName, personId, groupName }] = sent();
    expect({ vehicleName, personName, personId, groupName }).toEqual(names);
  });

  it("sends a driver's id for a pseudonym", async () => {
    const { text, sent, pseudonymOf } = await serve(HIDE);
    await text("create_job", { ...PLACE, personName: await pseudonymOf("truck 12") });
    expect(sent()).toMatchObject([{ personId: "p1" }]);
    expect(sent()[0]).not.toHaveProperty("personName");
  });

  it.each<[args: Args, asked: RegExp, fleet?: object[]]>([
    [{ vehicleName: "Truck 13" }, /^No vehicle matches "Truck 13"\. Did you mean one of these: .*Truck 1\d? .*\?/],
    [{ vehicleName: "truk 12" }, /^No vehicle matches .* Did you mean Truck 12 \(REG V12\).*\?/],
    [{ vehicleName: "Van 99" }, /^No vehicle matches "Van 99"\. Van 99 .*is sold\./],
    [{ vehicleName: "truck" }, /^2 vehicles match "truck"\. Which one: /],
    [{ personName: "Zeppelin" }, /^No driver matches .*pass personId\.$/],
    [{ groupName: "nort vans" }, /^No group matches .* Did you mean north vans \(north\)\?/],
    // A group, even of one vehicle, is not that vehicle.
    [{ vehicleName: "west vans" }, /^No vehicle matches .* Did you mean Twin \(REG W1\).*\?/, ODD],
  ])("asks, and sends nothing, for %j", async (names, asked, fleet) => {
    const { question, sent } = await serve({}, fleet);
    const text = await question("create_job", { ...PLACE, ...names });
    expect(text).toMatch(asked);
    expect(text).toContain(NOTHING_SENT);
    expect(sent()).toEqual([]);
  });

  it.each<[args: Args, message: RegExp]>([
    [{ vehicleName: "REG E1" }, /“Twin \(REG E1\)” is not a unique name.*Pass vehicleId e1 instead/],
    [{ groupName: "nameless" }, /^input: groupName: “nameless” is not a unique name/],
  ])("rejects names that are not unique: %j", async (names, message) => {
    const { failure, sent } = await serve({}, ODD);
    expect(await failure("create_job", { ...PLACE, ...names })).toMatch(message);
    expect(sent()).toEqual([]);
  });

  it("sends an unchecked name of an empty group, or if the fleet cannot be read, and says so", async () => {
    const { call, service, sent } = await serve();
    const unknown = await call("create_job", { ...PLACE, groupName: "Paris depot" });
    service.script.listLivePositions = () => ({ status: 503 });
    const unread = await call("create_job", { ...PLACE, vehicleName: "Truck 500" });
    const dry = await call("create_job", { ...PLACE, vehicleName: "Truck 500", dryRun: true });
    expect(sent().map(({ groupName, vehicleName }) => groupName ?? vehicleName)).toEqual(["Paris depot", "Truck 500"]);
    for (const [result, expected] of [
      [unknown, "groupName: no vehicle or driver is in a group with this name, so it was not checked."],
      [unread, "vehicleName: not checked, as the fleet could not be read."],
      [dry, "vehicleName: not checked, as the fleet could not be read."],
    ] as const) {
      expect(result.text).toContain(expected);
      expect(result.structured).toMatchObject({ note: expect.stringContaining(expected) });
    }
  });
});

it("nothing is sent for a driver without an id, nor for a pseudonym that cannot be translated", async () => {
  const shown = await serve({}, ODD);
  for (const [tool, args] of [
    ["update_group", { id: "east", drivers: ["Cora Ohneid"] }],
    ["summarize_driver_activity", { period: "yesterday", driver: "cora" }],
  ] as const)
    expect(await shown.failure(tool, args)).toMatch(/^input: drivers?: the live positions have no id for “Cora Ohneid”/);
  expect(shown.service.received.every(({ operation }) => operation === "listLivePositions")).toBe(true);

  const hidden = await serve(HIDE, ODD);
  const job = { ...PLACE, personName: await hidden.pseudonymOf("odd one") };
  expect(await hidden.failure("create_job", job)).toMatch(
    /^input: personName: the live positions have no id for “Driver \w{10}”\. This call/,
  );
  hidden.service.script.listLivePositions = () => ({ status: 403 });
  expect(await hidden.failure("create_job", job)).toMatch(/^forbidden: /);
  expect(hidden.sent()).toEqual([]);
});
