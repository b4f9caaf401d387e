import { describe, expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

const HAMBURG = [53.55, 9.99] as const;
const BREMEN = [53.08, 8.8] as const;
type Place = readonly [latitude: number, longitude: number];

const activity = (activity: string, start: string, end: string, from: Place, to = from) => ({
  ...{ assetId: "v1", assetRegistration: "AB 1", activity, startTime: `2026-11-${start}:00Z`, endTime: `2026-11-${end}:00Z` },
  ...{ startLatitude: from[0], startLongitude: from[1], endLatitude: to[0], endLongitude: to[1] },
});

/** Ann leaves the truck in Hamburg at 12:05. Bob drives it to Bremen in the afternoon, and back at night; she goes on at 02:36. */
const ANN = [
  activity("DRIVING", "18T08:00", "18T11:30", BREMEN, HAMBURG),
  activity("WORK", "18T11:30", "18T12:05", HAMBURG),
  activity("REST", "18T12:05", "19T02:36", HAMBURG),
  activity("DRIVING", "19T02:36", "19T05:00", HAMBURG, BREMEN),
];
const BOB = [
  activity("DRIVING", "18T14:00", "18T16:00", HAMBURG, BREMEN),
  activity("REST", "18T16:00", "18T22:00", BREMEN),
  activity("DRIVING", "18T22:00", "19T00:00", BREMEN, HAMBURG),
  activity("REST", "19T00:00", "19T09:00", HAMBURG),
];
const ENTRIES = [
  { driverId: "p1", driverKey: "DRIVERCARD0p100", activities: ANN },
  { driverId: "p2", driverKey: "DRIVERCARD0p200", activities: BOB },
];
const FLEET = [
  {
    ...{ assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", driverId: "p1", driverName: "Ann Lee" },
    ...{ date: "2026-11-20T08:30:00Z", latitude: HAMBURG[0], longitude: HAMBURG[1], locationId: "l1", locationName: "Hamburg Depot" },
  },
  { assetId: "v2", assetName: "Truck 2", assetRegistration: "AB 2", driverId: "p2", driverName: "Bob Ray", date: "2026-11-20T08:30:00Z" },
];
const serve = (entries: readonly object[] = ENTRIES, fleet: readonly object[] = FLEET) =>
  servedFleet({
    script: {
      listLivePositions: () => ({ body: fleet }),
      queryTachoActivity: () => ({ body: { count: entries.length, data: entries } }),
    },
  });

describe("where somebody was, while another driver drives the vehicle,", () => {
  it.each<[asked: object, time: string, said: RegExp, record: object]>([
    [
      { driver: "Ann" },
      "18T15:00",
      /^Ann Lee at 2026-11-18 15:00: resting from 12:05 until 2026-11-19 02:36; left Truck 1 at Hamburg Depot \(53\.55000, 9\.99000\)\. Others may have driven it since/,
      { result: "resting", vehicle: "Truck 1", drivers: ["Ann Lee"], at: { place: "Hamburg Depot", time: "2026-11-18T12:05:00Z" } },
    ],
    [
      { driver: "Ann" },
      "18T12:00",
      /^Truck 1 at .*standing at Hamburg Depot .* from 11:30 until 12:05\. Driver: Ann Lee/,
      { result: "stood" },
    ],
    [{ driver: "Ann" }, "18T09:00", /^Truck 1 at .*driving between/, { result: "driving", drivers: ["Ann Lee"] }],
    [{ vehicle: "truck 1" }, "18T15:00", /^Truck 1 at .*driving between Hamburg Depot/, { result: "driving", drivers: ["Bob Ray"] }],
    [{ vehicle: "truck 1" }, "18T13:00", /^Truck 1 at .*standing at Hamburg Depot .* from 11:30 until 14:00/, { result: "stood" }],
    [{ driver: "Bob" }, "19T03:00", /^Bob Ray at .*resting from 00:00 until 09:00; left Truck 1 at Hamburg Depot/, { result: "resting" }],
  ])("%j at %s", async (asked, time, said, record) => {
    const result = await (await serve()).call("where_was", { ...asked, time: `2026-11-${time}:00Z` });
    expect(result.text).toMatch(said);
    expect(result.structured).toMatchObject(record);
  });

  it("is told by what this driver did in other vehicles before and after", async () => {
    const inTruck2 = { ...activity("DRIVING", "19T06:00", "19T07:00", BREMEN, HAMBURG), assetId: "v2", assetRegistration: "AB 2" };
    const { text } = await serve([{ ...ENTRIES[0], activities: [...ANN, inTruck2] }]);
    expect(await text("where_was", { driver: "Ann", time: "2026-11-19T05:30:00Z" })).toMatch(
      /^Ann Lee at .*: not recorded; last in Truck 1 at 53\.080, .* at 05:00, next in Truck 2 at 53\.080, .* at 06:00\./,
    );
  });
});

const clock = (time = "") => time.slice(8, 16);

describe("trips and stops", () => {
  const PERIOD = { period: "2026-11-18T06:00Z/2026-11-19T10:00Z", fields: "vehicle,kind,start,end,driver" };
  const rowsOf = async (asked: object, entries?: readonly object[]) => {
    const { items, note } = await (await serve(entries)).record("trips_and_stops", { ...PERIOD, ...asked });
    const rows = items.map((row: Record<string, string>) => `${row["kind"]} ${clock(row["start"])} ${clock(row["end"])} ${row["driver"]}`);
    return { rows, note };
  };
  const OF_ANN = [
    "trip 18T08:00 18T11:30 Ann Lee",
    "stop 18T11:30 18T12:05 Ann Lee",
    "rest 18T12:05 19T02:36 Ann Lee",
    "trip 19T02:36 19T05:00 Ann Lee",
  ];

  it.each<[asked: object]>([[{ driver: "Ann" }], [{ driver: "Ann", vehicle: "truck 1" }]])(
    "of %j are about the driver, and say so",
    async (asked) => {
      const { rows, note } = await rowsOf(asked);
      expect(rows).toEqual(OF_ANN);
      expect(note).toContain("About the driver: a rest says where the vehicle was left; others may have driven it since.");
      expect(note).toMatch(/2 trips, .*1 stop in 0:35; 1 rest in 14:31\./);
    },
  );

  it("of a driver at a place say that the vehicle was left there", async () => {
    expect((await rowsOf({ driver: "Ann", at: "Hamburg Depot" })).rows).toEqual(OF_ANN.slice(1, 3));
  });

  it("of the vehicle are what all drivers recorded: a stop is not longer because somebody who left it rests", async () => {
    const { rows, note } = await rowsOf({ vehicle: "truck 1" });
    expect(rows).toEqual([
      ...OF_ANN.slice(0, 1),
      "stop 18T11:30 18T14:00 Ann Lee",
      "trip 18T14:00 18T16:00 Bob Ray",
      "stop 18T16:00 18T22:00 Bob Ray",
      "trip 18T22:00 19T00:00 Bob Ray",
      "stop 19T00:00 19T02:36 Bob Ray",
      ...OF_ANN.slice(3),
    ]);
    expect(note).not.toContain("About the driver");
  });

  it("of a driver leave out what is not recorded of this driver", async () => {
    const withoutRest = ENTRIES.map((entry) => ({ ...entry, activities: entry.activities.filter((one) => one.activity !== "REST") }));
    expect((await rowsOf({ driver: "Ann" }, withoutRest)).rows).toEqual(OF_ANN.filter((row) => !row.startsWith("rest")));
  });
});

it.each([
  ["namesakes", "Ann Lee", FLEET.map((one) => ({ ...one, driverName: "Ann Lee" }))],
  ["several names", "Ann Lee, Bob Ray", FLEET],
])("of %s, it asks whose past is meant", async (_, driver, fleet) => {
  const { question } = await serve(ENTRIES, fleet);
  const asked = await question("where_was", { driver, time: "2026-11-18T15:00" });
  expect(asked).toMatch(/^2 drivers match ".*"\. Which one: Ann Lee \(Truck 1\); (Ann Lee|Bob Ray) \(Truck 2\)\?/);
});
