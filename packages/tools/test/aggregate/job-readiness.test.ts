import { expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import { type Ready, readyForJob } from "../../src/tools/job-readiness.ts";
import { cannedService, toolsOver } from "../canned-service.ts";

const HOUR = 3_600_000;
const vehicle = (assetId: string, km: number, more: Position = {}) => ({ km, position: { assetId, activeFaultCodes: [], ...more } });

const LEFT = new Map([
  ["fresh", { atLeast: 9 * HOUR, atMost: 9 * HOUR }],
  ["tired", { atLeast: HOUR, atMost: HOUR }],
  ["gaps", { atLeast: 0, atMost: 4.5 * HOUR }],
]);

async function ready(near: Parameters<typeof readyForJob>[0], hours: number): Promise<Ready> {
  const service = await cannedService(() => ({ items: [] }));
  return readyForJob(near, hours, async () => LEFT, toolsOver(service).context);
}

it("a vehicle whose driver may not drive long enough is left out, and the result says what is uncertain", async () => {
  const near = [
    vehicle("c", 30, { driverId: "gaps", fuelLevelPercentage: 50 }),
    vehicle("a", 10.4, { driverId: "tired", fuelLevelPercentage: 50 }),
    vehicle("b", 20, { driverId: "fresh", fuelLevelPercentage: 19.9, electricBatteryLevelPercent: 81 }),
    vehicle("d", 40, { driverId: "nobody" }),
    vehicle("e", 5, { fuelLevelPercentage: 19 }),
  ];
  const { vehicles, notes } = await ready(near, 2);
  expect(vehicles.map(({ position, why }) => [position.assetId, why])).toEqual([
    ["b", "20 km, 9 h 00 min driving left, 20% fuel and 81% battery, no stop lamp"],
    ["c", "30 km, 0 min to 4 h 30 min driving left, 50% fuel, no stop lamp"],
    ["d", "40 km, driving time unknown, level not reported, no stop lamp"],
  ]);
  expect(notes).toEqual([
    "Left out: 1 below 20% fuel or battery, 1 with less than 2 h of driving left.",
    "Driving time is unknown for 1 of the 3.",
  ]);
});

it("only the nearest 40 are checked, and the result says so", async () => {
  const { vehicles, notes } = await ready(
    Array.from({ length: 41 }, (_, at) => vehicle(`v${at}`, 41 - at)),
    0,
  );
  expect([vehicles.length, vehicles[0]?.km]).toEqual([40, 1]);
  expect(notes).toEqual(["Only the nearest 40 vehicles of 41 were checked.", "Driving time is unknown for all 40."]);
});

it("trailers are left out, and unknown types are not", async () => {
  const near = [
    vehicle("a", 1, { assetType: "SEMI_TRAILER" }),
    vehicle("b", 2, { assetType: "Anhänger" }),
    vehicle("c", 3, { assetType: "TRUCK" }),
  ];
  const { vehicles, notes } = await ready([...near, vehicle("d", 4)], 0);
  expect(vehicles.map(({ position }) => position.assetId)).toEqual(["a", "c", "d"]);
  expect(notes).toEqual(["Left out: 1 trailer.", "Driving time is unknown for all 3."]);
  expect((await ready([...near, vehicle("e", 5, { assetType: "trailer" })], 0)).notes[0]).toBe("Left out: 2 trailers.");
});

it("the result says if the driving time was not checked", async () => {
  const { context } = toolsOver(await cannedService(() => ({ items: [] })));
  const near = [vehicle("a", 1, { driverId: "tired" })];
  for (const read of [undefined, async () => undefined]) {
    const { vehicles, notes } = await readyForJob(near, 9, read, context);
    expect([vehicles[0]?.why, notes]).toEqual([
      "1 km, driving time unknown, level not reported, no stop lamp",
      ["Driving time was not checked."],
    ]);
  }
  expect((await ready([vehicle("b", 1)], 9)).vehicles[0]?.why).toBe("1 km, no driver, level not reported, no stop lamp");
});

it("faults are read of the vehicles that may have some, once for each", async () => {
  const lit = (vehicleId: unknown) => ({
    items: [{ id: vehicleId, faults: vehicleId === "b" ? [{ details: { lamps: ["STOP"] } }] : [] }],
    pagination: { totalItems: 1 },
  });
  const service = await cannedService(({ fields }) => lit(fields["vehicleId"]));
  const near = [
    vehicle("a", 1),
    vehicle("b", 2, { activeFaultCodes: ["P1"] }),
    vehicle("c", 3, { activeFaultCodes: undefined }),
    vehicle("d", 4, { activeFaultCodes: ["P1"], fuelLevelPercentage: 5 }),
  ];
  const { vehicles, notes } = await readyForJob(near, 0, undefined, toolsOver(service).context);
  expect(service.asked.map(({ fields }) => fields["vehicleId"]).sort()).toEqual(["b", "c"]);
  expect(vehicles.map(({ position }) => position.assetId)).toEqual(["a", "c"]);
  expect(notes[0]).toBe("Left out: 1 with the red stop lamp lit, 1 below 20% fuel or battery.");
});
