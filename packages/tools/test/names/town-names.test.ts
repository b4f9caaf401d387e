import { gazetteer } from "@fleetwire/tools/gazetteer";
import { expect, it } from "vitest";
import { TownIndex } from "../../src/places/town-index.ts";
import { townNames, townWords } from "../../src/places/towns.ts";

const index = new TownIndex(gazetteer);
const labelOf = ({ country, name }: { country: string; name: string }) => `${country} ${name}`;
const townsCalled = (name: string) => index.named(townWords(name)).flatMap(({ isWhole, town }) => (isWhole ? [labelOf(town)] : []));

/** Names that towns share, each with the other towns of this name: they must be asked about. */
const SHARED = {
  ...{ Aken: ["DE Aken"], Bruges: ["FR Bruges"], Cologne: ["IT Cologne"], Haag: ["AT Haag"], Lipsko: ["PL Lipsko"] },
  ...{ Mykolaiv: ["UA Mykolaiv"], Strasburg: ["DE Strasburg"], Tolosa: ["ES Tolosa"], Valence: ["FR Valence"], Vienne: ["FR Vienne"] },
};

it("each name of a town finds it, and no other town but those listed", () => {
  const [shared, missed]: [Record<string, string[]>, string[]] = [{}, []];
  for (const row of townNames)
    for (const called of [row.name, ...row.names]) {
      const found = townsCalled(called);
      if (!found.includes(labelOf(row))) missed.push(called);
      const others = [...new Set(found.filter((town) => town !== labelOf(row)))];
      if (others.length > 0 && townWords(called).join(" ") !== townWords(row.name).join(" ")) shared[called] = others;
    }
  expect(missed).toEqual([]);
  expect(shared).toEqual(SHARED);
});

it("the hundred largest cities have names in other languages", () => {
  const largest = index.largerThan(0).toSorted((a, b) => b.population - a.population);
  expect(townNames.map(labelOf)).toEqual(expect.arrayContaining(largest.slice(0, 100).map(labelOf)));
});

it("the map of towns stays within 360 kB", () => expect(JSON.stringify(gazetteer).length).toBeLessThanOrEqual(360_000));
