import { expect, it } from "vitest";
import { vehicleNaming } from "../../src/names/fleet-naming.ts";
import { NameIndex } from "../../src/names/name-index.ts";
import { resolveName } from "../../src/names/resolve-name.ts";

const PLATES = ["АА 1234 ВС", "BK-5678-HT", "ΙΚΥ 4321", "Ж 777 ЩЯ", "AA 1235 BC"];

it.each<[string, string | undefined]>([
  ["AA1234BC", "АА 1234 ВС"],
  ["aa 1234 bc", "АА 1234 ВС"],
  ["АА1234ВС", "АА 1234 ВС"],
  ["truck аа 1234 вс", "АА 1234 ВС"],
  ["ВК5678НТ", "BK-5678-HT"],
  ["вк 5678", "BK-5678-HT"],
  ["IKY4321", "ΙΚΥ 4321"],
  ["Ж777ЩЯ", "Ж 777 ЩЯ"],
  ["АА 1236 ВС", undefined],
])("the plate %s is that of %s", async (query, plate) => {
  const index = new NameIndex(vehicleNaming);
  for (const [at, assetRegistration] of PLATES.entries())
    index.set(`v${at}`, { assetId: `v${at}`, assetName: `Truck ${at}`, assetRegistration });
  const found = await resolveName(query, index);
  expect(found.result === "found" ? found.match.value.assetRegistration : undefined).toBe(plate);
});
