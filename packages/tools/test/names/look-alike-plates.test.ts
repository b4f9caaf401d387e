import { expect, it } from "vitest";
import { NOW, servedFleet } from "../served-fleet.ts";
import { locator } from "./named-vehicles.ts";

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

it("a plate finds its vehicle in whichever letters it is written", async () => {
  const locate = await locator(PLATES.map((assetRegistration, at) => ({ assetId: `v${at}`, assetName: `Truck ${at}`, assetRegistration })));
  for (const [plate, at] of Object.entries({ AA1234BC: 0, "truck аа 1234 вс": 0, ВК5678НТ: 1, "вк 5678": 1, IKY4321: 2, Ж777ЩЯ: 3 }))
    expect(await locate(plate), plate).toBe(`Truck ${at} by registration`);
  expect(await locate("АА 1236 ВС")).toMatch(/^!/);
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
