import type { LivePosition } from "@fleetwire/core";
import { expect, it } from "vitest";
import { type Script, servedFleet } from "./served-fleet.ts";

const [LYON, PARIS] = [
  { city: "Lyon", latitude: 45.75, longitude: 4.85 },
  { city: "Paris", latitude: 48.85, longitude: 2.35 },
];
const record = (more: LivePosition): LivePosition => ({ assetId: "v1", assetName: "Van 1", ...more });
const EIGHT = "2026-11-20T08:00:00Z";
const EARLY: LivePosition = { date: EIGHT, ...LYON };
const HIDDEN = { ...LYON, privacy: true };
const PLATE = { assetRegistration: "AB-123-CD" };
/** The same registration, in a record without an id. */
const NO_ID = { assetId: undefined as never, assetRegistration: "ab 123 cd" };

it.each<[what: string, one: LivePosition, other: LivePosition, city: string]>([
  ["the private record, if both have the same date", EARLY, { ...EARLY, privacy: true }, "withheld"],
  ["the private record, if only offsets differ", EARLY, { ...HIDDEN, date: "2026-11-20T09:00:00+01:00" }, "withheld"],
  ["the later record, though its date is smaller as text", EARLY, { date: "2026-11-20T03:30:00-05:00", ...PARIS }, "Paris"],
  ["the later record, though the other is private", { ...EARLY, privacy: true }, { date: "2026-11-20T08:00:01Z", ...PARIS }, "Paris"],
  ["the private record without a date", EARLY, { privacy: true, ...PARIS }, "withheld"],
  ["the record with a date", { date: "yesterday", ...LYON }, { date: EIGHT, ...PARIS }, "Paris"],
  ["the private record without an id", { ...PLATE, ...EARLY }, { ...HIDDEN, ...NO_ID }, "withheld"],
  ["the private record, if none has an id", { ...EARLY, ...NO_ID }, { ...HIDDEN, ...NO_ID }, "withheld"],
])("of a vehicle listed twice, every tool shows %s", async (_, one, other, city) => {
  for (const records of [
    [one, other],
    [other, one, other],
  ]) {
    const body = records.map(record);
    const { call, tools, record: ask } = await servedFleet({ script: { listLivePositions: () => ({ body }) } });
    const list = (args: object) => call("list_live_positions", { ...args });
    const results = await Promise.all([
      ...[call("locate_vehicle", { query: "van 1" }), list({}), list({ vehicle: "van 1" }), list({ fields: ["city", "odometer"] })],
      ...[call("summarize_fleet"), tools.readVehicle("van 1"), call("find_nearest_vehicles", { to: "50, 8" })],
    ]);
    // The later record may have no id by which the service could be asked.
    const cities = results
      .filter(({ ok }) => ok)
      .map(({ text }) => ["Lyon", "Paris"].filter((name) => text.includes(name)).join(" and ") || "withheld");
    expect([...new Set(cities)]).toEqual([city]);
    const { rows } = (await tools.readMap([])).structured as { rows: unknown[][] };
    expect(JSON.stringify(rows).includes("45.75")).toBe(city === "Lyon");
    expect((await ask("list_live_positions")).items).toHaveLength(1);
  }
});

/** A service that filters records, so that it may find the earlier one of a vehicle. */
const filtering = (records: readonly LivePosition[]): Script => ({
  listLivePositions: ({ url: { searchParams } }) => {
    const matches = (filter: string, value = "undefined") => (searchParams.get(filter) ?? value).split(",").includes(value);
    const found = records.filter(
      ({ assetId, driverId, assetGroupId }) =>
        matches("vehicleIds", assetId) && matches("driverIds", driverId) && matches("groupIds", assetGroupId),
    );
    return { body: found };
  },
});

const ANN = { driverId: "p1", driverName: "Ann Ash", assetGroupId: "g1", assetGroupName: "North" };

it.each<[what: string, later: LivePosition, args: Record<string, string>, rows: object[]]>([
  ["the private journey of a driver's vehicle", { ...ANN, privacy: true }, { driver: "Ann Ash" }, [{ driverName: "Ann Ash" }]],
  ["that another has the vehicle now", { ...ANN, driverId: "p2", driverName: "Bo Berg", ...PARIS }, { driver: "Ann Ash" }, []],
  ["that the vehicle is in another group now", { ...ANN, assetGroupId: "g2", assetGroupName: "South", ...PARIS }, { group: "North" }, []],
])("a filter by which the service finds an earlier record does not hide %s", async (_, later, args, rows) => {
  const other = { ...ANN, assetId: "v2", assetName: "Van 2", date: EIGHT, ...LYON };
  const records = [record({ ...ANN, date: EIGHT, ...LYON }), record({ date: "2026-11-20T08:20:00Z", ...LYON, ...later }), other];
  const { record: ask } = await servedFleet({ script: filtering(records) });
  const { items } = await ask("list_live_positions", { ...args, fields: ["assetName", "city", "driverName"] });
  const own = items.filter(({ assetName }: LivePosition) => assetName === "Van 1");
  expect(own).toEqual(rows.map((row) => expect.objectContaining(row)));
  if (later.privacy) expect(JSON.stringify(own)).not.toContain("city");
  expect((await ask("list_live_positions", { ...args, count: "city" })).total).toBe(items.length);
});
