import type { LivePosition } from "@fleetwire/core";
import { expect, it } from "vitest";
import { createFleetTools } from "../src/index.ts";
import { findNearestVehicles } from "../src/tools/find-nearest-vehicles.ts";
import { listLivePositions } from "../src/tools/list-live-positions.ts";
import { locateVehicle } from "../src/tools/locate-vehicle.ts";
import { summarizeFleet } from "../src/tools/summarize-fleet.ts";
import { vehicleRecord } from "../src/tools/vehicle-record.ts";
import { type Asked, cannedService, NOW, rowsOf, toolsOver } from "./canned-service.ts";

const [LYON, PARIS] = [
  { city: "Lyon", latitude: 45.75, longitude: 4.85 },
  { city: "Paris", latitude: 48.85, longitude: 2.35 },
];
const record = (more: LivePosition): LivePosition => ({ assetId: "v1", assetName: "Van 1", ...more });
const EIGHT = "2026-11-20T08:00:00Z";

/** What every tool says about the vehicle's city; undefined if it is withheld. */
async function citiesOf(records: readonly LivePosition[]) {
  const { call, context } = toolsOver(await cannedService(() => records));
  const cities = (text: string) => ["Lyon", "Paris"].filter((city) => text.includes(city)).join(" and ") || undefined;
  const results = await Promise.all([
    call(locateVehicle, { query: "van 1" }),
    call(listLivePositions),
    call(listLivePositions, { vehicle: "van 1" }),
    call(listLivePositions, { fields: ["city", "odometer"] }),
    call(summarizeFleet),
    call(findNearestVehicles, { to: "50, 8" }),
    vehicleRecord("van 1", context),
  ]);
  const whole = rowsOf((await call(listLivePositions, { vehicle: "van 1" })).structured);
  return { cities: [...new Set(results.map(({ text }) => cities(text)))], rows: whole.length };
}

it.each<[what: string, records: [LivePosition, LivePosition], city: string | undefined]>([
  [
    "the private record, if both have the same date",
    [
      { date: EIGHT, ...LYON },
      { date: EIGHT, privacy: true, ...LYON },
    ],
    undefined,
  ],
  [
    "the private record, if both have the same date with other offsets",
    [
      { date: EIGHT, ...LYON },
      { date: "2026-11-20T09:00:00+01:00", privacy: true, ...LYON },
    ],
    undefined,
  ],
  ["the private record, if neither has a date", [LYON, { privacy: true, ...LYON }], undefined],
  [
    "the later record, though its date is smaller as text",
    [
      { date: EIGHT, ...LYON },
      { date: "2026-11-20T03:30:00-05:00", ...PARIS },
    ],
    "Paris",
  ],
  [
    "the later record, though the other's date is larger as text",
    [
      { date: EIGHT, ...LYON },
      { date: "2026-11-20T08:30:00+01:00", ...PARIS },
    ],
    "Lyon",
  ],
  [
    "the later record, though the other is private",
    [
      { date: EIGHT, privacy: true, ...LYON },
      { date: "2026-11-20T08:00:01Z", ...PARIS },
    ],
    "Paris",
  ],
  [
    "the record with a date",
    [
      { date: "yesterday", ...LYON },
      { date: EIGHT, ...PARIS },
    ],
    "Paris",
  ],
])("of a vehicle listed twice, every tool shows %s", async (_, [one, other], city) => {
  for (const records of [
    [one, other],
    [other, one],
  ])
    expect(await citiesOf(records.map(record))).toEqual({ cities: [city], rows: 1 });
});

/** A service that filters records, so that it may find the earlier one of a vehicle. */
const filtering =
  (records: readonly LivePosition[]) =>
  ({ fields }: Asked) => {
    const matches = (filter: string, value: string | undefined) =>
      String(fields[filter] ?? value)
        .split(",")
        .includes(String(value));
    return records.filter(
      ({ assetId, driverId, assetGroupId }) =>
        matches("vehicleIds", assetId) && matches("driverIds", driverId) && matches("groupIds", assetGroupId),
    );
  };

const ANN = { driverId: "p1", driverName: "Ann Ash", assetGroupId: "g1", assetGroupName: "North" };

it.each<[what: string, later: LivePosition, args: Record<string, string>, rows: object[]]>([
  ["the private journey of a driver's vehicle", { ...ANN, privacy: true }, { driver: "Ann Ash" }, [{ driverName: "Ann Ash" }]],
  ["the private journey of a group's vehicle", { ...ANN, privacy: true }, { group: "North" }, [{ driverName: "Ann Ash" }]],
  ["that another has the vehicle now", { ...ANN, driverId: "p2", driverName: "Bo Berg", ...PARIS }, { driver: "Ann Ash" }, []],
  ["that nobody has the vehicle now", { ...PARIS, privacy: true }, { driver: "Ann Ash" }, []],
  ["that the vehicle is in another group now", { ...ANN, assetGroupId: "g2", assetGroupName: "South", ...PARIS }, { group: "North" }, []],
  ["that the vehicle is elsewhere now", { ...ANN, ...PARIS }, { driver: "Ann Ash" }, [{ city: "Paris" }]],
])("a filter by which the service finds an earlier record does not hide %s", async (_, later, args, rows) => {
  const other = { ...ANN, assetId: "v2", assetName: "Van 2", date: EIGHT, ...LYON };
  const records = [record({ ...ANN, date: EIGHT, ...LYON }), record({ date: "2026-11-20T08:20:00Z", ...LYON, ...later }), other];
  const { config } = toolsOver(await cannedService(filtering(records)));
  const tools = createFleetTools(config, { now: () => NOW });
  const fields = ["assetName", "city", "driverName"];
  const { structured } = (await tools.call("list_live_positions", { ...args, fields })) as { structured: Record<string, unknown> };
  const [own, whole] = [rowsOf(structured).filter(({ assetName }) => assetName === "Van 1"), rowsOf(structured).length];
  expect(own).toEqual(rows.map((row) => expect.objectContaining(row)));
  if (later.privacy) expect(own.every(({ city }) => city === undefined)).toBe(true);
  const counted = (await tools.call("list_live_positions", { ...args, count: "city" })) as { structured: Record<string, unknown> };
  expect(counted.structured["total"]).toBe(whole);
});
