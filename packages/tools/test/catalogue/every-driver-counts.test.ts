import { describe, expect, it } from "vitest";
import { driverHoursTool } from "../../src/tools/driver-hours.ts";
import { listLivePositions } from "../../src/tools/list-live-positions.ts";
import { queryTachoActivity } from "../../src/tools/query-tacho-activity.ts";
import { summarizeDriverActivity } from "../../src/tools/summarize-driver-activity.ts";
import type { Tool } from "../../src/writes/write-tool.ts";
import { type Asked, cannedService, rowsOf, toolsOver } from "../canned-service.ts";

const [OLD, NEW] = ["DF00000000000100", "DF00000000000101"];

const FLEET = [
  {
    assetId: "v1",
    assetName: "Truck 1",
    assetRegistration: "AB 1",
    assetGroupId: "g1",
    assetGroupName: "Linz Trucks",
    driverId: "p1",
    driverName: "Ana Ruiz",
  },
  {
    assetId: "v2",
    assetName: "Truck 2",
    assetRegistration: "CD 2",
    assetGroupId: "g2",
    assetGroupName: "Graz Trucks",
    driverId: "p2",
    driverName: "Bo Tanaka",
  },
  { assetId: "v3", assetName: "Truck 3", assetRegistration: "EF 3", assetGroupId: "g1", assetGroupName: "Linz Trucks" },
];

/** Driving in a vehicle on 19 November, from and to these hours. */
const drove = (assetId: string, registration: string, from: number, to: number) => ({
  ...{ assetId, assetRegistration: registration, vehicleFriendlyName: registration, activity: "DRIVING" },
  startTime: new Date(Date.UTC(2026, 10, 19, from)).toISOString(),
  endTime: new Date(Date.UTC(2026, 10, 19, to)).toISOString(),
});

const ENTRIES = [
  { driverId: "p1", driverKey: NEW, activities: [drove("v1", "AB 1", 6, 10)] },
  { driverKey: OLD, activities: [drove("v2", "CD 2", 11, 14)] },
  { driverId: "p2", driverKey: "DF00000000000200", activities: [drove("v2", "CD 2", 0, 4), drove("v3", "EF 3", 5, 6)] },
  { driverId: "pm19x8k2q1", driverKey: "DF00000000000300", activities: [drove("v3", "EF 3", 7, 19)] },
  { driverKey: "DF00000000000400", activities: [drove("", "ab-1", 19, 20)] },
  { driverId: "p5", driverKey: "DF00000000000500", activities: [drove("v2", "CD 2", 20, 21)] },
  { driverId: "p6", driverKey: "DF00000000000600", activities: [drove("v9", "XY 9", 7, 8)] },
  { driverId: "p7", driverKey: "DF00000000000700", activities: [drove("v9", "XY 9", 8, 9)] },
];

const service = () =>
  cannedService(({ operation, fields }: Asked) => {
    const {
      skip = 0,
      limit,
      driverKeys,
      registrations,
      driverIds,
    } = fields as Record<string, never> & { driverKeys?: string[]; registrations?: string[] };
    if (operation === "listLivePositions")
      return FLEET.filter(({ driverId = "-" }) => driverIds === undefined || String(driverIds).includes(driverId));
    const data = ENTRIES.filter(({ driverKey }) => driverKeys?.includes(driverKey) ?? true).flatMap(({ activities, ...entry }) => {
      const inThem = activities.filter(({ assetRegistration }) => registrations?.includes(assetRegistration) ?? true);
      return inThem.length > 0 ? [{ ...entry, activities: inThem }] : [];
    });
    return { count: data.length, data: data.slice(skip, skip + Number(limit ?? 1000)) };
  });

const call = async (tool: Tool, args: Record<string, unknown>) => {
  const { text, structured } = await toolsOver(await service(), { FLEET_MAX_RESULT_TOKENS: "9000" }).call(tool, args);
  return { text, rows: rowsOf(structured) };
};
const PERIOD = { period: "2026-11-19" };

describe("the hours under a renewed card, in another vehicle,", () => {
  it.each(["Ana Ruiz", "p1", OLD, NEW, `id ${OLD}`])("count for %s", async (driver) => {
    const { rows } = await call(summarizeDriverActivity, { ...PERIOD, driver, fields: ["driver", "driving", "driverKey"] });
    expect(rows).toEqual([{ driver: "Ana Ruiz", driving: "7:00", driverKey: [NEW, OLD] }]);
  });

  it("count in every list", async () => {
    const drivingOf = ({ rows }: Awaited<ReturnType<typeof call>>) => rows.find(({ driver }) => driver === "Ana Ruiz");
    expect(drivingOf(await call(summarizeDriverActivity, { ...PERIOD, fields: ["driver", "driving"] }))?.["driving"]).toBe("7:00");
    expect(
      drivingOf(await call(summarizeDriverActivity, { ...PERIOD, group: "Linz Trucks", fields: ["driver", "driving"] }))?.["driving"],
    ).toBe("7:00");
    for (const args of [{}, { driver: "Ana Ruiz" }, { group: "Linz Trucks" }])
      expect(drivingOf(await call(driverHoursTool, { ...args, fields: ["driver", "drivenWeek"] }))?.["drivenWeek"]).toMatch(/^7:00/);
    const { rows } = await call(queryTachoActivity, { ...PERIOD, driver: "Ana Ruiz", fields: "driverKey,vehicleFriendlyName" });
    expect(rows).toEqual([
      { driverKey: NEW, vehicleFriendlyName: "AB 1" },
      { driverKey: OLD, vehicleFriendlyName: "CD 2" },
    ]);
  });
});

it("a vehicle's activities are those in it, even if the service finds whole entries", async () => {
  const whole = await cannedService(({ operation }) =>
    operation === "listLivePositions" ? FLEET : { count: ENTRIES.length, data: ENTRIES },
  );
  const { call } = toolsOver(whole);
  const { structured } = await call(queryTachoActivity, { ...PERIOD, vehicle: "truck 3", fields: "driver,vehicleFriendlyName" });
  expect(rowsOf(structured)).toEqual([
    { driver: "Bo Tanaka", vehicleFriendlyName: "EF 3" },
    { driver: "id pm19x8k2q1", vehicleFriendlyName: "EF 3" },
  ]);
});

describe("a group's drivers are those in its vehicles now, and those who drove them", () => {
  const LINZ = ["Ana Ruiz", "Bo Tanaka", "id DF00000000000400", "id pm19x8k2q1"];
  const UNPLACED = "Left out: 2 drivers who cannot be placed in a group";

  it.each<[Tool, Record<string, unknown>]>([
    [summarizeDriverActivity, PERIOD],
    [driverHoursTool, {}],
    [queryTachoActivity, { ...PERIOD, fields: "driver" }],
  ])("in $name", async (tool, args) => {
    const { rows, text } = await call(tool, { ...args, group: "Linz Trucks" });
    expect([...new Set(rows.map(({ driver }) => driver))].sort()).toEqual(LINZ);
    expect(text).toContain(UNPLACED);
  });

  it("so that the longest shift is found", async () => {
    const { rows } = await call(summarizeDriverActivity, { ...PERIOD, group: "Linz Trucks", sort: "shift", limit: 1 });
    expect(rows[0]).toMatchObject({ driver: "id pm19x8k2q1", shift: "12:00" });
  });

  it("if they are named too", async () => {
    const names = async (driver: string) =>
      (await call(summarizeDriverActivity, { ...PERIOD, driver, group: "Linz Trucks" })).rows.map(({ driver }) => driver);
    expect([await names("Bo Tanaka"), await names("id p5")]).toEqual([["Bo Tanaka"], []]);
  });

  it("and nobody is left out if all can be placed", async () => {
    expect((await call(summarizeDriverActivity, { ...PERIOD, driver: "Ana Ruiz", group: "Linz Trucks" })).text).not.toContain("Left out");
  });
});

describe("what results call a driver who is in no live position", () => {
  it.each(["id pm19x8k2q1", "pm19x8k2q1", "id DF00000000000400", "DF00000000000400", "DF00000000000401"])(
    "is understood by all: %s",
    async (driver) => {
      const label = driver.includes("DF") ? "id DF00000000000400" : "id pm19x8k2q1";
      for (const [tool, args] of [
        [summarizeDriverActivity, PERIOD],
        [driverHoursTool, {}],
        [queryTachoActivity, { ...PERIOD, fields: "driver" }],
      ] as const)
        expect((await call(tool, { ...args, driver })).rows.map(({ driver: name }) => name)).toEqual([label]);
    },
  );

  it.each(["id pm19x8k2q1", "pm19x8k2q1"])("is understood by lists: %s", async (driver) => {
    const { rows, text } = await call(listLivePositions, { driver });
    expect(rows).toEqual([]);
    expect(text).toContain("Only id pm19x8k2q1, not in live positions.");
  });

  it("may have done nothing in the period, and a misspelt name is still asked about", async () => {
    expect((await call(summarizeDriverActivity, { ...PERIOD, driver: "id px99y8z7w6" })).text).toContain(
      "Drivers without tachograph activities: px99y8z7w6.",
    );
    expect(await toolsOver(await service()).call(summarizeDriverActivity, { ...PERIOD, driver: "Truck99x" })).toMatchObject({
      structured: { result: "notFound" },
    });
  });
});
