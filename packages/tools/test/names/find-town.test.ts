import { describe, expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import { distinctLabel, findTown, similarTowns } from "../../src/lookup/find-town.ts";
import { TownIndex } from "../../src/places/town-index.ts";
import { fleetOf } from "./fleet-of.ts";
import { gazetteerOf } from "./small-gazetteer.ts";

// Half a degree of latitude is 55.6 km.
const index = new TownIndex(
  gazetteerOf({
    BE: [["Halle", 50.7, 4.2, 40]],
    DE: [
      ["Frankfurt am Main", 50.1, 8.7, 750],
      ["Leipzig", 51.3, 12.4, 600],
      ["Halle", 51.5, 12, 240],
      ["Frankfurt (Oder)", 52.3, 14.5, 57],
      ["Halle", 52.1, 8.4, 21],
      ["Burg", 52.3, 11.9, 20],
      ["Burg", 52.35, 11.9, 2],
      ["Berg", 48, 10, 50],
      ["Berg", 48.4, 10, 20],
      ["Altdorf", 47, 9, 60],
      ["Altdorf am See", 48, 11, 40],
      ["Altdorf im Wald", 49, 12, 11],
      ["Neustadt", 49.3, 8.1, 50],
      ["Neustadt bei Coburg", 50.3, 11.1, 24],
      ["Neustadt am Kulm", 49.8, 11.8, 9],
    ],
    FR: [["Paris", 48.9, 2.4, 2_100]],
    US: [
      ["Paris", 33.7, -95.6, 25],
      ["Burg", 30, -90, 30],
    ],
  }),
);
const gazetteer = async () => index;

const at = (latitude: number | undefined, longitude: number, more: Position = {}): Position => ({ latitude, longitude, ...more });

/** A town as its country and latitude, with the vehicles that report it. */
const brief = ({ name, country, latitude, vehicles }: { name: string; country: string | undefined; latitude: number; vehicles: number }) =>
  `${name} ${country ?? "-"} ${latitude}${vehicles > 0 ? ` x${vehicles}` : ""}`;

async function found(text: string, ...positions: Position[]): Promise<string> {
  const resolution = await findTown(text, await fleetOf(...positions), gazetteer);
  if (!resolution) return "none";
  if (resolution.result === "ambiguous") return `? ${resolution.towns.map(brief).join(", ")}`;
  const others = resolution.others.map(brief).join(", ");
  return `${brief(resolution.town)}${others ? ` not ${others}` : ""}`;
}

describe("a town is found", () => {
  it.each<[why: string, text: string, expected: string, fleet: Position[]]>([
    ["by its whole name", "Leipzig", "Leipzig DE 51.3", []],
    ["not by a longer name of a much smaller one", "Neustadt", "Neustadt DE 49.3", [at(50.3, 11.1)]],
    ["of several, without those that are less than a fifth as large", "Altdorf", "? Altdorf DE 47, Altdorf am See DE 48", []],
    ["in its country", "Halle, Belgium", "Halle BE 50.7", []],
    ["not in another country", "Halle, France", "none", []],
    ["by no country alone", "Germany", "none", []],
    ["not by another name", "Atlantis", "none", []],
    [
      "of several, as the one that vehicles report",
      "Halle",
      "Halle DE 52.1 x2 not Halle DE 51.5, Halle BE 50.7",
      [at(52.1, 8.4, { city: "Halle", country: "Germany" }), at(52.11, 8.4, { city: "Halle", country: "Germany" })],
    ],
    [
      "of several, not if vehicles report two",
      "Halle",
      "? Halle DE 51.5, Halle BE 50.7 x1, Halle DE 52.1 x1",
      [at(52.1, 8.4, { city: "Halle", country: "Germany" }), at(50.7, 4.2, { city: "Halle", country: "Belgium" })],
    ],
    ["as a much larger one, if no vehicle is near another", "Paris", "Paris FR 48.9 not Paris US 33.7", [at(34.3, -95.6)]],
    ["not as a much larger one, if a vehicle is near another", "Paris", "? Paris FR 48.9, Paris US 33.7", [at(34, -95.6), at(48, 2)]],
    ["as the only one near a vehicle, if others are far", "Halle", "Halle BE 50.7 not Halle DE 51.5, Halle DE 52.1", [at(50.7, 2.9)]],
    [
      "not as one near a vehicle, if others are not far",
      "Frankfurt",
      "? Frankfurt am Main DE 50.1, Frankfurt (Oder) DE 52.3",
      [at(50.7, 9.4), at(52.3, 10.2)],
    ],
    ["not without vehicles", "Halle", "? Halle DE 51.5, Halle BE 50.7, Halle DE 52.1", []],
    ["not by vehicles without a position", "Halle", "? Halle DE 51.5, Halle BE 50.7, Halle DE 52.1", [at(undefined, 4.2)]],
    ["without its parts", "Burg", "? Burg US 30, Burg DE 52.3", []],
    [
      "if only vehicles know it, in the middle of them",
      "Kleindorf",
      "Kleindorf - 50 x2",
      [at(50.02, 10, { city: "Kleindorf" }), at(49.98, 10, { city: "Kleindorf" })],
    ],
    ["not if the vehicles that report it have no position", "Kleindorf", "none", [at(undefined, 10, { city: "Kleindorf" })]],
    ["as reported by a vehicle nearby", "Leipzig", "Leipzig DE 51.3 x1", [at(51.8, 12.4, { city: "Leipzig", country: "DE" })]],
    [
      "beside a namesake that vehicles report elsewhere",
      "Leipzig",
      "Leipzig DE 49 x1 not Leipzig DE 51.3",
      [at(49, 12.4, { city: "Leipzig", country: "DE" })],
    ],
    [
      "where it is, though one of its vehicles is far away",
      "Leipzig",
      "Leipzig DE 51.3 x2",
      [at(51.3, 12.4, { city: "Leipzig" }), at(51.35, 12.4, { city: "Leipzig" }), at(48.1, 11.6, { city: "Leipzig" })],
    ],
    [
      "where it is, though half of its vehicles are far away",
      "Leipzig",
      "Leipzig DE 51.3 x1",
      [at(51.3, 12.4, { city: "Leipzig" }), at(48.1, 11.6, { city: "Leipzig" })],
    ],
    [
      "where most of its vehicles are, if only they know it",
      "Kleindorf",
      "Kleindorf - 50 x3",
      [at(50, 10, { city: "Kleindorf" }), at(50, 10, { city: "Kleindorf" }), at(53.5, 10, { city: "Kleindorf" })],
    ],
    [
      "of two, as the nearer one to those who report it",
      "Berg",
      "Berg DE 48.4 x1 not Berg DE 48",
      [at(48.4, 10, { city: "Berg", country: "DE" })],
    ],
    ["as the nearest to those who report it", "Burg, Germany", "Burg DE 52.3 x1", [at(52.5, 11.9, { city: "Burg", country: "DE" })]],
  ])("%s: %j", async (_, text, expected, fleet) => expect(await found(text, ...fleet)).toBe(expected));

  it("without a gazetteer", async () => {
    const fleet = await fleetOf(at(50, 10, { city: "Leipzig", country: "Germany" }));
    const town = {
      name: "Leipzig",
      country: "DE",
      latitude: 50,
      longitude: 10,
      population: 0,
      isWhole: true,
      vehicles: 1,
      isEstimated: true,
    };
    expect(await findTown("Leipzig", fleet, async () => undefined)).toEqual({ result: "found", town, others: [] });
  });

  it("with its point on the map", async () => {
    expect(await findTown("Leipzig", await fleetOf(), gazetteer)).toMatchObject({
      town: { latitude: 51.3, longitude: 12.4, population: 600_000, isWhole: true, vehicles: 0, isEstimated: false },
    });
  });
});

describe("towns like", () => {
  it.each<[text: string, expected: string, fleet?: Position[]]>([
    ["Neustadt an der Weinstraße", "Neustadt DE 49.3"],
    ["Halle Nord", "Halle DE 51.5, Halle BE 50.7, Halle DE 52.1"],
    ["Frankfurt Nord", ""],
    ["Leipzik", "Leipzig DE 51.3"],
    ["Leipzik, Belgium", ""],
    ["Hale", "Halle DE 51.5"],
    ["Kleindorv", "Kleindorf - 50 x1", [at(50, 10, { city: "Kleindorf" })]],
    ["Kleindorv, France", "", [at(50, 10, { city: "Kleindorf" })]],
    ["Atlantis", ""],
  ])("%j: %s", async (text, expected, fleet = []) => {
    expect((await similarTowns(text, await fleetOf(...fleet), gazetteer)).map(brief).join(", ")).toBe(expected);
  });

  it("are at most three, the largest first", async () => {
    const many = gazetteerOf({ DE: [1, 2, 3, 4].map((count) => ["Musterstadt", 50 + count, 10, 100 * count]) });
    const towns = await similarTowns("Musterstatt", await fleetOf(), async () => new TownIndex(many));
    expect(towns.map(({ population }) => population)).toEqual([400_000, 300_000, 200_000]);
    expect(await similarTowns("Musterstatt", await fleetOf(), async () => undefined)).toEqual([]);
  });
});

it.each([
  ["Halle", "DE", 51.5, 12, 240_000, "Halle, Germany, near Leipzig (51.50, 12.00)"],
  ["Halle", "DE", 51.5, 12, 301_000, "Halle, Germany (51.50, 12.00)"],
  ["Leipzig", "DE", 51.301, 12.4, 1_000, "Leipzig, Germany, near Halle (51.30, 12.40)"],
  ["Burg", "US", 30, -90, 30_000, "Burg, United States (30.00, -90.00)"],
  ["Kleindorf", undefined, 51.4, 12.1, 0, "Kleindorf, near Halle (51.40, 12.10)"],
])("%s %s at %d, %d with %d people is labelled %j", (name, country, latitude, longitude, population, label) => {
  const town = { name, country, latitude, longitude, population, isWhole: true, vehicles: 0, isEstimated: false };
  expect(distinctLabel(town, index)).toBe(label);
  expect(distinctLabel(town, undefined)).toBe(label.replace(/, near \w+/, ""));
});
