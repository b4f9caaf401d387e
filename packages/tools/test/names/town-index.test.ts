import { describe, expect, it } from "vitest";
import { TownIndex } from "../../src/places/town-index.ts";
import { placeWords } from "../../src/places/towns.ts";
import { gazetteerOf } from "./small-gazetteer.ts";

const index = new TownIndex(
  gazetteerOf({
    AR: [["Buenos Aires", -34.61, -58.38, 15_000]],
    DE: [
      ["Munich", 48.14, 11.58, 1_500],
      ["Frankfurt am Main", 50.12, 8.68, 750],
      ["Frankfurt (Oder)", 52.35, 14.55, 57],
      ["Sankt Augustin", 50.77, 7.19, 56],
    ],
    FR: [["Valence", 44.93, 4.89, 63]],
    ES: [["Valencia", 39.47, -0.38, 800]],
  }),
);

it("decodes coordinates in hundredths of a degree, and people in thousands", () => {
  expect(index.largerThan(0).slice(0, 2)).toEqual([
    { name: "Buenos Aires", country: "AR", latitude: -34.61, longitude: -58.38, population: 15_000_000 },
    { name: "Munich", country: "DE", latitude: 48.14, longitude: 11.58, population: 1_500_000 },
  ]);
});

describe("towns", () => {
  it.each([
    ["München", "Munich"],
    ["Mnichov", "Munich"],
    ["Monaco di", "Munich..."],
    ["Monaco di Baviera", "Munich"],
    ["Mun", ""],
    ["Frankfurt", "Frankfurt am Main..., Frankfurt (Oder)..."],
    ["Frankfurt am", "Frankfurt am Main..."],
    ["Frankfurt an der", "Frankfurt (Oder)..."],
    ["Frankfurt (Oder)", "Frankfurt (Oder)"],
    ["St. Augustin", "Sankt Augustin"],
    ["Valence", "Valence, Valencia"],
    ["Aires", ""],
    ["", ""],
  ])("whose names begin with %j: %s", (words, expected) => {
    const towns = index.named(placeWords(words)).map(({ town, isWhole }) => `${town.name}${isWhole ? "" : "..."}`);
    expect(towns.join(", ")).toBe(expected);
  });

  it.each([
    ["Munihc", 1_500_000, ["Munich"]],
    ["Munihc", 1_500_001, []],
    ["Valencie", 0, ["Valence", "Valencia"]],
    ["Munich Nord", 0, []],
  ])("spelled like %j with at least %d people: %j", (words, population, expected) => {
    const towns = index.spelledLike(placeWords(words), population);
    expect(towns.map(({ town }) => town.name)).toEqual(expected);
    expect(towns.every(({ isWhole }) => isWhole)).toBe(true);
  });

  it.each([
    [750_000, ["Buenos Aires", "Munich", "Frankfurt am Main", "Valencia"]],
    [750_001, ["Buenos Aires", "Munich", "Valencia"]],
  ])("with at least %d people: %j", (population, expected) => {
    expect(index.largerThan(population).map(({ name }) => name)).toEqual(expected);
  });
});
