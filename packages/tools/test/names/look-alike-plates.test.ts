import { expect, it } from "vitest";
import { vehicleNaming } from "../../src/fleet/fleet-naming.ts";
import { createFleetTools } from "../../src/index.ts";
import { NameIndex } from "../../src/names/name-index.ts";
import { resolveName } from "../../src/names/resolve-name.ts";
import { type CannedService, cannedService, NOW, toolsOver } from "../canned-service.ts";

/** A service that writes a plate in Cyrillic letters in live positions, and in Latin ones elsewhere. */
const plateService = (privacy: boolean) =>
  cannedService(({ operation }) => {
    const day = "2026-11-19T";
    const activity = { assetRegistration: "AA1234BC", activity: "DRIVING", startTime: `${day}08:00:00Z`, endTime: `${day}09:00:00Z` };
    const position = { assetId: "v1", assetName: "Lorry", assetRegistration: "АА 1234 ВС", date: new Date(NOW).toISOString() };
    if (operation === "listLivePositions") return [{ ...position, privacy, latitude: 51, longitude: 12 }];
    if (operation === "queryTachoActivity")
      return { count: 1, data: [{ driverId: "d1", activities: [{ ...activity, startLatitude: 51.5 }] }] };
    return { jobs: ["AA 1234 BC", "XX 1"].map((vehicleRegistration, at) => ({ jobNumber: `J${at + 1}`, vehicleRegistration })) };
  });

const toolsUnderTest = (service: CannedService) => createFleetTools(toolsOver(service).config, { now: () => NOW });

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

it.each<[string, string, object, string]>([
  ["list_jobs", "of the vehicle", { vehicle: "AA1234BC" }, "J1"],
  ["list_jobs", "with the plate", { where: "vehicleRegistration=АА1234ВС" }, "J1"],
  ["list_live_positions", "with the plate", { where: "assetRegistration=AA1234BC" }, "Lorry"],
  ["query_tacho_activity", "in the vehicle", { vehicle: "AA1234BC", period: "yesterday" }, "DRIVING"],
])("%s finds what is %s, however it is written", async (tool, _, args, found) => {
  const { call } = toolsUnderTest(await plateService(false));
  expect((await call(tool, { ...args, limit: 2 })).text).toMatch(new RegExp(`^1 .*\\n.*\\n.*${found}`));
});

it("a private journey hides the places of a vehicle whose plate the tachograph writes differently", async () => {
  const fields = "activity,startLatitude";
  const textOf = async (privacy: boolean) => {
    const { call } = toolsUnderTest(await plateService(privacy));
    return (await call("query_tacho_activity", { period: "yesterday", fields })).text;
  };
  expect(await textOf(false)).toContain("DRIVING | 51.5");
  expect(await textOf(true)).toContain("DRIVING | -");
});
