import { describe, expect, it } from "vitest";
import { cannedFleet, fleetOf, type Position } from "../../tools/test/canned-fleet.ts";
import { errorOf, questionOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const at = (assetName: string, latitude: number | undefined, longitude: number | undefined, more: Position = {}): Position => ({
  assetId: assetName.toLowerCase().replace(" ", ""),
  assetName,
  ...(latitude !== undefined && { latitude }),
  ...(longitude !== undefined && { longitude }),
  date: "2026-11-20T08:30:00Z",
  ...more,
});

const LYON = { locationId: "l1", locationName: "Lyon Depot" };
const FLEET = [
  at("Truck 1", 45.75, 4.85, { ...LYON, driverName: "Anna Keller", eventType: "stopped", speed: 0 }),
  at("Truck 2", 45.7502, 4.8502, { ...LYON, eventType: "idling", speed: 0 }),
  at("Van 7", 46.75, 4.85, { eventType: "driving", speed: 80, energyType: "EV", assetGroupId: "g1", assetGroupName: "Lyon Vans" }),
  at("Van 8", 45.75, 5.85, { eventType: "driving", energyType: "ICE", assetGroupId: "g1", assetGroupName: "Lyon Vans" }),
  at("Truck 9", 48.85, 2.35, { eventType: "ping", speed: 30, assetGroupId: "g2", assetGroupName: "Paris Trucks" }),
  at("Van 13", 45.76, 4.86, { privacy: true, locationName: "Home", locationId: "l2", assetGroupId: "g1", assetGroupName: "Lyon Vans" }),
  at("Trailer 5", undefined, undefined),
];

const serve = (env: Record<string, string> = {}, body: unknown[] = FLEET) =>
  serverUnderTest({ script: { listLivePositions: () => ({ body }) }, env });

const named = (items: Position[]) => items.map(({ assetName }) => assetName);

describe("find_nearest_vehicles", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["a vehicle, which is not its own neighbour", { to: "truck 1" }, ["Truck 2", "Van 8", "Van 7", "Truck 9"]],
    ["a driver", { to: "keller" }, ["Truck 2", "Van 8", "Van 7", "Truck 9"]],
    ["a location, including the vehicles in it", { to: "the Lyon depot", limit: 4 }, ["Truck 1", "Truck 2", "Van 8", "Van 7"]],
    ["a point", { to: "48.8, 2.3" }, ["Truck 9", "Van 7", "Truck 2", "Truck 1", "Van 8"]],
    ["within a group", { to: "truck 1", group: "lyon vans" }, ["Van 8", "Van 7"]],
    ["moving vehicles only", { to: "truck 1", moving: true }, ["Van 8", "Van 7", "Truck 9"]],
    ["stopped vehicles only", { to: "truck 1", moving: false }, ["Truck 2"]],
    ["one energy type only", { to: "truck 1", type: "electric vehicles" }, ["Van 7"]],
    ["within a distance", { to: "truck 1", withinKm: 80 }, ["Truck 2", "Van 8"]],
    ["up to a limit", { to: "truck 1", limit: 1 }, ["Truck 2"]],
  ])("lists by distance from %s", async (_, args, names) => {
    const { items } = structuredOf(await (await serve()).call("find_nearest_vehicles", args));
    expect(named(items)).toEqual(names);
  });

  it("returns distance, direction and age, in text and structure", async () => {
    const { call } = await serve();
    const result = await call("find_nearest_vehicles", { to: "truck 1" });
    const { items, total, note } = structuredOf(result);
    // One degree of latitude is 111.19 km on a sphere of radius 6371 km; one of longitude is that times the cosine.
    expect(items[2]).toMatchObject({ assetName: "Van 7", direction: "N", age: "4 min ago" });
    expect(Math.abs(items[2].km - 111.19)).toBeLessThan(0.1);
    expect(items[1]).toMatchObject({ assetName: "Van 8", direction: "E" });
    expect(Math.abs(items[1].km - 77.59)).toBeLessThan(0.1);
    expect(total).toBe(4);
    expect(note).toContain("from Truck 1 (truck1)");
    expect(note).toContain("1 on private journeys");
    expect(note).toContain("1 without a valid position");
    for (const word of ["direction", "km", "4 min ago", String(items[2].km), "N"]) expect(textOf(result)).toContain(word);
  });

  it("omits private journeys, and their location, unless FLEET_PRIVACY is off", async () => {
    const hidden = await serve();
    expect(JSON.stringify(await hidden.call("find_nearest_vehicles", { to: "45.76, 4.86" }))).not.toContain("Van 13");
    expect(errorOf(await hidden.call("find_nearest_vehicles", { to: "van 13" }))).toContain("private journey");
    expect(questionOf(await hidden.call("find_nearest_vehicles", { to: "home" }))).toMatch(
      /^No vehicle, driver, location or town matches "home"/,
    );
    const shown = await serve({ FLEET_PRIVACY: "off" });
    expect(structuredOf(await shown.call("find_nearest_vehicles", { to: "45.76, 4.86" })).items[0]).toMatchObject({
      assetName: "Van 13",
      km: 0,
    });
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["nothing to measure from", {}, /^input: find_nearest_vehicles: to: is required/],
    ["no position", { to: "trailer 5" }, /Trailer 5 \(trailer5\) has reported no position/],
  ])("accepts no other origin: %s", async (_, args, expected) => {
    expect(errorOf(await (await serve()).call("find_nearest_vehicles", args))).toMatch(expected);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["several", { to: "van" }, /^3 vehicles, drivers, locations and towns match "van"\. Which one: Van 7 \(van7\); Van 8/],
    ["none", { to: "crane 4" }, /^No vehicle, driver, location or town matches "crane 4"\. What is the .*call again with it as to\.$/],
    ["an unknown group", { to: "truck 1", group: "Berlin" }, /^No group matches "Berlin"\. .* as group\.$/],
  ])("asks rather than guesses: %s", async (_, args, expected) => {
    expect(questionOf(await (await serve()).call("find_nearest_vehicles", args))).toMatch(expected);
  });

  it("continues after the last row, from the same point, even if the fleet has moved", async () => {
    const { call, service } = await serve({}, fleetOf(40));
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const page = structuredOf(
        await call("find_nearest_vehicles", { to: "truck 7", limit: 7, ...(next !== undefined && { cursor: next }) }),
      );
      seen.push(...page.items.map(({ assetName }: Position) => assetName));
      next = page.next;
      const moved = fleetOf(40).map((position) => (position.assetName === "Truck 7" ? { ...position, latitude: -30 } : position));
      service.script = { ...service.script, listLivePositions: () => ({ body: moved }) };
    } while (next !== undefined);
    expect(seen).toHaveLength(39);
    expect(new Set(seen).size).toBe(39);
  });

  it("lists each of several vehicles without an id at one place once", async () => {
    const body = ["A", "B", "C"].map((assetName) => ({ assetName, latitude: 45, longitude: 5 }));
    const { call } = await serve({}, body);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const args = { to: "45, 5", limit: 1, ...(cursor !== undefined && { cursor }) };
      const { items, next } = structuredOf(await call("find_nearest_vehicles", args));
      seen.push(...named(items).map(String));
      cursor = next;
    } while (cursor !== undefined);
    expect(seen).toEqual(["A", "B", "C"]);
  });

  it("lists the existing kinds if no vehicle is of the requested one", async () => {
    const { items, total, note } = structuredOf(await (await serve()).call("find_nearest_vehicles", { to: "truck 1", type: "hydrogen" }));
    expect([items, total]).toEqual([[], 0]);
    expect(note).toContain("The fleet has 0 of this type; types: none; energy: EV 1, ICE 1.");
  });

  it("respects FLEET_DRIVER_NAMES=hide", async () => {
    const { call } = await serve({ FLEET_DRIVER_NAMES: "hide" }, cannedFleet());
    const result = await call("find_nearest_vehicles", { to: "truck 12", limit: 50 });
    expect(JSON.stringify(result)).not.toMatch(/Keller|Dupont|Privat/);
    expect(structuredOf(result).items[0].driverName).toMatch(/^Driver [0-9a-f]{10}$/);
  });
});
