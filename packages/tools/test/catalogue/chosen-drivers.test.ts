import { describe, expect, it } from "vitest";
import { did, type Entry, servePast } from "./the-past.ts";

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

const of = (driverId: string | undefined, driverKey?: string): Entry => ({ driverId, driverKey, activities: did("drive 06:00-07:00 v-") });
const ENTRIES = [
  ...FLEET.flatMap(({ driverId }) => (driverId ? [of(driverId, `DF000000000${driverId}000`)] : [])),
  of("pm19x8k2q1", "DF000012345678901"),
];
const serve = (entries = ENTRIES, vehicles: readonly object[] = FLEET) => servePast(entries, { vehicles, sendsAll: true });

const ANA = "Ana Ruiz (d1) drives Truck 1 (v1) now.";
const BO = "bo tanaka (d3) drives Truck 3 (v3) now.";
const BOTH = "2 drivers named Bo Tanaka.";

it.each<[by: Args, drivers: string, ...notes: string[]]>([
  [{}, "d1 d2 d3 d6 d7 pm19x8k2q1"],
  [{ driver: "Ruis" }, "d1"],
  [{ driver: "Ana Ruiz , d2," }, "d1 d2"],
  [{ driver: ["Doe, Jo", "d1"] }, "d1 d6"],
  [{ driver: '["Doe, Jo","d1"]' }, "d1 d6"],
  [{ driver: "[ana" }, "d1"],
  [{ driver: "ana, d1" }, "d1"],
  [{ driver: "Bo Tanaka" }, "d2 d3", BOTH],
  [{ driver: "truck 1" }, "d1", ANA],
  [{ vehicle: "truck 1" }, "d1", ANA],
  [{ driver: "bo tanaka", vehicle: "truck 3" }, "d3", BOTH, BO],
  [{ driver: "ana", vehicle: "truck 3" }, "", BO],
  [{ group: "Lyon" }, "d1 d2", "Only Lyon (g1)."],
  [{ driver: "bo tanaka", group: "Paris" }, "d3", BOTH, "Only Paris (g2)."],
  [{ driver: "DF000012345678901" }, "pm19x8k2q1"],
  [{ vehicle: "crane" }, "", "Kim Oh drives Crane (v4) now."],
])("%j chooses %j", async (by, drivers, ...notes) => {
  const { items, note } = await (await serve()).record("driver_hours", { ...by, fields: ["driverId"] });
  expect(items.flatMap((row: { driverId: string }) => row.driverId).toSorted()).toEqual(drivers.split(" ").filter(Boolean));
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
    [{ vehicle: "truck" }, '3 vehicles match "truck". Which one: '],
    [{ driver: "ana" }, '2 drivers match "ana". Which one: Ana Ruiz (Truck 1; Lyon); Ana Sol (Truck 8)? '],
    [{ group: "Rome" }, 'No group matches "Rome".'],
  ])("by %j, which is a question", async (by, question) => {
    const { question: asked } = await serve(ENTRIES, [
      ...FLEET,
      { assetId: "v8", assetName: "Truck 8", driverId: "d8", driverName: "Ana Sol" },
    ]);
    expect(await asked("driver_hours", by)).toContain(question);
  });
});

it("results tell drivers apart by vehicle and group if they have the same name, by id or key if they have none", async () => {
  const same = FLEET.map((position) => ({ ...position, ...(position.driverName && { driverName: "Bo Tanaka" }) }));
  const { record } = await serve([...ENTRIES, of(undefined, "k\n1"), of(undefined), of("x".repeat(40))], same);
  const named = await record("summarize_driver_activity", { period: "2026-11-19", fields: ["driver"], limit: 50 });
  expect(named.items.map(({ driver }: { driver: string }) => driver).toSorted()).toEqual(
    [
      ...["Bo Tanaka (Truck 1; Lyon)", "Bo Tanaka (CD 2; Lyon)", "Bo Tanaka (Truck 3; Paris)", "Bo Tanaka (Doe, Jo)"],
      ...["id d7", "id pm19x8k2q1", "id k 1", "id -", `id ${"x".repeat(29)}…`],
    ].toSorted(),
  );
  const one = await record("summarize_driver_activity", { period: "2026-11-19", driver: "Bo Tanaka (CD 2; Lyon)", fields: ["driverId"] });
  expect(one.items).toEqual([{ driver: "Bo Tanaka (CD 2; Lyon)", driverId: "d2" }]);
  const columns = await record("driver_hours", { driver: "d2", fields: ["driver", "vehicle", "group"] });
  expect(columns.items).toEqual([{ driver: "Bo Tanaka", vehicle: "CD 2", group: "Lyon" }]);
});

it("a note names up to eight drivers without data", async () => {
  const north = { assetGroupId: "g", assetGroupName: "North" };
  const fleet = Array.from({ length: 10 }, (_, at) => ({ ...north, assetId: `v${at}`, driverId: `d${at}`, driverName: `Driver ${at}` }));
  const { record } = await serve([of("d0", "DF000000000d0000")], fleet);
  expect((await record("driver_hours", { group: "North" })).note).toContain("Driver 8 (v8; North) and 1 more.");
});
