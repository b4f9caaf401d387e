import { FleetError } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import { originOf } from "../../src/lookup/near-place.ts";
import type { NameQuestion, UnresolvedName } from "../../src/names/name-question.ts";
import { TownIndex } from "../../src/places/town-index.ts";
import { fleetOf } from "./fleet-of.ts";
import { gazetteerOf } from "./small-gazetteer.ts";

const index = new TownIndex(
  gazetteerOf({
    AU: [["Lyon", -30, 140, 1]],
    DE: [
      ["Frankfurt am Main", 50.1, 8.7, 750],
      ["Leipzig", 51.3, 12.4, 600],
      ["Frankfurt (Oder)", 52.3, 14.5, 57],
      ["Neustadt", 60, 30, 50],
      ["Neustadt", 61, 30, 20],
    ],
    FR: [
      ["Lyon", 45.8, 4.8, 520],
      ["Bordeaux", 44.8, -0.6, 260],
      ["Lyon", 20, -60, 2],
      ["Lyon", 10, -70, 1],
    ],
    IT: [["Florence", 43.8, 11.3, 350]],
  }),
);

const FLEET: Position[] = [
  { assetId: "t1", assetName: "Truck 1", assetRegistration: "AB 1234", latitude: 50, longitude: 9, assetGroupName: "Leipzig" },
  { assetId: "v1", assetName: "Leipzig van", latitude: 51, longitude: 10, driverName: "Ana Florence" },
  { assetId: "t2", assetName: "Truck 2", driverName: "Bo Tanaka" },
  { assetId: "p1", assetName: "Secret 7", driverName: "Kim Oh", privacy: true },
  { assetId: "d1", assetName: "Shuttle", latitude: 50, longitude: 10, locationId: "l1", locationName: "North depot" },
  { assetId: "d2", assetName: "Runner", latitude: 50.03125, longitude: 10, locationId: "l1", locationName: "North depot" },
  { assetName: "Nameless", latitude: 1, longitude: 2 },
  { assetId: "k1", assetName: "Crane", latitude: 48, longitude: 9, city: "Kleindorf" },
];
const fleet = await fleetOf(...FLEET);
const origin = (to: string) => originOf(to, fleet, async () => index);

describe("distances are measured from", () => {
  it.each([
    ["51.31, 9.48", 51.31, 9.48, "51.31, 9.48"],
    ["-51.31;-9.48", -51.31, -9.48, "-51.31, -9.48"],
    ["51°, 9°", 51, 9, "51, 9"],
    ["90, 180", 90, 180, "90, 180"],
    ["Halle, Germany (51.5, 12)", 51.5, 12, "51.5, 12"],
    ["Leipzig", 51.3, 12.4, "Leipzig, Germany"],
    ["near Lipsia, Germany", 51.3, 12.4, "Leipzig, Germany"],
    ["Lyon", 45.8, 4.8, "Lyon, France (not Lyon, France or Lyon, Australia)"],
    ["Kleindorf", 48, 9, "Kleindorf (the center of the vehicles that report it)"],
    ["truck 1", 50, 9, "Truck 1 (AB 1234)", "t1"],
    ["t1", 50, 9, "Truck 1 (AB 1234)", "t1"],
    ["l1", 50.015625, 10, "North depot"],
    ["AB 1234", 50, 9, "Truck 1 (AB 1234)", "t1"],
    ["where is the Leipzig van", 51, 10, "Leipzig van (v1)", "v1"],
    ["ana florence", 51, 10, "Leipzig van (v1)", "v1"],
    ["nameless", 1, 2, "Nameless"],
    ["north depot", 50.015625, 10, "North depot"],
    ["depot", 50.015625, 10, "North depot"],
    ["shutle", 50, 10, "Shuttle (d1)", "d1"],
  ])("%j", async (to, latitude, longitude, name, vehicle?: string) => {
    expect(await origin(to)).toEqual({ point: { latitude, longitude }, name, vehicle });
  });

  it.each([
    ["that one of four vehicles has left", [51.25, 51.25, 51.25, 53.5], 51.25, "Yard (where 3 of its 4 vehicles are)"],
    ["that the first of three vehicles has left", [53.5, 51.25, 51.25], 51.25, "Yard (where 2 of its 3 vehicles are)"],
    ["of which two vehicles disagree", [51.25, 53.5], 51.25, "Yard (where 1 of its 2 vehicles is)"],
  ])("a location %s", async (_, latitudes, latitude, name) => {
    const inside = latitudes.map((latitude, at) => ({
      assetId: `y${at}`,
      latitude,
      longitude: 12,
      locationId: "l9",
      locationName: "Yard",
    }));
    const yard = await originOf("yard", await fleetOf(...inside), async () => index);
    expect(yard).toEqual({ point: { latitude, longitude: 12 }, name });
  });

  it("a vehicle whose whole name is also a town's", async () => {
    const cranes = await fleetOf({ assetId: "f", assetName: "Florence", latitude: 1, longitude: 2 });
    expect(await originOf("florence", cranes, async () => index)).toMatchObject({ name: "Florence (f)" });
  });

  it("a town rather than a driver whose name is spelled otherwise", async () => {
    const vans = await fleetOf({ assetId: "a", assetName: "Van", driverName: "Ana Bordeaus", latitude: 50, longitude: 9 });
    expect(await originOf("Bordeaux", vans, async () => index)).toMatchObject({ name: "Bordeaux, France" });
    expect(await originOf("Bordeaus", vans, async () => index)).toMatchObject({ name: "Van (a)" });
  });

  it("the center of the vehicles inside a location that have a position", async () => {
    const inside = { locationName: "Yard" };
    const yard = await fleetOf({ assetId: "a", latitude: 3, longitude: 4, ...inside }, { assetId: "b", ...inside });
    expect(await originOf("yard", yard, async () => index)).toEqual({ point: { latitude: 3, longitude: 4 }, name: "Yard" });
  });

  it.each([
    ["truck 2", "to: Truck 2 (t2) has reported no position"],
    ["secret 7", "to: Secret 7 (p1) is on a private journey, whereabouts withheld"],
  ])("not %j", async (to, message) => {
    const error = await origin(to).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FleetError);
    expect(error).toMatchObject({ code: "input", message, advice: expect.stringContaining("51.31,9.48") });
  });
});

async function questionAbout(to: string): Promise<UnresolvedName> {
  const error = await origin(to).catch((reason: unknown) => reason);
  return (error as NameQuestion).unresolved;
}

const ANYTHING = { noun: ["vehicle, driver, location or town", "vehicles, drivers, locations and towns"] };

describe("a question is asked", () => {
  it("about several towns", async () => {
    expect(await questionAbout("Neustadt")).toEqual({
      ...{ result: "ambiguous", field: "to", query: "Neustadt", noun: ["town", "towns"], distinguishedBy: "country and region", total: 2 },
      candidates: [
        {
          label: "Neustadt, Germany (60.00, 30.00)",
          record: { city: "Neustadt", country: "DE", latitude: 60, longitude: 30 },
        },
        {
          label: "Neustadt, Germany (61.00, 30.00)",
          record: { city: "Neustadt", country: "DE", latitude: 61, longitude: 30 },
        },
      ],
    });
  });

  it("about the eight largest of many towns", async () => {
    const many = Array.from({ length: 9 }, (_, at) => ["Springfield", 30 + at, -90, 100 - at] as const);
    const towns = new TownIndex(gazetteerOf({ US: many }));
    const error = await originOf("Springfield", fleet, async () => towns).catch((reason: unknown) => reason);
    const { total, candidates } = (error as NameQuestion).unresolved;
    expect(total).toBe(9);
    expect(candidates.map(({ record }) => record["latitude"])).toEqual([30, 31, 32, 33, 34, 35, 36, 37]);
  });

  it.each([
    ["Quai Perrache 10, 69002 Lyon, France", "Lyon, France"],
    ["Hauptstr. 7, Leipzig", "Leipzig, Germany"],
    ["Dock 3, Unit 4, 04103 Leipzig, Germany", "Leipzig, Germany"],
    ["Hauptstr. 7, 15230 Frankfurt (Oder)", "Frankfurt (Oder), Germany"],
  ])("about the town of the address %j", async (to, town) => {
    const { result, candidates } = await questionAbout(to);
    expect(result).toBe("notFound");
    expect(candidates[0]?.label).toContain(town);
  });

  it.each(["Hauptstr. 7, Nowhere", "Hauptstr. 7, 99", "a, b, c, d, e, Leipzig"])("about no town: %j", async (to) => {
    const { candidates } = await questionAbout(to);
    expect(candidates.filter(({ record }) => "city" in record)).toEqual([]);
  });

  it("about a town and a driver", async () => {
    expect(await questionAbout("Florence")).toEqual({
      ...{ result: "ambiguous", field: "to", query: "Florence", ...ANYTHING, distinguishedBy: "country and region", total: 2 },
      candidates: [
        { label: "Leipzig van (v1), driver Ana Florence", record: { assetId: "v1", assetName: "Leipzig van", driverName: "Ana Florence" } },
        {
          label: "Florence, Italy (43.80, 11.30)",
          record: { city: "Florence", country: "IT", latitude: 43.8, longitude: 11.3 },
        },
      ],
    });
  });

  it("about towns of a similar name, which holds no number", async () => {
    expect(await questionAbout("Bordeux")).toMatchObject({
      result: "notFound",
      ...ANYTHING,
      candidates: [{ record: { city: "Bordeaux" } }],
    });
    expect(await questionAbout("Bordeux, France")).toMatchObject({ candidates: [{ record: { city: "Bordeaux" } }] });
    expect(JSON.stringify(await questionAbout("Bordeux, Italy"))).not.toContain("Bordeaux");
    expect(await questionAbout("Bordeux 7")).toMatchObject({ result: "notFound", candidates: [{ record: { assetId: "p1" } }] });
  });

  it("about a town of a similar name rather than several such vehicles", async () => {
    const vans = await fleetOf({ assetId: "a", assetName: "Bordeaus van" }, { assetId: "b", assetName: "Bordeaus bus" });
    const asked = await originOf("Bordeaup", vans, async () => index).catch((reason) => reason.unresolved);
    expect(asked.candidates.map(({ record }: { record: object }) => record)).toMatchObject([{ city: "Bordeaux" }]);
  });

  it("about a town of a similar name and the only such location, unless that is its whole name", async () => {
    const depot = await fleetOf({ assetId: "a", latitude: 1, longitude: 2, locationName: "Leipzig Depot" });
    const asked = await originOf("Leipzg", depot, async () => index).catch((reason) => reason.unresolved);
    expect(asked).toMatchObject({ result: "notFound", candidates: [{ label: "Leipzig Depot" }, { record: { city: "Leipzig" } }] });
    expect(await originOf("Leipzig Depto", depot, async () => index)).toMatchObject({ name: "Leipzig Depot" });
  });

  it("about a reported town without a country", async () => {
    expect((await questionAbout("Kleindorv")).candidates).toEqual([
      { label: "Kleindorf (48.00, 9.00)", record: { city: "Kleindorf", latitude: 48, longitude: 9 } },
    ]);
  });

  it.each<[string, object]>([
    ["truck", { result: "ambiguous", total: 2, candidates: [{ record: { assetId: "t1" } }, { record: { assetId: "t2" } }] }],
    ["granite", { result: "notFound", ...ANYTHING, total: 0, candidates: [] }],
    ["91, 9", { result: "notFound" }],
    ["51, 181", { result: "notFound" }],
  ])("about %j, which is no town", async (to, question) => expect(await questionAbout(to)).toMatchObject(question));
});
