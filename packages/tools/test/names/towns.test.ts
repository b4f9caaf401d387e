import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { gazetteer } from "../../src/places/gazetteer.generated.ts";
import { TownIndex } from "../../src/places/town-index.ts";
import { placeWords, townNames } from "../../src/places/towns.ts";

const index = new TownIndex(gazetteer);
const towns = index.largerThan(0);
const largest = towns.toSorted((a, b) => b.population - a.population).slice(0, 100);
const labelOf = ({ country, name }: { country: string; name: string }) => `${country} ${name}`;

it("has a row for each of the gazetteer's hundred largest cities", () => {
  const known = new Set(townNames.map(labelOf));
  expect(largest.map(labelOf).filter((town) => !known.has(town))).toEqual([]);
});

it.each(townNames)("$country $name is a town of the gazetteer, and each of its names finds it", ({ country, name, names }) => {
  const [town, other] = towns.filter((town) => town.country === country && town.name === name);
  expect(town?.population).toBeGreaterThan(10 * (other?.population ?? 0));
  for (const called of [name, ...names]) {
    const whole = index.named(placeWords(called)).filter(({ isWhole }) => isWhole);
    expect(
      whole.map(({ town }) => labelOf(town)),
      called,
    ).toContain(labelOf(town as (typeof towns)[number]));
  }
});

/** Names that towns share, each with the other towns of this name: they must be asked about. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  Aken: ["DE Aken"],
  Bruges: ["FR Bruges"],
  Cologne: ["IT Cologne"],
  Haag: ["AT Haag"],
  Lipsko: ["PL Lipsko"],
  Mykolaiv: ["UA Mykolaiv"],
  Strasburg: ["DE Strasburg"],
  Tolosa: ["ES Tolosa"],
  Valence: ["FR Valence"],
  Vienne: ["FR Vienne"],
};

it("names no town by the name of another, except those listed", () => {
  const shared = townNames.flatMap((row) =>
    row.names.flatMap((called) => {
      const others = index.named(placeWords(called)).filter(({ isWhole, town }) => isWhole && labelOf(town) !== labelOf(row));
      const isOwn = placeWords(called).join(" ") === placeWords(row.name).join(" ");
      return others.length > 0 && !isOwn ? [[called, [...new Set(others.map(({ town }) => labelOf(town)))]] as const] : [];
    }),
  );
  expect(Object.fromEntries(shared)).toEqual(SHARED);
});

it("stays within 360 kB, and decodes coordinates to a hundredth of a degree", async () => {
  const source = await readFile(new URL("../../src/places/gazetteer.generated.ts", import.meta.url));
  console.log(`the gazetteer: ${towns.length} towns, ${source.length} bytes (max 360000)`);
  expect(source.length).toBeLessThanOrEqual(360_000);
  expect(index.named(["kassel"])).toEqual([
    { isWhole: true, town: { name: "Kassel", country: "DE", latitude: 51.32, longitude: 9.5, population: 195_000 } },
  ]);
});
