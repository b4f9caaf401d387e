import { expect, it } from "vitest";
import { NOW, servedFleet } from "../served-fleet.ts";
import { located } from "./named-vehicles.ts";

/** A service that writes a plate in Cyrillic letters in live positions, and in Latin ones elsewhere. */
const serve = (privacy = false) => {
  const day = "2026-11-19T";
  const activity = { assetRegistration: "AA1234BC", activity: "DRIVING", startTime: `${day}08:00:00Z`, endTime: `${day}09:00:00Z` };
  const position = { assetId: "v1", assetName: "Lorry", assetRegistration: "АА 1234 ВС", date: new Date(NOW).toISOString(), privacy };
  const jobs = ["AA 1234 BC", "XX 1"].map((vehicleRegistration, at) => ({ jobNumber: `J${at + 1}`, vehicleRegistration }));
  return servedFleet({
    script: {
      listLivePositions: () => ({ body: [{ ...position, latitude: 51, longitude: 12 }] }),
      listJobs: () => ({ body: { jobs } }),
      queryTachoActivity: () => ({ body: { count: 1, data: [{ driverId: "d1", activities: [{ ...activity, startLatitude: 51.5 }] }] } }),
    },
  });
};

const PLATES = ["АА 1234 ВС", "BK-5678-HT", "ΙΚΥ 4321", "Ж 777 ЩЯ", "AA 1235 BC"];

it.each([
  ["AA1234BC", "Truck 0 by registration"],
  ["truck аа 1234 вс", "Truck 0 by registration"],
  ["ВК5678НТ", "Truck 1 by registration"],
  ["вк 5678", "Truck 1 by registration"],
  ["IKY4321", "Truck 2 by registration"],
  ["Ж777ЩЯ", "Truck 3 by registration"],
  ["АА 1236 ВС", "!"],
])("the plate %s finds %s", async (query, expected) => {
  const fleet = PLATES.map((assetRegistration, at) => ({ assetId: `v${at}`, assetName: `Truck ${at}`, assetRegistration }));
  expect((await located(query, fleet)).replace(/^!.*/, "!")).toBe(expected);
});

it.each([
  ["list_jobs", { vehicle: "AA1234BC" }, "J1"],
  ["list_jobs", { where: "vehicleRegistration=АА1234ВС" }, "J1"],
  ["list_live_positions", { where: "assetRegistration=AA1234BC" }, "Lorry"],
  ["query_tacho_activity", { vehicle: "AA1234BC", period: "yesterday" }, "DRIVING"],
])("%s %j finds it, however it is written", async (tool, args, found) => {
  const { text } = await serve();
  expect(await text(tool, { ...args, limit: 2 })).toMatch(new RegExp(`^1 .*\\n.*\\n.*${found}`));
});

it.each([
  [false, "DRIVING | 51.5"],
  [true, "DRIVING | -"],
])("a private journey (%s) hides the places of a vehicle whose plate the tachograph writes differently", async (privacy, row) => {
  const { text } = await serve(privacy);
  expect(await text("query_tacho_activity", { period: "yesterday", fields: "activity,startLatitude" })).toContain(row);
});
