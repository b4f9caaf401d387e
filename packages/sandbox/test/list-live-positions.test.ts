import { LivePosition, type LivePosition as Position } from "@fleetwire/core";
import { describe, expect, test } from "vitest";
import { callSandbox, FRIDAY, found } from "./sandbox-caller.ts";

const call = callSandbox();
const live: Position[] = await call.live();
const truck = found(live, ({ assetName }) => assetName === "Truck 12");
const van = found(live, ({ assetName }) => assetName === "Van 7");
const names = (records: Position[]) => records.map((record) => record.assetName);
const isBefore = (record: Position, date: string) => (record.date ?? "") < date;

describe("filters", () => {
  const rows: [string, string, Record<string, string>, (record: Position) => boolean][] = [
    ["documented 4.3", "one vehicle", { vehicleIds: truck.assetId ?? "" }, (record) => record === truck],
    [
      "documented 4.3",
      "two vehicles, comma-separated",
      { vehicleIds: `${truck.assetId},${van.assetId}` },
      (record) => [truck, van].includes(record),
    ],
    ["documented 4.3", "a driver", { driverIds: van.driverId ?? "" }, (record) => record === van],
    ["documented 4.3", "a group", { groupIds: van.assetGroupId ?? "" }, (record) => record.assetGroupId === van.assetGroupId],
    [
      "documented 4.3",
      "a group and a vehicle outside of it",
      { groupIds: van.assetGroupId ?? "", vehicleIds: truck.assetId ?? "" },
      () => false,
    ],
    [
      "documented 4.3",
      "a vehicle and its driver",
      { vehicleIds: `${truck.assetId},${van.assetId}`, driverIds: van.driverId ?? "" },
      (record) => record === van,
    ],
    [
      "documented 4.3",
      "a vehicle and another vehicle's driver",
      { vehicleIds: truck.assetId ?? "", driverIds: van.driverId ?? "" },
      () => false,
    ],
    [
      "documented 4.3",
      "two groups and two drivers",
      { groupIds: `${van.assetGroupId},${truck.assetGroupId}`, driverIds: `${van.driverId},${truck.driverId}` },
      (record) => [truck, van].includes(record),
    ],
    [
      "documented 4.3",
      "a group and a start date",
      { groupIds: van.assetGroupId ?? "", fromDateTime: "2026-11-20T10:00:00Z" },
      (record) => record.assetGroupId === van.assetGroupId && !isBefore(record, "2026-11-20T10:00:00Z"),
    ],
    [
      "documented 4.3",
      "all of them at once",
      {
        vehicleIds: `${truck.assetId},${van.assetId}`,
        groupIds: van.assetGroupId ?? "",
        driverIds: van.driverId ?? "",
        fromDateTime: "2026-11-20T00:00:00Z",
        showAllVehicleStatus: "true",
      },
      (record) => record === van && !isBefore(record, "2026-11-20T00:00:00Z"),
    ],
    ["documented 4.3", "a start date", { fromDateTime: "2026-11-20T10:00:00Z" }, (record) => !isBefore(record, "2026-11-20T10:00:00Z")],
    [
      "chosen S20",
      "a start date with an offset",
      { fromDateTime: "2026-11-20T11:00:00+01:00" },
      (record) => !isBefore(record, "2026-11-20T10:00:00Z"),
    ],
    [
      "chosen S20",
      "a start date without a suffix, as UTC",
      { fromDateTime: "2026-11-20T10:00:00" },
      (record) => !isBefore(record, "2026-11-20T10:00:00Z"),
    ],
    ["chosen S11", "an unknown id", { vehicleIds: "nosuchvehicle" }, () => false],
    ["chosen S9", "a blank list, as if it were absent", { vehicleIds: "" }, () => true],
  ];
  test.each(rows)("%s: %s", async (_source, _name, query, isExpected) => {
    expect(names(await call.live(query))).toEqual(names(live.filter(isExpected)));
  });

  test("chosen S17: a group includes its subgroups", async () => {
    const { body } = await call.updateGroup({ id: van.assetGroupId });
    const [root, , depot] = body.path.split(".");
    expect(names(await call.live({ groupIds: root }))).toEqual(names(live));
    const ofDepot = names(await call.live({ groupIds: depot }));
    expect(ofDepot).toContain("Van 7");
    expect(ofDepot).toContain("Truck 1");
    expect(ofDepot).not.toContain("Truck 2");
  });
});

describe("sold vehicles", () => {
  test("documented part 3: are left out unless requested", async () => {
    expect(live.filter(({ status }) => status === "SOLD")).toEqual([]);
    const all: Position[] = await call.live({ showAllVehicleStatus: "true" });
    const sold = all.filter(({ status }) => status === "SOLD");
    expect(sold.length).toBeGreaterThan(0);
    expect(all.length).toBe(live.length + sold.length);
    for (const record of sold) expect(isBefore(record, "2026-01-01")).toBe(true);
  });
});

describe("speed", () => {
  test("documented 2.4: is hidden on request if the vehicle's or driver's group is sensitive, and only then", async () => {
    const hidden: Position[] = await call.live({ hideSpeedIfSpeedSensitive: "true" });
    const without = hidden.filter(({ speed }) => speed === undefined);
    expect(live.every(({ speed }) => typeof speed === "number")).toBe(true);
    expect(without.map(({ assetType }) => assetType)).toContain("CAR");
    expect(without.some((record) => record.driverGroupName?.endsWith("Relief Drivers") && record.assetGroupName?.endsWith("Vans"))).toBe(
      true,
    );
    expect(hidden.filter(({ assetType }) => assetType === "TRUCK").every(({ speed }) => typeof speed === "number")).toBe(true);
  });

  test("chosen S22: the cars, the relief drivers and the vans of every third depot are sensitive", async () => {
    const hidden: Position[] = await call.live({ hideSpeedIfSpeedSensitive: "true" });
    const isHidden = (record: Position) => record.speed === undefined;
    expect(hidden.filter(({ assetType }) => assetType === "CAR").every(isHidden)).toBe(true);
    expect(hidden.filter(({ driverGroupName }) => driverGroupName?.endsWith("Relief Drivers")).every(isHidden)).toBe(true);
    const vans = hidden.filter((record) => record.assetGroupName?.endsWith("Vans") && !record.driverGroupName?.endsWith("Relief Drivers"));
    const depots = new Map(vans.map((record) => [record.assetGroupName, isHidden(record)]));
    for (const record of vans)
      expect([record.assetGroupName, isHidden(record)]).toEqual([record.assetGroupName, depots.get(record.assetGroupName)]);
    expect([...depots.values()].filter(Boolean).length).toBe(Math.floor(depots.size / 3));
  });

  test("documented 2.4: false and absent are the same", async () => {
    expect(await call.live({ hideSpeedIfSpeedSensitive: "false" })).toEqual(live);
  });
});

describe("addresses", () => {
  const rows: [string, string, RegExp][] = [
    ["documented 2.4", "Germany", /^[^,]+, \d+, \d{5}, [^,]+, Germany$/],
    ["documented 2.4", "United Kingdom", /^\d+, [^,]+, [^,]+, [A-Z]{1,2}\d+ \d[A-Z]{2}, United Kingdom$/],
    ["documented 2.4", "France", /^\d+, [^,]+, \d{5}, [^,]+, France$/],
  ];
  test.each(rows)("%s: have the usual format in %s", (_source, country, form) => {
    const addresses = live.filter((record) => record.country === country && record.roadNumber !== undefined);
    expect(addresses.length).toBeGreaterThan(0);
    for (const { formattedAddress } of addresses) expect(formattedAddress).toMatch(form);
  });

  const locales: [string, string, string | undefined, string][] = [
    ["chosen S21", "no locale", undefined, "Poland"],
    ["documented 4.3", "de", "de", "Polen"],
    ["documented 4.3", "fr-FR", "fr-FR", "Pologne"],
    ["chosen S21", "an underscore", "pl_PL", "Polska"],
    ["chosen S21", "an unknown language", "tlh", "Poland"],
  ];
  test.each(locales)("%s: the country with %s", async (_source, _name, locale, country) => {
    const [record] = await call.live({ vehicleIds: truck.assetId ?? "", ...(locale && { locale }) });
    expect(record.country).toBe(country);
    expect(record.formattedAddress).toContain(country);
  });
});

describe("records", () => {
  test("documented 2.4: have only documented fields, of the documented types and values", () => {
    const known = Object.keys(LivePosition.shape);
    for (const record of live) {
      expect(Object.keys(record).filter((field) => !known.includes(field))).toEqual([]);
      expect(LivePosition.safeParse(record).error).toBeUndefined();
    }
  });

  test("documented 2.4: fill every field for some vehicle at some time of day", async () => {
    const seen = new Set<string>();
    for (let hour = 0; hour < 24; hour++) {
      call.setClock(FRIDAY + hour * 3_600_000);
      for (const record of await call.live()) for (const field of Object.keys(record)) seen.add(field);
    }
    call.setClock(FRIDAY);
    expect(Object.keys(LivePosition.shape).filter((field) => !seen.has(field))).toEqual([]);
  });

  test("chosen S23: use the sandbox's own labels for status, assetType and ignitionStatus", async () => {
    const all: Position[] = await call.live({ showAllVehicleStatus: "true" });
    const labels = (field: "status" | "assetType" | "ignitionStatus") => [...new Set(all.flatMap((record) => record[field] ?? []))].sort();
    expect(labels("status")).toEqual(["ACTIVE", "SOLD"]);
    expect(labels("assetType")).toEqual(["CAR", "TRAILER", "TRUCK", "VAN"]);
    expect(labels("ignitionStatus")).toEqual(["OFF", "ON"]);
  });

  test("documented 2.4: include all event types and energy types", async () => {
    const events = new Set<string | undefined>();
    const energies = new Set<string | undefined>();
    for (let minutes = 0; minutes < 7 * 1440; minutes += 4) {
      call.setClock(FRIDAY + minutes * 60_000);
      for (const record of await call.live()) {
        events.add(record.eventType);
        energies.add(record.energyType);
      }
      if (events.size === 7) break;
    }
    call.setClock(FRIDAY);
    expect([...events].sort()).toEqual(["defect", "driving", "idling", "input", "ping", "stopped", "unknown"]);
    expect(energies.size).toBe(10);
  });

  test("chosen S42: are the same for the same seed and instant, whatever the earlier requests", async () => {
    const fresh = callSandbox();
    fresh.setClock(FRIDAY - 9_000_000_000);
    await fresh.live();
    fresh.setClock(FRIDAY);
    expect(await fresh.live()).toEqual(live);
    expect(await callSandbox({ seed: 2 }).live()).not.toEqual(live);
  });

  test("chosen S42: a small fleet has the first records of a large one", async () => {
    expect(names(await callSandbox({ vehicles: 3 }).live())).toEqual(["Truck 1", "Truck 2", "Truck 3"]);
  });

  test("chosen S42: are the same list if streamed", async () => {
    const many: Position[] = await callSandbox({ vehicles: 1500 }).live({ showAllVehicleStatus: "true" });
    expect(new Set(many.map(({ assetId }) => assetId)).size).toBe(1500);
    expect(new Set(many.map(({ assetRegistration }) => assetRegistration)).size).toBe(1500);
  });
});

describe("lists of large fleets, which keep what vehicles last reported", () => {
  const STEPS = [0, 1, 7, 29_000, 30_000, 61_000, 600_000, -90_000, 3_600_000, 9 * 3_600_000, 40 * 3_600_000, 1000];

  test.each([{}, { rhythm: "nonstop" as const }])("chosen S42: are the same as without earlier lists %j", async (options) => {
    const large = callSandbox({ vehicles: 1100, ...options });
    let now = FRIDAY;
    for (const step of STEPS) {
      now += step;
      large.setClock(now);
      // With a filter, nothing is kept.
      const computed = await large.live({ fromDateTime: "2000-01-01T00:00:00Z" });
      expect(computed).toHaveLength((await large.live()).length);
      for (const [index, record] of (await large.live()).entries())
        expect([step, JSON.stringify(record)]).toEqual([step, JSON.stringify(computed[index])]);
    }
  });

  test("chosen S42: follow changed groups and options at once", async () => {
    const large = callSandbox({ vehicles: 1100 });
    const [first]: Position[] = await large.live();
    await large.updateGroup({ id: first?.assetGroupId, name: "Renamed" });
    expect((await large.live())[0]).toEqual({ ...first, assetGroupName: "Renamed", driverGroupName: "Renamed" });
    expect((await large.live({ locale: "de" }))[0].country).toBe("Deutschland");
    expect((await large.live({ showAllVehicleStatus: "true" })).length).toBe(1100);
    expect((await large.live({ hideSpeedIfSpeedSensitive: "true" })).some(({ speed }: Position) => speed === undefined)).toBe(true);
  });

  test("documented 4.3: are filtered like those of small ones", async () => {
    const large = callSandbox({ vehicles: 1100 });
    const list: Position[] = await large.live();
    const from = "2026-11-20T10:00:00Z";
    expect(await large.live({ fromDateTime: from })).toEqual(list.filter((record) => !isBefore(record, from)));
    const groupId = found(list, ({ assetName }) => assetName === "Van 7").assetGroupId ?? "";
    expect(await large.live({ groupIds: groupId })).toEqual(list.filter((record) => record.assetGroupId === groupId));
  });
});

const refused: [string, string, Record<string, string>, string][] = [
  ["chosen S8", "a flag that is not a boolean", { showAllVehicleStatus: "yes" }, "showAllVehicleStatus"],
  ["chosen S8", "a date that does not exist", { fromDateTime: "2026-02-30T00:00:00Z" }, "fromDateTime"],
  ["chosen S8", "an invalid locale", { locale: "??" }, "locale"],
];
test.each(refused)("%s: %s is refused", async (_source, _name, query, field) => {
  const { status, body } = await call.send("GET", call.urls.live, { query, headers: call.basic });
  expect({ status, body }).toMatchObject({ status: 400, body: { offendingFields: [field] } });
});
