import { describe, expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import { placeFilter } from "../../src/lookup/place-filter.ts";
import { NameQuestion, type UnresolvedName } from "../../src/names/name-question.ts";
import { TownIndex } from "../../src/places/town-index.ts";
import { fleetOf } from "./fleet-of.ts";
import { gazetteerOf } from "./small-gazetteer.ts";

const index = new TownIndex(
  gazetteerOf({
    DE: [
      ["Kiel", 54.3, 10.1, 250],
      ["Neustadt am Kulm", 49.8, 11.8, 9],
    ],
  }),
);

const at = (city: string | undefined, country?: string): Position => ({ city, country });

const FLEET = [
  at("Halle", "Germany"),
  at("Halle", "Deutschland"),
  at("Halle", "Belgium"),
  at("Frankfurt am Main", "DE"),
  at("Zaragoza", "Spain"),
  at("Casablanca", "Atlantis"),
  at("Nowhere"),
  at(undefined, "Spain"),
  at(undefined),
].map((position, id) => ({ assetId: String(id), ...position }));

async function filtered(text: string, fleet = FLEET, gazetteer: TownIndex | undefined = index): Promise<string | UnresolvedName> {
  try {
    const { label, includes } = await placeFilter(text, "in", await fleetOf(...fleet), async () => gazetteer);
    return `${label}: ${fleet.flatMap((position, at) => (includes(position) ? [at] : [])).join(" ")}`;
  } catch (error) {
    if (error instanceof NameQuestion) return error.unresolved;
    throw error;
  }
}

it.each([
  ["Germany", "Germany: 0 1 3"],
  ["Deutschland", "Germany: 0 1 3"],
  ["in Spain", "Spain: 4 7"],
  ["Portugal", "Portugal: "],
  ["Halle, Germany", "Halle, Germany: 0 1"],
  ["Halle BE", "Halle, Belgium: 2"],
  ["Frankfurt", "Frankfurt am Main, Germany: 3"],
  ["Saragossa", "Zaragoza, Spain: 4"],
  ["Casablanca", "Casablanca, Atlantis: 5"],
  ["nowhere", "Nowhere: 6"],
  // Towns that exist, but that no vehicle reports.
  ["Kiel", "Kiel: "],
  ["Kiel, Germany", "Kiel, Germany: "],
  ["Mailand", "Mailand: "],
])("%j includes the vehicles %j", async (text, expected) => expect(await filtered(text)).toBe(expected));

describe("a question is asked", () => {
  it("about several towns of a name", async () => {
    expect(await filtered("Halle")).toEqual({
      ...{ result: "ambiguous", field: "in", query: "Halle", noun: ["country or city", "countries and cities"], total: 2 },
      distinguishedBy: "name, with the country",
      candidates: [
        { label: "Halle, Germany (2 vehicles)", record: { city: "Halle", country: "Germany" } },
        { label: "Halle, Belgium (1 vehicle)", record: { city: "Halle", country: "Belgium" } },
      ],
    });
  });

  it.each([
    ["Hale", ["Halle", "Halle"]],
    ["Hal", []],
    ["Saragoza", ["Zaragoza"]],
    ["Zaragbda", ["Zaragoza"]],
    ["Zaragbd", []],
    ["Bavaria", []],
    ["Kiel, France", []],
    ["Neustadt", []],
  ])("about %j, which is not a town, with those nearest to it", async (text, cities) => {
    const { candidates, ...question } = (await filtered(text)) as UnresolvedName;
    expect(candidates.map(({ record }) => record["city"])).toEqual(cities);
    expect(question).toMatchObject({
      ...{ result: "notFound", query: text, total: cities.length },
      alternative: "Countries reported: Atlantis, Belgium, Germany, Spain; regions are not.",
    });
  });

  it("with the nearest first, at most eight, and at most twelve countries", async () => {
    const codes = "AT BE CH CZ DE DK ES FI FR GB GR HU IT NL".split(" ");
    const fleet = codes.map((country, id) => ({ assetId: String(id), city: id === 13 ? "Steindorf" : "Steindorff", country }));
    const { candidates, total, alternative } = (await filtered("Steindorv", fleet)) as UnresolvedName;
    expect([candidates.length, total, candidates[0]?.record]).toEqual([8, 14, { city: "Steindorf", country: "Netherlands" }]);
    expect(alternative?.split(",")).toHaveLength(12);
    expect(alternative).toMatch(/^Countries reported: Austria, .* and 2 more; regions are not\.$/);
    expect(await filtered("Steindorv", [], undefined)).toMatchObject({ candidates: [], alternative: "" });
  });
});
