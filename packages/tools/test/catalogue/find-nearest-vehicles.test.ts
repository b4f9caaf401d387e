import { describe, expect, it } from "vitest";
import { runTool } from "../../src/run-tool.ts";
import { findNearestVehicles } from "../../src/tools/find-nearest-vehicles.ts";
import { cannedService, toolsOver } from "../canned-service.ts";

type Json = Record<string, unknown>;

it.each(["to", "in", "group", "type"])("%s may be a single letter, but not nothing", (name) => {
  const accepts = (text: string) => findNearestVehicles.input.safeParse({ to: "x", [name]: text }).success;
  expect([accepts("x"), accepts("")]).toEqual([true, false]);
});

/** One degree of latitude is 111.2 km. */
const FLEET = [
  {
    ...{ assetId: "v1", assetName: "Truck 1", assetType: "TRUCK", latitude: 45, longitude: 4, speed: 60, eventType: "driving" },
    ...{ activeFaultCodes: ["P1"], city: "Lyon", date: "2026-11-20T08:30:00", driverName: "Ana Ruiz", driverId: "p1" },
    ...{ assetGroupId: "g1", assetGroupName: "South" },
  },
  {
    assetId: "v2",
    assetName: "Van 2",
    assetType: "VAN",
    latitude: 46,
    longitude: 4,
    activeFaultCodes: [],
    city: "Dijon",
    assetGroupId: "g2",
    assetGroupName: "North",
  },
  {
    assetId: "v3",
    assetName: "Van 3",
    assetType: "VAN",
    latitude: 44.5,
    longitude: 4,
    speed: 0,
    city: "Lyon",
    assetGroupId: "g1",
    assetGroupName: "South",
  },
  { assetId: "v4", assetName: "Car 4", assetType: "CAR", latitude: 44.5, longitude: 4, privacy: true },
  { assetId: "v5", assetName: "Car 5", assetType: "CAR", assetGroupId: "g2", assetGroupName: "North" },
];

const near = async (args: Json, env: Record<string, string> = {}, fleet: unknown = FLEET) => {
  const service = await cannedService(({ operation }) => {
    if (operation === "listLivePositions") return fleet;
    return operation === "listVehicleFaults" ? { items: [], pagination: { totalItems: 0, totalPages: 0 } } : undefined;
  });
  const { text, structured } = await toolsOver(service, { FLEET_MAX_RESULT_TOKENS: "3000", ...env }).call(findNearestVehicles, args);
  const { items, next, total } = structured as { items: Json[]; next?: string; total?: number };
  return { head: text.split("\n")[0] ?? "", items, next, total, names: items.map(({ assetName }) => assetName).join(", ") };
};

const FROM = "Nearest first: straight-line km and direction from";
const LEFT_OUT = "Left out, whereabouts unknown: 1 on private journeys, 1 without a valid position.";

it("shows distance, direction and the condition of each vehicle", async () => {
  const { items, head } = await near({ to: "45, 4" });
  expect(head).toBe(`3 of 3 vehicles. ${FROM} 45, 4. ${LEFT_OUT}`);
  expect(items).toEqual([
    {
      assetName: "Truck 1",
      km: 0,
      direction: "N",
      eventType: "driving",
      driverName: "Ana Ruiz",
      city: "Lyon",
      activeFaultCodes: ["P1"],
      age: "4 min ago",
    },
    { assetName: "Van 3", km: 55.6, direction: "S", city: "Lyon" },
    { assetName: "Van 2", km: 111.2, direction: "N", city: "Dijon" },
  ]);
});

it("shows the fields requested", async () => {
  const fields = ["assetId", "bearingDegrees", "date"];
  expect((await near({ to: "45.2, 4", limit: 1, fields })).items).toEqual([
    { assetId: "v1", bearingDegrees: 180, date: "2026-11-20T08:30:00Z" },
  ]);
  const { items } = await near({ to: "45.2, 4", fields }, {}, [FLEET[0], { ...FLEET[1], latitude: 45.2, longitude: 3.99999 }]);
  expect(items.map(({ bearingDegrees }) => bearingDegrees)).toEqual([270, 180]);
});

it.each<[Json, string, string]>([
  [{ to: "truck 1" }, "Van 3, Van 2", `2 of 2 vehicles. ${FROM} Truck 1 (v1). ${LEFT_OUT}`],
  [{ to: "45, 4", limit: 2 }, "Truck 1, Van 3", `2 of 3 vehicles. ${FROM} 45, 4. ${LEFT_OUT}`],
  [{ to: "45, 4", withinKm: 100 }, "Truck 1, Van 3", `2 of 2 vehicles. ${FROM} 45, 4; only within 100 km. ${LEFT_OUT}`],
  [{ to: "40, 4", withinKm: 100 }, "", `0 of 0 vehicles. ${FROM} 40, 4; only within 100 km. The nearest is 500 km away. ${LEFT_OUT}`],
  [
    { to: "45, 4", in: "Lyon" },
    "Truck 1, Van 3",
    `2 of 2 vehicles. ${FROM} 45, 4; only in Lyon. Left out, whereabouts unknown: 1 on private journeys.`,
  ],
  [
    { to: "45, 4", group: "north" },
    "Van 2",
    `1 of 1 vehicle. ${FROM} 45, 4; only North (g2). Left out, whereabouts unknown: 1 without a valid position.`,
  ],
  [{ to: "45, 4", type: "van" }, "Van 3, Van 2", `2 of 2 vehicles. ${FROM} 45, 4; only type van.`],
  [
    { to: "45, 4", type: "boat", moving: true },
    "",
    `0 of 0 vehicles. ${FROM} 45, 4; only type boat, moving (driving or over 5 km/h, reported in the last 10 min). The fleet has 0 of this type; types: VAN 2, CAR 2, TRUCK 1; energy: none.`,
  ],
  [
    { to: "45, 4", moving: true },
    "Truck 1",
    `1 of 1 vehicle. ${FROM} 45, 4; only moving (driving or over 5 km/h, reported in the last 10 min).`,
  ],
  [
    { to: "45, 4", moving: false, group: "South" },
    "Van 3",
    `1 of 1 vehicle. ${FROM} 45, 4; only South (g1), not moving (driving or over 5 km/h, reported in the last 10 min).`,
  ],
])("%j finds %s", async (args, names, head) => {
  const found = await near(args);
  expect(found.head.replace(" Times in UTC, now 2026-11-20 08:34.", "")).toBe(head);
  expect([found.names, found.total]).toEqual([names, Number(/of (\d+)/.exec(head)?.[1])]);
});

it("says that a requested vehicle is sold", async () => {
  const service = await cannedService(({ fields }) =>
    fields["showAllVehicleStatus"] ? [...FLEET, { assetId: "v9", assetName: "Car 9", status: "SOLD" }] : FLEET,
  );
  const asked = await runTool(findNearestVehicles, { to: "car 9" }, toolsOver(service).context);
  expect(asked).toHaveProperty("structured.question", expect.stringContaining('matches "car 9". Car 9 (v9) is sold. Did you mean'));
});

it("counts nothing as hidden if privacy is off", async () => {
  expect((await near({ to: "45, 4" }, { FLEET_PRIVACY: "off" })).head).toMatch(
    /4 of 4 vehicles\..* Left out, whereabouts unknown: 1 without a valid position\./,
  );
});

describe("the next page", () => {
  it.each(["45, 4", "truck 1"])("continues from %s, even if the vehicle there has moved", async (to) => {
    const first = await near({ to, limit: 1 });
    const moved = [{ ...FLEET[0], latitude: 46.5 }, ...FLEET.slice(1)];
    const second = await near({ to, limit: 1, cursor: first.next }, {}, to === "truck 1" ? moved : FLEET);
    const third = second.next === undefined ? { names: "" } : await near({ to, limit: 1, cursor: second.next });
    expect([first.names, second.names, third.names]).toEqual(to === "truck 1" ? ["Van 3", "Van 2", ""] : ["Truck 1", "Van 3", "Van 2"]);
    expect(second.head).toContain(`from ${to === "truck 1" ? "Truck 1 (v1)" : to}`);
  });
});

describe("vehicles for a job", () => {
  it("come with a reason, and the next page without a total", async () => {
    const first = await near({ to: "45, 4", driveHours: 1, limit: 1 });
    expect(Object.keys(first.items[0] ?? {})).toContain("why");
    expect(Object.keys(first.items[0] ?? {})).not.toContain("km");
    expect(first.total).toBeGreaterThan(1);
    const second = await near({ to: "45, 4", driveHours: 1, limit: 1, cursor: first.next });
    expect([second.total, second.names === first.names]).toEqual([undefined, false]);
  });
});
