import { describe, expect, it } from "vitest";
import type { Position } from "../../tools/test/canned-fleet.ts";
import { questionOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const at = (assetName: string, latitude: number, longitude: number, more: Position = {}): Position => ({
  assetId: assetName.toLowerCase().replace(" ", ""),
  assetName,
  latitude,
  longitude,
  date: "2026-11-20T08:30:00Z",
  ...more,
});

const GERMANY = { country: "Germany" };
const FLEET = [
  at("Truck 1", 51.4, 9.6, { ...GERMANY, city: "Göttingen", assetType: "TRUCK", activeFaultCodes: ["P1"] }),
  at("Hannover Van", 52.4, 9.7, { ...GERMANY, city: "Hannover", assetType: "VAN" }),
  at("Truck 3", 50.1, 8.7, { country: "Deutschland", city: "Frankfurt am Main", assetType: "TRUCK", driverName: "Florence Petit" }),
  at("Truck 4", 41.6, -0.9, { country: "Spain", city: "Zaragoza", assetType: "TRUCK" }),
  at("Car 13", 51.32, 9.5, { ...GERMANY, city: "Kassel", assetType: "CAR", privacy: true }),
];

const serve = (body: unknown[] = FLEET) => serverUnderTest({ script: { listLivePositions: () => ({ body }) } });

async function nearest(args: Record<string, unknown>, fleet?: unknown[]) {
  const result = structuredOf(await (await serve(fleet)).call("find_nearest_vehicles", args));
  return { names: result.items.map(({ assetName }: Position) => assetName), ...result };
}

describe("the vehicles nearest to a town", () => {
  it.each<[string, string, string[], string]>([
    ["that no vehicle reports", "Kassel", ["Truck 1", "Hannover Van"], "from Kassel, Germany."],
    ["in a sentence", "the city of Kassel, Germany", ["Truck 1", "Hannover Van"], "from Kassel, Germany."],
    ["after which a vehicle is named", "Hannover", ["Hannover Van", "Truck 1"], "from Hannover, Germany."],
    ["in another language", "Saragosse", ["Truck 4", "Truck 3"], "from Zaragoza, Spain."],
    ["in several words", "Monaco di Baviera", ["Truck 3", "Truck 1"], "from Munich, Germany."],
    [
      "of several, which one the fleet reports",
      "Frankfurt",
      ["Truck 3", "Truck 1"],
      "from Frankfurt am Main, Germany (not Frankfurt (Oder), Germany).",
    ],
    ["of several, given the country", "Halle, Belgium", ["Truck 3", "Truck 1"], "from Halle, Belgium."],
    ["as a question listed it", "Halle (Saale), Germany, near Leipzig (51.48, 11.98)", ["Truck 1", "Hannover Van"], "from 51.48, 11.98."],
  ])("%s: %s", async (_, to, names, from) => {
    const { names: listed, note } = await nearest({ to, limit: 2 });
    expect(listed).toEqual(names);
    expect(note).toContain(from);
  });

  it("asks which of several towns is meant, or whether a driver is", async () => {
    const { call } = await serve();
    expect(questionOf(await call("find_nearest_vehicles", { to: "Halle" }))).toMatch(
      /^3 towns match "Halle"\. Which one: Halle \(Saale\), Germany, near Leipzig \(51\.48, 11\.98\); Halle, Belgium, near Brussels \(50\.73, 4\.23\); Halle, Germany, near Bielefeld/,
    );
    expect(questionOf(await call("find_nearest_vehicles", { to: "Florence" }))).toMatch(
      /^2 vehicles, drivers, locations and towns match "Florence"\. Which one: Truck 3 \(truck3\), driver Florence Petit; Florence, Italy/,
    );
    expect(questionOf(await call("find_nearest_vehicles", { to: "Neustadt an der Weinstraße" }))).toMatch(
      /^No vehicle, driver, location or town matches "Neustadt an der Weinstraße"\. Did you mean Neustadt, Germany, near Ludwigshafen am Rhein \(49\.35, 8\.14\)\?/,
    );
    for (const [typo, town] of [
      ["Salzburk", "Salzburg, Austria"],
      ["Bordeux", "Bordeaux, France"],
    ] as const)
      expect(questionOf(await call("find_nearest_vehicles", { to: typo }))).toContain(`Did you mean ${town}`);
    const elsewhere = await serve([at("Truck 4", 41.6, -0.9)]);
    expect(questionOf(await elsewhere.call("find_nearest_vehicles", { to: "Frankfurt" }))).toMatch(/^2 towns match "Frankfurt"/);
  });

  it("uses the center of the vehicles that report a town that is not on the map", async () => {
    const { note, items } = await nearest({ to: "Kleinkleckersdorf" }, [at("Truck 1", 50, 10, { city: "Kleinkleckersdorf" })]);
    expect(note).toContain("from Kleinkleckersdorf (the center of the vehicles that report it)");
    expect(items[0].km).toBe(0);
  });
});

it("says how far the nearest vehicle is if none is within the distance", async () => {
  expect((await nearest({ to: "Kassel", withinKm: 1 })).note).toContain("only within 1 km. The nearest is 11 km away.");
});

describe("in a country or city", () => {
  it.each<[string, string[]]>([
    ["Germany", ["Truck 1", "Hannover Van", "Truck 3"]],
    ["Niemcy", ["Truck 1", "Hannover Van", "Truck 3"]],
    ["Saragossa", ["Truck 4"]],
    ["Goettingen", ["Truck 1"]],
    ["Frankfurt", ["Truck 3"]],
    ["Paris", []],
  ])("%s", async (place, names) => expect((await nearest({ to: "Kassel", in: place })).names).toEqual(names));

  it("no vehicle on a private journey is matched, and the result says how many are left out", async () => {
    const { names, note } = await nearest({ to: "Kassel", in: "Kassel" });
    expect([names, note]).toEqual([[], expect.stringContaining("Left out, whereabouts unknown: 1 on private journeys.")]);
    const { call } = await serve();
    expect(textOf(await call("summarize_fleet", { in: "Kassel" }))).toMatch(/^0 vehicles .* 1 on private journeys, whereabouts withheld\./);
  });

  it("asks about several such cities, or one that does not exist", async () => {
    const { call } = await serve([
      at("Truck 1", 51, 4, { city: "Halle", country: "Belgium" }),
      at("Truck 2", 52, 8, { city: "Halle", ...GERMANY }),
    ]);
    expect(questionOf(await call("find_nearest_vehicles", { to: "truck 1", in: "Halle" }))).toContain(
      "Which one: Halle, Belgium (1 vehicle); Halle, Germany",
    );
    expect(questionOf(await call("find_nearest_vehicles", { to: "truck 1", in: "Bavaria" }))).toContain("No country or city matches");
  });
});

describe("who can take a job", () => {
  const fault = (lamp: string, inProgress: boolean) => ({ code: "P1", inProgress, details: { lamps: [lamp] } });
  const faultsOf: Record<string, unknown[]> = {
    truck1: [fault("RED_STOP", true)],
    truck2: [fault("RED_STOP", false), fault("AMBER_WARNING", true)],
  };
  const FLEET = [
    at("Truck 1", 51.33, 9.5, { activeFaultCodes: ["P1"], fuelLevelPercentage: 80 }),
    at("Truck 2", 51.42, 9.5, { activeFaultCodes: ["P1"], fuelLevelPercentage: 80.4, driverId: "d2", driverName: "Anna Keller" }),
    at("Truck 3", 51.34, 9.5, { activeFaultCodes: [], fuelLevelPercentage: 10 }),
    at("Trailer 4", 51.34, 9.5, { assetType: "TRAILER" }),
    at("eVan 5", 51.52, 9.5, { activeFaultCodes: [], electricBatteryLevelPercent: 60, fuelLevelPercentage: 5 }),
  ];

  it("lists each candidate with its reason, and says why others were left out", async () => {
    const { call, service } = await serverUnderTest({
      script: {
        listLivePositions: () => ({ body: FLEET }),
        listVehicleFaults: ({ url }: { url: URL }) => {
          const id = url.searchParams.get("vehicleId") ?? "";
          return { body: { items: [{ id, faults: faultsOf[id] ?? [] }], pagination: { totalItems: 1, totalPages: 1 } } };
        },
      },
    });
    const { items, total, note } = structuredOf(await call("find_nearest_vehicles", { to: "Kassel", driveHours: 1 }));
    expect(items.map(({ assetName, why }: Record<string, string>) => [assetName, why])).toEqual([
      ["Truck 2", "11 km, driving time unknown, 80% fuel, no stop lamp"],
      ["eVan 5", "22 km, no driver, 5% fuel and 60% battery, no stop lamp"],
    ]);
    expect(total).toBe(2);
    expect(note).toContain("Left out: 1 with the red stop lamp lit, 1 below 20% fuel or battery, 1 trailer.");
    // Only the faults of vehicles with active fault codes are read.
    expect(
      service
        .of("listVehicleFaults")
        .map(({ url }) => url.searchParams.get("vehicleId"))
        .sort(),
    ).toEqual(["truck1", "truck2"]);
  });
});
