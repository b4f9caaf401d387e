import { LivePosition, type LivePosition as Position } from "@fleetwire/core";
import { describe, expect, test } from "vitest";
import { callSandbox, FRIDAY, found } from "./sandbox-caller.ts";

const call = callSandbox();
const live: Position[] = await call.live();
const truck = found(live, ({ assetName }) => assetName === "Truck 12");
const van = found(live, ({ assetName }) => assetName === "Van 7");
const names = (records: Position[]) => records.map((record) => record.assetName);
const isSince = ({ date = "" }: Position, from = "2026-11-20T10:00:00Z") => date >= from;

describe("filters", () => {
  const [{ assetId = "", assetGroupId = "" }, { driverId = "", assetGroupId: vans = "" }] = [truck, van];
  const both = `${assetId},${van.assetId}`;
  const isVan = (record: Position) => record === van;
  const isOneOf = (record: Position) => record === van || record === truck;
  const all = { vehicleIds: both, groupIds: vans, driverIds: driverId, fromDateTime: "2026-11-20T00:00:00Z", showAllVehicleStatus: "true" };

  test.each<[string, Record<string, string>, (record: Position) => boolean]>([
    ["two vehicles, comma-separated", { vehicleIds: both }, isOneOf],
    ["a group", { groupIds: vans }, (record) => record.assetGroupId === vans],
    ["a group and a vehicle outside of it", { groupIds: vans, vehicleIds: assetId }, () => false],
    ["a vehicle and its driver", { vehicleIds: both, driverIds: driverId }, isVan],
    ["a vehicle and another's driver", { vehicleIds: assetId, driverIds: driverId }, () => false],
    ["two groups and two drivers", { groupIds: `${vans},${assetGroupId}`, driverIds: `${driverId},${truck.driverId}` }, isOneOf],
    ["all of them at once", all, (record) => isVan(record) && isSince(record, "2026-11-20T00:00:00Z")],
    ["a start date", { fromDateTime: "2026-11-20T10:00:00Z" }, (record) => isSince(record)],
    ["a start date without a suffix, as UTC", { fromDateTime: "2026-11-20T10:00:00" }, (record) => isSince(record)],
    ["an unknown id", { vehicleIds: "nosuchvehicle" }, () => false],
    ["a blank list, as if it were absent", { vehicleIds: "" }, () => true],
  ])("by %s", async (_name, query, isExpected) => {
    expect(names(await call.live(query))).toEqual(names(live.filter(isExpected)));
  });

  test("a group includes its subgroups", async () => {
    const [root, , depot] = (await call.updateGroup({ id: vans })).body.path.split(".");
    expect(names(await call.live({ groupIds: root }))).toEqual(names(live));
    const ofDepot = names(await call.live({ groupIds: depot }));
    expect(ofDepot).toEqual(expect.arrayContaining(["Van 7", "Truck 1"]));
    expect(ofDepot).not.toContain("Truck 2");
  });

  test("sold vehicles are left out unless requested", async () => {
    const all: Position[] = await call.live({ showAllVehicleStatus: "true" });
    const sold = all.filter(({ status }) => status === "SOLD");
    expect([sold.length, all.length, live.some(({ status }) => status === "SOLD")]).toEqual([2, live.length + 2, false]);
    for (const record of sold) expect(isSince(record, "2026-01-01")).toBe(false);
  });

  test.each<[string, Record<string, string>, string]>([
    ["a flag that is not a boolean", { showAllVehicleStatus: "yes" }, "showAllVehicleStatus"],
    ["a date that does not exist", { fromDateTime: "2026-02-30T00:00:00Z" }, "fromDateTime"],
    ["an invalid locale", { locale: "??" }, "locale"],
  ])("%s is refused", async (_name, query, field) => {
    const refused = { status: 400, body: { offendingFields: [field] } };
    expect(await call.send("GET", call.urls.live, { query, headers: call.basic })).toMatchObject(refused);
  });
});

test("speed is hidden on request if the vehicle's or driver's group is sensitive, and only then", async () => {
  const hidden: Position[] = await call.live({ hideSpeedIfSpeedSensitive: "true" });
  expect(await call.live({ hideSpeedIfSpeedSensitive: "false" })).toEqual(live);
  expect(live.every(({ speed }) => typeof speed === "number")).toBe(true);
  const depots = new Map<string, boolean>();
  for (const { assetType, speed, assetGroupName = "", driverGroupName = "" } of hidden) {
    const isHidden = speed === undefined;
    if (assetType === "CAR" || driverGroupName.endsWith("Relief Drivers")) expect([assetType, isHidden]).toEqual([assetType, true]);
    else if (assetType === "TRUCK") expect(isHidden).toBe(false);
    else if (assetGroupName.endsWith("Vans")) {
      expect([assetGroupName, isHidden]).toEqual([assetGroupName, depots.get(assetGroupName) ?? isHidden]);
      depots.set(assetGroupName, isHidden);
    }
  }
  expect([...depots.values()].filter(Boolean).length).toBe(Math.floor(depots.size / 3));
});

describe("addresses", () => {
  test.each<[string, RegExp]>([
    ["Germany", /^[^,]+, \d+, \d{5}, [^,]+, Germany$/],
    ["United Kingdom", /^\d+, [^,]+, [^,]+, [A-Z]{1,2}\d+ \d[A-Z]{2}, United Kingdom$/],
    ["France", /^\d+, [^,]+, \d{5}, [^,]+, France$/],
  ])("have the usual format in %s", (country, form) => {
    const addresses = live.filter((record) => record.country === country && record.roadNumber !== undefined);
    expect(addresses.length).toBeGreaterThan(0);
    for (const { formattedAddress } of addresses) expect(formattedAddress).toMatch(form);
  });

  test.each([
    ["", "Poland"],
    ["de", "Polen"],
    ["fr-FR", "Pologne"],
    ["pl_PL", "Polska"],
    ["tlh", "Poland"],
  ])("with locale %j name %s", async (locale, country) => {
    const [record] = await call.live({ vehicleIds: truck.assetId ?? "", locale });
    expect([record.country, record.formattedAddress]).toEqual([country, expect.stringContaining(country)]);
  });
});

describe("records", () => {
  test("have documented fields only, and in the course of days all of them, with all event and energy types", async () => {
    const [fields, events, energies] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (let minutes = 0; minutes < 7 * 1440 && (events.size < 7 || minutes < 1440); minutes += 25) {
      call.setClock(FRIDAY + minutes * 60_000);
      for (const record of (await call.live()) as Position[]) {
        for (const field of Object.keys(record)) fields.add(field);
        events.add(record.eventType ?? "");
        energies.add(record.energyType ?? "");
      }
    }
    call.setClock(FRIDAY);
    expect([...fields].sort()).toEqual(Object.keys(LivePosition.shape).sort());
    expect([...events].sort()).toEqual(["defect", "driving", "idling", "input", "ping", "stopped", "unknown"]);
    expect(energies.size).toBe(10);
    for (const record of live) expect(LivePosition.safeParse(record).error).toBeUndefined();
  });

  test("use the sandbox's own labels", async () => {
    const all: Position[] = await call.live({ showAllVehicleStatus: "true" });
    const labels = (field: keyof Position) => [...new Set(all.flatMap((record) => record[field] ?? []))].sort().join();
    expect([labels("status"), labels("assetType"), labels("ignitionStatus")]).toEqual(["ACTIVE,SOLD", "CAR,TRAILER,TRUCK,VAN", "OFF,ON"]);
  });

  test("are the same for the same seed and instant, whatever the earlier requests", async () => {
    const fresh = callSandbox();
    fresh.setClock(FRIDAY - 9_000_000_000);
    await fresh.live();
    fresh.setClock(FRIDAY);
    expect(await fresh.live()).toEqual(live);
    expect(await callSandbox({ seed: 2 }).live()).not.toEqual(live);
    expect(names(await callSandbox({ vehicles: 3 }).live())).toEqual(["Truck 1", "Truck 2", "Truck 3"]);
  });
});

test("a list of a large fleet has each vehicle once", async () => {
  const list: Position[] = await callSandbox({ vehicles: 1100, rhythm: "nonstop" }).live({ showAllVehicleStatus: "true" });
  for (const field of ["assetId", "assetRegistration"] as const) expect(new Set(list.map((record) => record[field])).size).toBe(1100);
});
