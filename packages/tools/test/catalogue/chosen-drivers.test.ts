import { describe, expect, it } from "vitest";
import { tachoRecords } from "../fleet-service.ts";
import { servedFleet } from "../served-fleet.ts";

type Args = Record<string, unknown>;

const FLEET = [
  { assetId: "v1", assetName: "Truck 1", driverId: "d1", driverName: "Ana Ruiz", driverGroupId: "g1", driverGroupName: "Lyon" },
  { assetId: "v2", assetRegistration: "CD 2", driverId: "d2", driverName: "Bo Tanaka", assetGroupId: "g1", assetGroupName: "Lyon" },
  { assetId: "v3", assetName: "Truck 3", driverId: "d3", driverName: "bo tanaka", assetGroupId: "g2", assetGroupName: "Paris" },
  { assetId: "v4", assetName: "Crane", driverName: "Kim Oh" },
  { assetId: "v5", assetName: "Van 5" },
  { assetId: "v6", assetName: "Doe, Jo", driverId: "d6", driverName: "Doe, Jo" },
  { assetId: "v7", assetName: "Van 7", driverId: "d7" },
];

const activities = [{ activity: "DRIVING", startTime: "2026-11-19T06:00:00Z", endTime: "2026-11-19T07:00:00Z" }];
const entry = (driverId: string | undefined, driverKey?: string) => ({ driverId, driverKey, activities });
const ENTRIES = [
  ...FLEET.flatMap(({ driverId }) => (driverId ? [entry(driverId, `DF000000000${driverId}000`)] : [])),
  entry("pm19x8k2q1", "DF000012345678901"),
];

const serve = (data: readonly object[] = ENTRIES, fleet: readonly object[] = FLEET) =>
  servedFleet({ script: { listLivePositions: () => ({ body: fleet }), ...tachoRecords(data) } });

const ANA = "Ana Ruiz (d1) drives Truck 1 (v1) now.";
const BO = "bo tanaka (d3) drives Truck 3 (v3) now.";
const BOTH = "2 drivers named Bo Tanaka.";

it.each<[why: string, by: Args, drivers: string, ...notes: string[]]>([
  ["all", {}, "d1 d2 d3 d6 d7 pm19x8k2q1"],
  ["one by a last name with a typo", { driver: "Ruis" }, "d1"],
  ["one by id", { driver: "d1" }, "d1"],
  ["several", { driver: "Ana Ruiz , d2," }, "d1 d2"],
  ["a list, whose names may hold commas", { driver: ["Doe, Jo", "d1"] }, "d1 d6"],
  ["a list as text", { driver: '["Doe, Jo","d1"]' }, "d1 d6"],
  ["one whose whole name has a comma", { driver: "Doe, Jo" }, "d6"],
  ["one whose name begins with a bracket", { driver: "[ana" }, "d1"],
  ["one twice", { driver: "ana, d1" }, "d1"],
  ["namesakes", { driver: "Bo Tanaka" }, "d2 d3", BOTH],
  ["the driver of a vehicle named as one", { driver: "truck 1" }, "d1", ANA],
  ["the driver of a vehicle", { vehicle: "truck 1" }, "d1", ANA],
  ["a driver, if in a vehicle", { driver: "bo tanaka", vehicle: "truck 3" }, "d3", BOTH, BO],
  ["a driver, who is not in a vehicle", { driver: "ana", vehicle: "truck 3" }, "", BO],
  ["those in a group, or in a vehicle of it", { group: "Lyon" }, "d1 d2", "Only Lyon (g1)."],
  ["namesakes in a group", { driver: "bo tanaka", group: "Paris" }, "d3", BOTH, "Only Paris (g2)."],
  ["one who is in no live position, by driver key", { driver: "DF000012345678901" }, "pm19x8k2q1"],
  ["one without an id, if not by name", { vehicle: "crane" }, "", "Kim Oh drives Crane (v4) now."],
])("chooses %s: %j", async (_, by, drivers, ...notes) => {
  const { items, note } = await (await serve()).record("driver_hours", { ...by, fields: ["driverId"] });
  expect(
    items
      .map(({ driverId }: { driverId: string }) => driverId)
      .toSorted()
      .join(" "),
  ).toBe(drivers);
  for (const one of notes) expect(note).toContain(one);
});

describe("no driver is chosen", () => {
  it.each<[Args, string]>([
    [{ driver: "van 5" }, "driver: Van 5 (v5) has no driver now"],
    [{ vehicle: "van 5" }, "vehicle: Van 5 (v5) has no driver now"],
    [{ driver: "Kim Oh" }, "driver: the live positions have no id for “Kim Oh”, so their tachograph entries cannot be found"],
  ])("by %j", async (by, message) => expect(await (await serve()).failure("driver_hours", by)).toContain(message));

  it.each<[Args, string]>([
    [{ driver: "truk 1" }, 'No driver matches "truk 1". What is the full name or vehicle?'],
    [{ driver: "truck7!" }, 'No driver matches "truck7!".'],
    [{ driver: "truck" }, 'No driver matches "truck".'],
    [{ vehicle: "truck" }, '2 vehicles match "truck". Which one: '],
    [{ group: "Rome" }, 'No group matches "Rome".'],
  ])("by %j, which is a question", async (by, question) => {
    expect(await (await serve()).question("driver_hours", by)).toContain(question);
  });

  it("by a name that several have, and the question tells them apart by vehicle and group", async () => {
    const fleet = [...FLEET, { assetId: "v8", assetName: "Truck 8", driverId: "d8", driverName: "Ana Sol" }];
    const { question } = await serve(ENTRIES, fleet);
    for (const [tool, args] of [
      ["driver_hours", {}],
      ["summarize_driver_activity", { period: "yesterday" }],
    ] as const)
      expect(await question(tool, { ...args, driver: "ana" })).toMatch(
        /^2 drivers match "ana"\. Which one: Ana Ruiz \(Truck 1; Lyon\); Ana Sol \(Truck 8\)\? /,
      );
  });
});

describe("results tell drivers apart", () => {
  it("by vehicle and group if they have the same name, by id or key if they have none", async () => {
    const same = FLEET.map((position) => ({ ...position, ...(position.driverName && { driverName: "Bo Tanaka" }) }));
    const keys = [entry(undefined, "k\n1"), entry(undefined), entry("x".repeat(40))];
    const { record } = await serve([...ENTRIES, ...keys], same.slice(0, 7));
    const named = await record("summarize_driver_activity", { period: "2026-11-19", fields: ["driver"], limit: 50 });
    expect(new Set(named.items.map(({ driver }: { driver: string }) => driver))).toEqual(
      new Set([
        ...["Bo Tanaka (Truck 1; Lyon)", "Bo Tanaka (CD 2; Lyon)", "Bo Tanaka (Truck 3; Paris)", "Bo Tanaka (Doe, Jo)"],
        ...["id d7", "id pm19x8k2q1", "id k 1", "id -", `id ${"x".repeat(29)}…`],
      ]),
    );
    const one = await record("summarize_driver_activity", { period: "2026-11-19", driver: "Bo Tanaka (CD 2; Lyon)", fields: ["driverId"] });
    expect(one.items).toEqual([{ driverId: "d2" }]);
    const columns = await record("driver_hours", { driver: "d2", fields: ["driver", "vehicle", "group"] });
    expect(columns.items).toEqual([{ driver: "Bo Tanaka", vehicle: "CD 2", group: "Lyon" }]);
  });
});

it("a note names up to eight drivers without data", async () => {
  const fleet = Array.from({ length: 10 }, (_, at) => ({
    assetId: `v${at}`,
    assetGroupId: "g",
    assetGroupName: "North",
    driverId: `d${at}`,
    driverName: `Driver ${at}`,
  }));
  const { record } = await serve([entry("d0", "DF000000000d0000")], fleet);
  expect((await record("driver_hours", { group: "North" })).note).toContain("Driver 8 (v8; North) and 1 more.");
});
