import { describe, expect, it } from "vitest";
import type { Script } from "../fleet-service.ts";
import { servedFleet } from "../served-fleet.ts";

type Args = Record<string, unknown>;

const LINZ = { assetGroupId: "g1", assetGroupName: "Linz Trucks" };
const GRAZ = { assetGroupId: "g2", assetGroupName: "Graz Trucks" };
const FLEET = [
  { assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", ...LINZ, driverId: "p1", driverName: "Ana Ruiz" },
  { assetId: "v2", assetName: "Truck 2", assetRegistration: "CD 2", ...GRAZ, driverId: "p2", driverName: "Bo Tanaka" },
  { assetId: "v3", assetName: "Truck 3", assetRegistration: "EF 3", ...LINZ },
];

/** Driving in a vehicle on 19 November, from and to these hours. */
const drove = (assetId: string, assetRegistration: string, from: number, to: number) => ({
  ...{ assetId, assetRegistration, vehicleFriendlyName: assetRegistration, activity: "DRIVING" },
  startTime: new Date(Date.UTC(2026, 10, 19, from)).toISOString(),
  endTime: new Date(Date.UTC(2026, 10, 19, to)).toISOString(),
});

interface Entry {
  driverId?: string | undefined;
  driverKey?: string | undefined;
  activities: ReturnType<typeof drove>[];
}

/** A full driver key has 16 characters; the last two count renewals of the card. */
const [OLD, NEW, OTHER] = ["DF00000000000100", "DF00000000000101", "DF00000000000200"];
const ENTRIES: Entry[] = [
  { driverId: "p1", driverKey: NEW, activities: [drove("v1", "AB 1", 6, 10)] },
  { driverKey: OLD, activities: [drove("v2", "CD 2", 11, 14)] },
  { driverId: "p2", driverKey: OTHER, activities: [drove("v2", "CD 2", 0, 4), drove("v3", "EF 3", 5, 6)] },
  { driverId: "pm19x8k2q1", driverKey: "DF00000000000300", activities: [drove("v3", "EF 3", 7, 19)] },
  { driverKey: "DF00000000000400", activities: [drove("", "ab-1", 19, 20)] },
  { driverId: "p5", driverKey: "DF00000000000500", activities: [drove("v2", "CD 2", 20, 21)] },
  { driverId: "p6", driverKey: "DF00000000000600", activities: [drove("v9", "XY 9", 7, 8)] },
  { driverId: "p7", driverKey: "DF00000000000700", activities: [drove("v9", "XY 9", 8, 9)] },
];

/** A service that filters as documented. */
const filtering = (entries: readonly Entry[], fleet: readonly object[] = FLEET): Script => ({
  listLivePositions: () => ({ body: fleet }),
  queryTachoActivity: ({ body: { skip, limit, driverKeys, registrations, startTime, endTime } }) => {
    const data = entries
      .filter(({ driverKey }) => driverKeys?.includes(driverKey) ?? true)
      .map((entry) => ({
        ...entry,
        activities: entry.activities.filter(
          (one) =>
            (registrations?.includes(one.assetRegistration) ?? true) && one.startTime < `${endTime}Z` && one.endTime > `${startTime}Z`,
        ),
      }))
      .filter(({ activities }) => activities.length > 0);
    return { body: { count: data.length, data: data.slice(skip, skip + limit) } };
  },
});

const serve = (entries: readonly Entry[] = ENTRIES, fleet: readonly object[] = FLEET) => servedFleet({ script: filtering(entries, fleet) });
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
    const own = ({ items }: { items: { driver: string }[] }) => items.find(({ driver }) => driver === "Ana Ruiz");
    const summary = await record("summarize_driver_activity", { ...PERIOD, ...args, fields: ["driver", "driving"] });
    expect(own(summary)).toMatchObject({ driving: "7:00" });
    const hours = await record("driver_hours", { ...args, fields: ["driver", "drivenWeek"] });
    expect(own(hours)).toMatchObject({ drivenWeek: expect.stringMatching(/^7:00/) });
  });

  it("are listed", async () => {
    const args = { ...PERIOD, driver: "Ana Ruiz", fields: ["driverKey", "vehicleFriendlyName"] };
    expect((await (await serve()).record("query_tacho_activity", args)).items).toMatchObject([
      { driverKey: NEW, vehicleFriendlyName: "AB 1" },
      { driverKey: OLD, vehicleFriendlyName: "CD 2" },
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
  const activitiesOf = (at: number) => [drove("v9", "XY 9", 2 * at, 2 * at + 1)];
  const read = entries.map((entry) => entry.split(" ").map((text) => text || undefined));
  const { record } = await serve(read.map(([driverId, driverKey], at) => ({ driverId, driverKey, activities: activitiesOf(at) })));
  const { items } = await record("summarize_driver_activity", { ...PERIOD, fields: ["driving"] });
  expect(items.map(({ driving }: { driving: string }) => driving).toSorted()).toEqual(hours);
});

describe("what is recorded of a driver is found", () => {
  const ANN = { assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", driverId: "d1", driverName: "Ann" };
  const KEY = "card-driver-d1-00";
  const first = { driverId: "d1", driverKey: KEY, activities: [drove("v1", "AB 1", 6, 8)] };
  const elsewhere = { driverKey: KEY, activities: [drove("v2", "EF 3", 10, 11)] };
  const renamed = { ...ANN, assetRegistration: "NEW 1" };
  const another = { driverId: "d1", driverKey: "another-card-1-00", activities: [drove("v2", "EF 3", 2, 4)] };
  const own = { ...elsewhere, driverId: "d1" };
  it.each<[why: string, vehicle: object, entries: Entry[], driven: string, isByKey: boolean]>([
    ["by vehicle, then by card", ANN, [first, elsewhere], "3:00", true],
    ["by everyone's latest entries, then by card", renamed, [first, elsewhere], "3:00", true],
    ["by these, without a registration", { ...ANN, assetRegistration: undefined }, [first, elsewhere], "3:00", true],
    ["on all cards", ANN, [first, another], "4:00", true],
    ["among everyone's, without a card", ANN, [{ ...first, driverKey: undefined }, own], "3:00", false],
    ["among everyone's, with part of a card's number", ANN, [{ ...first, driverKey: "D1" }, own], "3:00", false],
  ])("%s", async (_, vehicle, entries, driven, isByKey) => {
    const { record, service } = await serve(entries, [vehicle, ...FLEET.slice(1)]);
    const hours = await record("driver_hours", { driver: "Ann", fields: ["drivenWeek"] });
    expect(hours.items).toMatchObject([{ drivenWeek: expect.stringMatching(`^${driven}`) }]);
    expect(service.of("queryTachoActivity").some(({ body }) => body.driverKeys?.includes(KEY))).toBe(isByKey);
    const summary = await record("summarize_driver_activity", { ...PERIOD, driver: "Ann", fields: ["driving"] });
    expect(summary.items).toEqual([{ driving: driven }]);
  });

  it("among everyone's, for more than a hundred", async () => {
    const drivers = Array.from({ length: 101 }, (_, at) => ({ ...ANN, assetId: `w${at}`, driverId: `d${at}`, driverName: `Ann ${at}` }));
    const { record, service } = await serve(
      [first, elsewhere],
      drivers.map((one) => ({ ...one, ...LINZ })),
    );
    const { items } = await record("summarize_driver_activity", { ...PERIOD, group: "Linz Trucks", fields: ["driver", "driving"] });
    expect(items).toEqual([{ driver: "Ann 1", driving: "3:00" }]);
    expect(service.of("queryTachoActivity")).toHaveLength(1);
  });
});

describe("a vehicle's activities are those in it", () => {
  it.each(["query_tacho_activity", "summarize_driver_activity"])("in %s, even if the service finds whole entries", async (tool) => {
    const { record, service } = await serve();
    const data = JSON.parse(JSON.stringify(ENTRIES).replaceAll('assetRegistration":"EF 3"', 'assetRegistration":"ef-3"'));
    service.script.queryTachoActivity = () => ({ body: { count: data.length, data } });
    const { items, note } = await record(tool, { ...PERIOD, vehicle: "truck 3", fields: ["driver"] });
    expect(driversIn(items)).toEqual(["Bo Tanaka", "id pm19x8k2q1"]);
    expect(note).toContain("Only activities in Truck 3 (EF 3).");
    expect(note).not.toContain("Without tachograph activities");
    expect(service.of("queryTachoActivity")[0]?.body.registrations).toEqual(["EF 3"]);
  });

  it("and of one driver, if named", async () => {
    const { record } = await serve();
    const ask = (driver: string) =>
      record("summarize_driver_activity", { ...PERIOD, vehicle: "truck 3", driver, fields: ["driver", "driving"] });
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

  it("so that the longest shift is found", async () => {
    const args = { ...PERIOD, group: "Linz Trucks", sort: "shift", limit: 1 };
    expect((await (await serve()).record("summarize_driver_activity", args)).items).toMatchObject([
      { driver: "id pm19x8k2q1", shift: "12:00" },
    ]);
  });

  it.each([
    ["Ana Ruiz", ["Ana Ruiz"]],
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
    const { script } = (await serve()).service;
    const none = await servedFleet({
      script: { ...script, listLivePositions: ({ url }) => ({ body: url.searchParams.has("driverIds") ? [] : FLEET }) },
    });
    expect(await none.text("list_live_positions", { driver })).toMatch(/^0 .*Only id pm19x8k2q1, not in live positions\./);
  });

  it("finds what they did a week ago", async () => {
    const { record } = await serve([
      { driverId: "pm20x8k2q1", driverKey: "DF00000000000800", activities: [drove("v3", "EF 3", -168, -166)] },
    ]);
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
