import { describe, expect, it } from "vitest";
import { cannedFleet } from "./canned-fleet.ts";
import { fleetUnderTest } from "./fleet-under-test.ts";
import { faultPages, type Script, servedFleet, tachoRecords } from "./served-fleet.ts";

type Args = Record<string, unknown>;

const TIMES = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z" };

const SCRIPT: Script = {
  listLivePositions: () => ({ body: cannedFleet() }),
  ...faultPages([{ id: "v1", make: "MAN", faults: [{ code: "P1", details: { source: "Engine", occurrenceCount: 3, lamps: ["MIL"] } }] }]),
  ...tachoRecords([
    { driverId: "p1", driverKey: "D1", activities: [{ assetId: "t1", activity: "DRIVING", distance: 12.5, startLatitude: 45.7 }] },
  ]),
  listJobs: () => ({ body: { jobs: [{ jobNumber: "J1", title: "Deliver", place: { lat: 1, lng: 2 } }] } }),
  listTireEvents: () => ({ body: [{ eventId: "t1", readings: [{ axle: 1, kilopascals: 800 }] }] }),
};

const positions = (body: unknown): Script => ({ listLivePositions: () => ({ body }) });

/** The column line of a list, from a service that is scripted or, for other tools, from the sandbox. */
const columnsIn = (text: string) => text.split("\n")[1];

describe("fields", () => {
  it.each<[tool: string, args: Args, fields: string[] | string, columns: string, first?: object]>([
    ["list_live_positions", {}, ["assetName", "odometer", "energyType"], "assetName | odometer | energyType", { assetName: "Crane" }],
    ["list_live_positions", {}, "odometer", "assetName | odometer"],
    ["list_live_positions", {}, ["fuel"], "assetName | fuelType | fuelLevelLitres | fuelLevelPercentage"],
    ["list_vehicle_faults", {}, ["code", "make", "lamps"], "code | make | lamps", { code: "P1", make: "MAN", lamps: ["MIL"] }],
    ["query_tacho_activity", TIMES, ["distance"], "driver | distance", { distance: 12.5 }],
    ["list_jobs", {}, ["title", "place"], "title | place", { title: "Deliver", place: { lat: 1, lng: 2 } }],
    ["list_tire_events", {}, ["readings", "eventId"], "readings | eventId", { readings: [{ axle: 1, kilopascals: 800 }] }],
  ])("%s %j shows %j and what names a row, and the usual ones without any", async (tool, args, fields, columns, first = {}) => {
    const { text, record } = await servedFleet({ script: SCRIPT });
    expect((await record(tool, { ...args, fields })).items[0]).toMatchObject(first);
    expect(columnsIn(await text(tool, { ...args, fields }))).toBe(columns);
    expect(await record(tool, { ...args, fields: [] })).toEqual(await record(tool, args));
  });

  it.each([
    ["list_live_positions", {}, ["height"], ["assetName", "odometer"]],
    ["list_tire_events", {}, ["a|b\nc"], ["eventId", "readings"]],
  ])("%s refuses unknown ones and lists those that exist", async (tool, args, fields, known) => {
    const [said, choices = ""] = (await (await servedFleet({ script: SCRIPT })).failure(tool, { ...args, fields })).split("Choose from ");
    expect(said).toMatch(/^input: fields: no such field: [\w¦, ]+\. Next: $/);
    expect(choices.split(/[, .]+/)).toEqual(expect.arrayContaining(known));
  });

  it.each<[tool: string, args: Args, shown: string]>([
    ["list_live_positions", { fields: "bogus,speed" }, "No such field: bogus; existing ones: "],
    ["find_nearest_vehicles", { to: "truck 12", fields: "km,color" }, "No such field: color; existing ones: assetId, assetName"],
    ["driver_hours", { fields: "leftTomorrow" }, "no such field: leftTomorrow. Next: Choose from leftNow, leftToday, "],
    ["summarize_driver_activity", { period: "yesterday", fields: "driver,driving" }, "\ndriver | driving\n"],
    ["query_tacho_activity", { period: "yesterday", fields: "driver,latitude" }, "\ndriver | startLatitude | endLatitude\n"],
  ])("%s %j shows those that exist and names the others", async (tool, args, shown) => {
    const { tools } = await fleetUnderTest();
    expect((await tools.call(tool, { limit: 3, ...args })).text).toContain(shown);
  });
});

describe("the columns shown without fields are", () => {
  const same = { assetType: "VAN", speed: 50 };
  const fleet = [
    { assetName: "A", city: "Lyon", ...same },
    { assetName: "B", city: "Ulm", ...same },
  ];

  it.each<[why: string, args: Args, body: object[], columns: string]>([
    ["those that have values", {}, [{ assetName: "Van", speed: 0 }], "assetName | speed"],
    ["those in conditions", { where: "odometer>1" }, [{ assetName: "Van", speed: 0, odometer: 5 }], "assetName | speed | odometer"],
    ["without one that a condition gives a single value", { where: "city=Lyon" }, fleet, "assetName | speed"],
    ["with one that a condition gives several values", { where: "city=Lyon|Ulm" }, fleet, "assetName | speed | city"],
  ])("%s", async (_, args, body, columns) => {
    const { text } = await servedFleet({ script: positions(body) });
    const shown = columnsIn(await text("list_live_positions", args))?.split(" | ");
    expect(shown?.toSorted()).toEqual(columns.split(" | ").toSorted());
  });

  it.each([
    ["list_vehicle_faults", {}, "Not shown: lamps, occurrenceCount; request them as fields."],
    ["list_vehicle_faults", { where: "lamps=red" }, "Not shown: startDate, occurrenceCount; request them as fields."],
    ["list_vehicle_faults", { limit: 1, where: "code=none" }, ""],
  ])("few, and the others are named: %s %j", async (tool, args, note) => {
    const { tools } = await fleetUnderTest();
    const { text } = await tools.call(tool, { limit: 3, ...args });
    expect(text.includes("Not shown")).toBe(note !== "");
    expect(text).toContain(note);
  });

  it.each([
    ["all on the page are", {}, "All shown: inProgress true.", ["startDate"]],
    ["some are", { where: "moving=true" }, "", ["startDate", "inProgress"]],
    ["a condition says so", { where: "inProgress=true" }, "Where inProgress=true.", ["startDate"]],
  ])("without whether faults are open if %s", async (_, args, note, last) => {
    const { tools } = await fleetUnderTest();
    const { text } = await tools.call("list_vehicle_faults", { limit: 3, ...args });
    expect(text).toContain(note);
    expect(text.includes("All shown")).toBe(note.startsWith("All shown"));
    expect(columnsIn(text)).toBe(["assetName", "code", "description", ...last].join(" | "));
  });
});

describe("the table", () => {
  it("has one line per row and a bar between cells, whatever the text contains", async () => {
    const hostile = { assetName: "a | b\nTruck 12 | c\u2028", city: "\u001b[2J\u0007x", assetId: "v1" };
    const { text, record } = await servedFleet({ script: positions([hostile, { assetName: "", city: null }]) });
    const args = { fields: ["assetName", "city", "assetId"] };
    expect(await text("list_live_positions", args)).toBe(
      ["2 of 2 vehicles.", "assetName | city | assetId", "- | - | -", "a ¦ b Truck 12 ¦ c | [2J x | v1"].join("\n"),
    );
    expect((await record("list_live_positions", args)).items).toEqual([
      { assetName: "" },
      { assetName: "a | b Truck 12 | c\\u{2028}", city: "\\u{1b}[2J\\u{7}x", assetId: "v1" },
    ]);
  });

  it("has units in its note, ages of times and compass points of degrees, in the record too", async () => {
    const row = { assetName: "Van 1", date: "2026-11-20T08:30:00Z", speed: 61.4, heading: 359.6, odometer: 12 };
    const other = { ...row, assetName: "Van 2", date: "soon", heading: 92 };
    const { text, record } = await servedFleet({ script: positions([row, other]) });
    const note = "Times in UTC, now 2026-11-20 08:34. Units: speed km/h, heading degrees, odometer km.";
    expect((await text("list_live_positions", { fields: Object.keys(row) })).split("\n")).toEqual([
      `2 of 2 vehicles. ${note}`,
      "assetName | date | speed | heading | odometer",
      "Van 1 | 2026-11-20 08:30 (4 min ago) | 61.4 | 359.6 (N) | 12",
      "Van 2 | soon | 61.4 | 92 (E) | 12",
    ]);
    expect(await record("list_live_positions", { fields: Object.keys(row) })).toMatchObject({
      note,
      items: [
        { ...row, age: "4 min ago", direction: "N" },
        { ...other, direction: "E" },
      ],
    });
  });
});
