import { expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import { type NearestQuery, vehiclesWithDistance } from "../../src/tools/nearest-vehicles.ts";

// A degree of latitude is 111 km.
const FLEET: Position[] = [
  { assetId: "a", latitude: 50, longitude: 10, city: "Lyon" },
  { assetId: "b", latitude: 51, longitude: 10, assetType: "VAN" },
  { assetId: "c", latitude: 53, longitude: 10, assetType: "VAN" },
  { assetId: "d", latitude: 52, longitude: 10 },
  { assetId: "e", privacy: true },
  { assetId: "f" },
  { assetId: "g", privacy: true, latitude: 50, longitude: 10, assetType: "VAN" },
  { assetId: "h", privacy: true, assetType: "VAN" },
];

it.each<[why: string, query: Partial<NearestQuery>, near: string, beyondKm: number | undefined, hidden: number, unlocated: number]>([
  ["all", {}, "a 0, b 111, c 334, d 222, g 0", undefined, 2, 1],
  ["all but one", { except: "b" }, "a 0, c 334, d 222, g 0", undefined, 2, 1],
  ["those within a distance, and the nearest beyond it", { withinKm: 112 }, "a 0, b 111, g 0", 222, 2, 1],
  ["none within a distance", { withinKm: 50, except: "a", includes: ({ assetType }) => assetType === "VAN" }, "g 0", 111, 1, 0],
  ["those included", { includes: ({ assetType }) => assetType === "VAN" }, "b 111, c 334, g 0", undefined, 1, 0],
  ["those in a place, which says nothing of private journeys", { isThere: ({ city }) => city === "Lyon" }, "a 0", undefined, 2, 0],
])("distances are computed for %s", async (_, query, near, beyondKm, hidden, unlocated) => {
  const found = await vehiclesWithDistance(FLEET, { from: { latitude: 50, longitude: 10 }, ...query });
  expect(found.near.map(({ position, km }) => `${position.assetId} ${Math.round(km)}`).join(", ")).toBe(near);
  expect([found.beyondKm && Math.round(found.beyondKm), found.hidden, found.unlocated]).toEqual([beyondKm, hidden, unlocated]);
});
