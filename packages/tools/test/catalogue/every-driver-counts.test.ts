import { describe, expect, it } from "vitest";
import { did, type Entry, servePast, vehicle } from "./the-past.ts";

type Args = Record<string, unknown>;

const LINZ = { assetGroupId: "g1", assetGroupName: "Linz Trucks" };
const GRAZ = { assetGroupId: "g2", assetGroupName: "Graz Trucks" };
const ANA = vehicle("v1", { ...LINZ, driverId: "p1", driverName: "Ana Ruiz" });
const OTHERS = [vehicle("v2", { ...GRAZ, driverId: "p2", driverName: "Bo Tanaka" }), vehicle("v3", LINZ)];
const FLEET = [ANA, ...OTHERS];

/** A full driver key has 16 characters; the last two count renewals of the card. */
const [OLD, NEW, OTHER] = ["DF00000000000100", "DF00000000000101", "DF00000000000200"];
const of = (driverId: string | undefined, driverKey: string | undefined, activities: string): Entry => ({
  ...{ driverId, driverKey, activities: did(activities) },
});
const ENTRIES = [
  of("p1", NEW, "drive 06:00-10:00"),
  of(undefined, OLD, "drive 11:00-14:00 v2"),
  of("p2", OTHER, "drive 00:00-04:00 v2; drive 05:00-06:00 v3"),
  of("pm19x8k2q1", "DF00000000000300", "drive 07:00-19:00 v3"),
  { driverKey: "DF00000000000400", activities: did("drive 19:00-20:00 v-").map((one) => ({ ...one, assetRegistration: "reg-v1" })) },
  of("p5", "DF00000000000500", "drive 20:00-21:00 v2"),
  of("p6", "DF00000000000600", "drive 07:00-08:00 v9"),
  of("p7", "DF00000000000700", "drive 08:00-09:00 v9"),
];

const serve = (entries: readonly Entry[] = ENTRIES, vehicles: readonly object[] = FLEET) => servePast(entries, { vehicles });
const PERIOD = { period: "2026-11-19" };
const LISTS: [tool: string, args: Args][] = [
  ["summarize_driver_activity", { ...PERIOD, fields: ["driver"] }],
  ["driver_hours", { fields: ["driver"] }],
  ["query_tacho_activity", { ...PERIOD, fields: ["driver"] }],
];
const driversIn = (items: { driver: string }[]) => [...new Set(items.map(({ driver }) => driver))].sort();

describe("the hours under a renewed card, in another vehicle,", () => {
  it.each(["Ana Ruiz", "p1", OLD, NEW, `id ${OLD}`])("count for %s", async (driver) => {
    const args = { ...PERIOD, driver, fields: ["driver", "driving", "driverKey"] };
    const { items } = await (await serve()).record("summarize_driver_activity", args);
    expect(items).toEqual([{ driver: "Ana Ruiz", driving: "7:00", driverKey: [NEW, OLD] }]);
  });

  it.each<Args>([{}, { driver: "Ana Ruiz" }, { group: "Linz Trucks" }])("count in every list of %j", async (args) => {
    const { record } = await serve();
    const ownOf = async (tool: string, more: Args) =>
      (await record(tool, { ...args, ...more })).items.find(({ driver }: { driver: string }) => driver === "Ana Ruiz");
    expect(await ownOf("summarize_driver_activity", { ...PERIOD, fields: ["driver", "driving"] })).toMatchObject({ driving: "7:00" });
    const { drivenWeek } = await ownOf("driver_hours", { fields: ["driver", "drivenWeek"] });
    expect(drivenWeek).toMatch(/^7:00/);
  });

  it("are listed", async () => {
    const args = { ...PERIOD, driver: "Ana Ruiz", fields: ["driverKey", "assetId"] };
    expect((await (await serve()).record("query_tacho_activity", args)).items).toMatchObject([
      { driverKey: NEW, assetId: "v1" },
      { driverKey: OLD, assetId: "v2" },
    ]);
  });
});

// Each entry, as id and key, is an hour of driving.
it.each<[why: string, entries: string[], hours: string[]]>([
  ["the same id", [`d1 ${OLD}`, `d2 ${OTHER}`, "d1 "], ["1:00", "2:00"]],
  ["the same id and another card", [`d1 ${OLD}`, `d1 ${OTHER}`], ["2:00"]],
  ["a renewed card", [` ${OLD}`, ` ${NEW}`, ` ${OTHER}`], ["1:00", "2:00"]],
  ["nothing, if their ids differ,", [`d1 ${OLD}`, `d2 ${NEW}`], ["1:00", "1:00"]],
  ["nothing, if their ids differ, with their card only,", [`d1 ${OLD}`, `d2 ${NEW}`, ` ${OLD}`], ["1:00", "1:00", "1:00"]],
  ["an entry that connects two others", [`d1 ${OTHER}`, ` ${OLD}`, `d1 ${NEW}`], ["3:00"]],
  ["keys that are no full ones, if equal", [" k1", " k2", " k1"], ["1:00", "2:00"]],
  ["neither id nor key", [" ", "d1 ", " "], ["1:00", "2:00"]],
])("entries are of one driver by %s", async (_, entries, hours) => {
  const read = entries.map((one) => one.split(" ").map((text) => text || undefined));
  const { record } = await serve(
    read.map(([driverId, driverKey], at) => of(driverId, driverKey, `drive 0${2 * at}:00-0${2 * at + 1}:00 v9`)),
  );
  const { items } = await record("summarize_driver_activity", { ...PERIOD, fields: ["driving"] });
  expect(items.map(({ driving }: { driving: string }) => driving).toSorted()).toEqual(hours);
});

describe("what is recorded of a driver is found", () => {
  const KEY = "card-driver-p1-00";
  const first = of("p1", KEY, "drive 06:00-08:00");
  const elsewhere = of(undefined, KEY, "drive 10:00-11:00 v2");
  it.each<[why: string, ana: object, entries: Entry[], driven: string, isByKey: boolean]>([
    ["by vehicle, then by card", ANA, [first, elsewhere], "3:00", true],
    ["by everyone's latest entries, then by card", { ...ANA, assetRegistration: "NEW 1" }, [first, elsewhere], "3:00", true],
    ["by these, without a registration", { ...ANA, assetRegistration: undefined }, [first, elsewhere], "3:00", true],
    ["on all cards", ANA, [first, of("p1", "another-card-1-00", "drive 02:00-04:00 v2")], "4:00", true],
    [
      "among everyone's, without a card",
      ANA,
      [
        { ...first, driverKey: undefined },
        { ...elsewhere, driverId: "p1" },
      ],
      "3:00",
      false,
    ],
    [
      "among everyone's, with part of a card",
      ANA,
      [
        { ...first, driverKey: "D1" },
        { ...elsewhere, driverId: "p1" },
      ],
      "3:00",
      false,
    ],
  ])("%s", async (_, ana, entries, driven, isByKey) => {
    const { record, service } = await serve(entries, [ana, ...OTHERS]);
    const hours = await record("driver_hours", { driver: "Ana", fields: ["drivenWeek"] });
    expect(hours.items).toMatchObject([{ drivenWeek: expect.stringMatching(`^${driven}`) }]);
    expect(service.of("queryTachoActivity").some(({ body }) => body.driverKeys?.includes(KEY))).toBe(isByKey);
    const summary = await record("summarize_driver_activity", { ...PERIOD, driver: "Ana", fields: ["driving"] });
    expect(summary.items).toEqual([{ driver: "Ana Ruiz", driving: driven }]);
  });

  it("among everyone's, for more than a hundred", async () => {
    const drivers = Array.from({ length: 101 }, (_, at) => ({ ...ANA, assetId: `w${at}`, driverId: `p${at}`, driverName: `Ann ${at}` }));
    const { record, service } = await serve([first, elsewhere], drivers);
    const { items } = await record("summarize_driver_activity", { ...PERIOD, group: "Linz Trucks", fields: ["driver", "driving"] });
    expect(items).toEqual([{ driver: "Ann 1", driving: "3:00" }]);
    expect(service.of("queryTachoActivity")).toHaveLength(1);
  });
});

describe("a vehicle's activities are those in it", () => {
  it.each(["query_tacho_activity", "summarize_driver_activity"])("in %s, even if the service finds whole entries", async (tool) => {
    const entries = JSON.parse(JSON.stringify(ENTRIES).replaceAll("REG v3", "reg-v3"));
    const { record, service } = await servePast(entries, { vehicles: FLEET, sendsAll: true });
    const { items, note } = await record(tool, { ...PERIOD, vehicle: "truck 3", fields: ["driver"] });
    expect(driversIn(items)).toEqual(["Bo Tanaka", "id pm19x8k2q1"]);
    expect(note).toContain("Only activities in Truck 3 (REG v3).");
    expect(note).not.toContain("Without tachograph activities");
    expect(service.of("queryTachoActivity")[0]?.body.registrations).toEqual(["REG v3"]);
  });

  it("and of one driver, if named", async () => {
    const { record } = await serve();
    const ask = (driver: string) => record("summarize_driver_activity", { ...PERIOD, vehicle: "truck 3", driver, fields: ["driving"] });
    expect((await ask("Bo Tanaka")).items).toEqual([{ driver: "Bo Tanaka", driving: "1:00" }]);
    expect((await ask("Ana Ruiz")).note).toContain("Drivers without tachograph activities: Ana Ruiz");
  });
});

describe("a group's drivers are those in its vehicles now, and those who drove them", () => {
  it.each(LISTS)("in %s", async (tool, args) => {
    const { items, note } = await (await serve()).record(tool, { ...args, group: "Linz Trucks" });
    expect(driversIn(items)).toEqual(["Ana Ruiz", "Bo Tanaka", "id DF00000000000400", "id pm19x8k2q1"]);
    expect(note).toContain("Left out: 2 drivers who cannot be placed in a group");
  });

  it.each([
    ["Bo Tanaka", ["Bo Tanaka"]],
    ["id p5", []],
  ])("if %s is named too, and nobody is left out", async (driver, expected) => {
    const { items, note } = await (await serve()).record("summarize_driver_activity", { ...PERIOD, driver, group: "Linz Trucks" });
    expect(driversIn(items)).toEqual(expected);
    expect(note).not.toContain("Left out");
  });
});

describe("what results call a driver who is in no live position", () => {
  it.each(["id pm19x8k2q1", "pm19x8k2q1", "id DF00000000000400", "DF00000000000400", "DF00000000000401"])(
    "is understood by every tool: %s",
    async (driver) => {
      const { record } = await serve();
      const label = driver.includes("DF") ? "id DF00000000000400" : "id pm19x8k2q1";
      for (const [tool, args] of LISTS) expect(driversIn((await record(tool, { ...args, driver })).items)).toEqual([label]);
    },
  );

  it.each(["id pm19x8k2q1", "pm19x8k2q1"])("is understood by lists: %s", async (driver) => {
    const { service, text } = await serve();
    service.script.listLivePositions = ({ url }) => ({ body: url.searchParams.has("driverIds") ? [] : FLEET });
    expect(await text("list_live_positions", { driver })).toMatch(/^0 .*Only id pm19x8k2q1, not in live positions\./);
  });

  it("finds what they did a week ago", async () => {
    const { record } = await serve([of("pm20x8k2q1", "DF00000000000800", "drive 12T00:00-12T02:00 v3")]);
    const { items } = await record("driver_hours", { driver: "id pm20x8k2q1", fields: ["drivenFortnight"] });
    expect(items).toMatchObject([{ drivenFortnight: expect.stringMatching(/^2:00/) }]);
  });

  it("may have done nothing in the period, and a misspelt name is still asked about", async () => {
    const { text, question } = await serve();
    const named = (driver: string) => ({ ...PERIOD, driver });
    expect(await text("summarize_driver_activity", named("id px99y8z7w6"))).toContain("Drivers without tachograph activities: px99y8z7w6.");
    expect(await question("summarize_driver_activity", named("Truck99x"))).toContain("Truck99x");
  });
});
