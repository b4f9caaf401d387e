import { expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

type Place = readonly [latitude: number, longitude: number];

/** Truck 1 stands at home every night, and is at the depot and at a customer by day. */
const HOME: Place = [45.7578, 4.832];
const NEAR_HOME: Place = [45.7601, 4.8344];
const [DEPOT, CUSTOMER, BEACH]: readonly [Place, Place, Place] = [
  [45.5255, 4.8748],
  [44.9334, 4.8924],
  [43.2965, 5.3811],
];

const activity = (kind: string, start: string, end: string | undefined, [from, to = from]: readonly Place[], vehicle = "v1") => ({
  ...{ assetId: vehicle, assetRegistration: `REG ${vehicle}`, activity: kind, startTime: `2026-11-${start}:00Z` },
  ...(end === undefined ? { inProgress: true } : { endTime: `2026-11-${end}:00Z` }),
  ...(from && { startLatitude: from[0], startLongitude: from[1] }),
  ...(to && { endLatitude: to[0], endLongitude: to[1] }),
});

const NIGHTS = [
  activity("REST", "16T18:00", "17T06:00", [HOME]),
  activity("DRIVING", "17T06:00", "17T07:00", [HOME, DEPOT]),
  activity("WORK", "17T07:00", "17T08:00", [DEPOT]),
  activity("DRIVING", "17T08:00", "17T10:00", [DEPOT, CUSTOMER]),
  activity("WORK", "17T10:00", "17T14:00", [CUSTOMER]),
  activity("DRIVING", "17T14:00", "17T16:00", [CUSTOMER, DEPOT]),
  activity("WORK", "17T16:00", "17T17:00", [DEPOT]),
  activity("DRIVING", "17T17:00", "17T18:00", [DEPOT, NEAR_HOME]),
  activity("REST", "17T18:00", "18T20:00", [NEAR_HOME]),
];
const TONIGHT = activity("REST", "18T20:00", undefined, [HOME]);
/** Another truck, which is on no private journey, at the same place. */
const NEIGHBOUR = activity("REST", "17T10:00", "17T14:00", [HOME], "v2");

const date = "2026-11-20T08:30:00Z";
const at = ([latitude, longitude]: Place) => ({ latitude, longitude });
const vehicle = (id: string, more: object) => ({
  assetId: id,
  assetName: `Truck ${id.slice(1)}`,
  assetRegistration: `REG ${id}`,
  date,
  ...more,
});

interface Served {
  live: object;
  activities?: object[];
  env?: Record<string, string>;
  past?: "fails";
}

const serve = ({ live, activities = [], env = {}, past }: Served) =>
  servedFleet({
    script: {
      listLivePositions: () => ({ body: [vehicle("v1", { driverId: "p1", ...live }), vehicle("v2", { driverId: "p2", ...at(DEPOT) })] }),
      queryTachoActivity: ({ body: { startTime, endTime, registrations } }) => {
        if (past === "fails" && startTime === "2026-11-19T08:34:00" && endTime === "2026-11-20T08:34:00") return { status: 500 };
        const isAsked = (one: { startTime: string; endTime?: string; assetRegistration: string }) =>
          one.startTime < `${endTime}Z` &&
          (one.endTime ?? "9") > `${startTime}Z` &&
          (registrations?.includes(one.assetRegistration) ?? true);
        const entries = [
          ["p1", [...NIGHTS, ...activities]],
          ["p2", [NEIGHBOUR]],
        ] as const;
        const data = entries.map(([driverId, all]) => ({
          ...{ driverId, driverKey: `DRIVERCARD0${driverId}00` },
          activities: all.filter((one) => isAsked(one as never)),
        }));
        return { body: { count: data.length, data } };
      },
    },
    env,
  });

/** What the tools show of the places: of each that they name, its letter. */
async function shown(served: Served) {
  const { call } = await serve(served);
  const results = await Promise.all([
    call("trips_and_stops", {
      vehicle: "truck 1",
      period: "2026-11-16/2026-11-18",
      fields: "kind,start,latitude,longitude,endLatitude,endLongitude",
    }),
    call("query_tacho_activity", {
      vehicle: "truck 1",
      period: "2026-11-16/2026-11-18",
      limit: 50,
      fields: "startLatitude,startLongitude,endLatitude,endLongitude",
    }),
    ...["16T23:00", "17T07:30", "17T12:00", "17T23:00"].map((time) =>
      call("where_was", { vehicle: "truck 1", time: `2026-11-${time}:00Z` }),
    ),
  ]);
  const text = JSON.stringify(results);
  const places = { home: HOME, nearHome: NEAR_HOME, depot: DEPOT, customer: CUSTOMER };
  return Object.entries(places)
    .filter(([, place]) => place.some((one) => text.includes(String(one))))
    .map(([name]) => name);
}

const ALL = ["home", "nearHome", "depot", "customer"];

it.each<[why: string, served: Served, places: string[]]>([
  ["while it is there on a private journey", { live: { privacy: true, ...at(HOME) } }, ["depot", "customer"]],
  ["while it is there, its flag of the wrong type", { live: { privacy: "yes", ...at(HOME) } }, ["depot", "customer"]],
  [
    "while it is elsewhere, and stood there last night",
    { live: { privacy: true, ...at(BEACH) }, activities: [TONIGHT] },
    ["depot", "customer"],
  ],
  ["while it is elsewhere, and was not there lately", { live: { privacy: true, ...at(BEACH) } }, ALL],
  [
    "while its place is not known, and it stood there last night",
    { live: { privacy: true }, activities: [TONIGHT] },
    ["depot", "customer"],
  ],
  ["while where it was cannot be read", { live: { privacy: true, ...at(BEACH) }, past: "fails" }, []],
  ["once the private journey has ended", { live: { privacy: false, ...at(HOME) }, activities: [TONIGHT] }, ALL],
  ["with FLEET_PAST=full", { live: { privacy: true, ...at(HOME) }, env: { FLEET_PAST: "full" } }, ALL],
  ["with FLEET_PAST=off", { live: { privacy: false, ...at(HOME) }, env: { FLEET_PAST: "off" } }, []],
  ["with FLEET_PRIVACY=off", { live: { privacy: true, ...at(HOME) }, env: { FLEET_PRIVACY: "off" } }, ALL],
])("the place of every night, %s: what is shown", async (_, served, places) => {
  expect(await shown(served)).toEqual(places);
});

it("another vehicle's past at the withheld place is shown, so that it does not tell where that is", async () => {
  const { record } = await serve({ live: { privacy: true, ...at(HOME) } });
  const { items } = await record("trips_and_stops", { vehicle: "truck 2", period: "2026-11-17", fields: "latitude,kind" });
  expect(items).toEqual([expect.objectContaining({ latitude: HOME[0] })]);
});

it("who was at the withheld place does not name the vehicle", async () => {
  const { record } = await serve({ live: { privacy: true, ...at(HOME) } });
  const { items } = await record("trips_and_stops", { at: HOME.join(", "), period: "2026-11-16/2026-11-18", fields: "vehicle,kind" });
  expect(items).toEqual([{ vehicle: "Truck 2", kind: "stop" }]);
});
