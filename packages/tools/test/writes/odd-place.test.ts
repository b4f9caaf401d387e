import { expect, it } from "vitest";
import { gazetteer } from "../../src/places/gazetteer.generated.ts";
import { TownIndex } from "../../src/places/town-index.ts";
import { oddPlace } from "../../src/tools/odd-place.ts";

const towns = async () => new TownIndex(gazetteer);
const LYON = { lat: 45.75, lng: 4.83 };
const MUNICH = { lat: 48.14, lng: 11.58 };

it.each<[string, string | undefined, { lat?: number; lng?: number }, RegExp | undefined]>([
  ["in its town", "Quai Perrache 10, 69002 Lyon, France", LYON, undefined],
  ["in its town, under another name", "Marienplatz 1, 80331 Monaco di Baviera", MUNICH, undefined],
  [
    "far from its town",
    "Quai Perrache 10, 69002 Lyon, France",
    MUNICH,
    /^The service placed the address 5\d\d km from Lyon: tell the user/,
  ],
  ["far from a town in another language", "Marienplatz 1, 80331 Múnich", LYON, /km from Munich/],
  ["in a street named after another town", "Berliner Straße 1, Via Roma, Lyon", LYON, undefined],
  ["in a town that is named in part", "Rathausplatz 1, Frankfurt", LYON, undefined],
  ["in a smaller town of that name", "Basiliekstraat 1, Halle", { lat: 50.73, lng: 4.24 }, undefined],
  ["far from all towns of that name", "Basiliekstraat 1, Halle", MUNICH, /^The service placed the address 4\d\d km from Halle/],
  ["without a town", "the old mill", MUNICH, undefined],
  ["without a point", "Lyon", {}, undefined],
  ["given as a point", undefined, LYON, undefined],
])("a job %s", async (_, address, point, expected) => {
  const [remark] = await oddPlace(address, point, towns);
  if (expected) expect(remark).toMatch(expected);
  else expect(remark).toBeUndefined();
});

it("is not looked at without a map of towns, or if it cannot be loaded", async () => {
  expect(await oddPlace("Lyon", MUNICH, async () => undefined)).toEqual([]);
  expect(await oddPlace("Lyon", MUNICH, () => Promise.reject(new Error("offline")))).toEqual([]);
});
