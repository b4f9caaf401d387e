import { describe, expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

const LYON = [45.7578, 4.832] as const;
const VIENNE = [45.5255, 4.8748] as const;
const PARK = [45.65, 4.85] as const;
const PARIS = [48.8566, 2.3522] as const;

type Place = readonly [latitude: number, longitude: number];

interface Spec {
  at: [start: string, end: string | undefined];
  from?: Place | undefined;
  to?: Place | undefined;
  activity?: string;
  vehicle?: string | undefined;
  more?: object;
}

/** An activity on 19 November, in UTC; without an end, it is in progress. */
const activity = ({ at: [start, end], from, to = from, activity = "REST", vehicle = "v1", more = {} }: Spec) => ({
  ...(vehicle && { assetId: vehicle, assetRegistration: `REG ${vehicle}` }),
  activity,
  startTime: start.includes("T") ? `${start}Z` : `2026-11-19T${start}:00Z`,
  ...(end === undefined ? { inProgress: true } : { endTime: end.includes("T") ? `${end}Z` : `2026-11-19T${end}:00Z` }),
  ...(from && { startLatitude: from[0], startLongitude: from[1] }),
  ...(to && { endLatitude: to[0], endLongitude: to[1] }),
  ...more,
});
const drive = (start: string, end: string | undefined, from?: Place, to?: Place, more: object = {}) =>
  activity({ at: [start, end], from, to, activity: "DRIVING", more });
const rest = (start: string, end: string | undefined, from?: Place, more: object = {}) => activity({ at: [start, end], from, more });

const entry = (driverId: string, ...activities: object[]) => ({ driverId, driverKey: `DRIVERCARD0${driverId}00`, activities });

const VEHICLES = [
  { assetId: "v1", assetName: "Truck 1", assetRegistration: "REG v1", driverId: "p1", driverName: "Ann Lee", date: "2026-11-20T08:30:00Z" },
  { assetId: "v2", assetName: "Truck 2", assetRegistration: "REG v2", date: "2026-11-20T08:30:00Z" },
  {
    ...{ assetId: "v3", assetName: "Van 3", date: "2026-11-20T08:30:00Z", latitude: VIENNE[0], longitude: VIENNE[1] },
    ...{ locationId: "l1", locationName: "Vienne Depot" },
  },
];

const serve = (data: readonly object[], env: Record<string, string> = {}, vehicles: readonly object[] = VEHICLES) =>
  servedFleet({
    script: {
      listLivePositions: () => ({ body: vehicles }),
      queryTachoActivity: () => ({ body: { count: data.length, data } }),
    },
    env,
  });

const DAY = { vehicle: "truck 1", period: "2026-11-19" };
const FIELDS = { fields: "kind,start,end,from,to,km,driver,remark,unrecorded" };

/** The rows as "kind start-end from > to", with the remark. */
async function dayOf(data: readonly object[], args: object = DAY, env?: Record<string, string>) {
  const { items, note } = await (await serve(data, env)).record("trips_and_stops", { ...args, ...FIELDS });
  const time = (text = "") => text.slice(5, 16).replace("11-19T", "");
  const rows = items.map((row: Record<string, string>) =>
    [
      `${row["kind"]} ${time(row["start"])}-${time(row["end"])}`,
      [row["from"], row["to"]].filter(Boolean).join(" > "),
      row["km"] === undefined ? "" : `${row["km"]} km`,
      row["unrecorded"] === undefined ? "" : `unrecorded ${row["unrecorded"]}`,
      row["remark"] ?? "",
    ]
      .filter(Boolean)
      .join(", "),
  );
  return { rows, note, items };
}

const AT_LYON = "45.758, 4.832";
/** What is said of stops before and after which nothing is recorded. */
const [EARLIER, LATER] = ["may have begun earlier", "may have ended later"];
const AT_PARIS = "48.857, 2.352";

describe("the day of a vehicle", () => {
  it.each<[why: string, data: object[], rows: string[]]>([
    [
      "a trip between two stops",
      [entry("p1", rest("00:00", "06:00", LYON), drive("06:00", "07:00", LYON, VIENNE), rest("07:00", "12:00", VIENNE))],
      [
        `stop 00:00-06:00, ${AT_LYON}, ${EARLIER}`,
        `trip 06:00-07:00, ${AT_LYON} > Vienne Depot, 26 km`,
        `stop 07:00-12:00, Vienne Depot, ${LATER}`,
      ],
    ],
    [
      "a short stand belongs to the trip, and one of five minutes does not",
      [entry("p1", drive("06:00", "06:30", LYON, VIENNE), rest("06:30", "06:34", VIENNE), drive("06:34", "07:00", VIENNE, LYON))],
      [`trip 06:00-07:00, ${AT_LYON} > ${AT_LYON}, 52.1 km`],
    ],
    [
      "two drivers of a team are one line",
      [
        entry("p1", drive("06:00", "07:00", LYON, VIENNE)),
        entry("p2", activity({ at: ["06:00", "07:00"], from: LYON, to: VIENNE, activity: "AVAILABILITY", more: { driverCardSlot: 2 } })),
      ],
      [`trip 06:00-07:00, ${AT_LYON} > Vienne Depot, 26 km`],
    ],
    [
      "what only the second driver recorded",
      [entry("p2", activity({ at: ["06:00", "07:00"], from: LYON, to: VIENNE, activity: "AVAILABILITY", more: { driverCardSlot: 2 } }))],
      [`trip 06:00-07:00, ${AT_LYON} > Vienne Depot, 26 km, recorded by the second driver only`],
    ],
    [
      "somebody who rests elsewhere does not make the vehicle stand",
      [
        entry("p2", rest("2026-11-17T00:00:00", undefined, PARIS)),
        entry("p1", rest("2026-11-18T22:00:00", "06:00", LYON), drive("06:00", "07:00", LYON, VIENNE)),
      ],
      [`stop 11-18T22:00-06:00, ${AT_LYON}, ${EARLIER}`, `trip 06:00-07:00, ${AT_LYON} > Vienne Depot, 26 km`],
    ],
    [
      "time without records, at the same place",
      [entry("p1", drive("06:00", "07:00", LYON, VIENNE), drive("09:00", "10:00", VIENNE, LYON))],
      [
        `trip 06:00-07:00, ${AT_LYON} > Vienne Depot, 26 km`,
        "stop 07:00-09:00, Vienne Depot, unrecorded 2:00",
        `trip 09:00-10:00, Vienne Depot > ${AT_LYON}, 26 km`,
      ],
    ],
    [
      "a vehicle that is elsewhere after time without records",
      [entry("p1", drive("06:00", "07:00", LYON, VIENNE), rest("07:00", "08:00", VIENNE), drive("18:00", "19:00", PARIS, PARIS))],
      [
        `trip 06:00-07:00, ${AT_LYON} > Vienne Depot, 26 km`,
        "stop 07:00-08:00, Vienne Depot",
        `gap 08:00-18:00, Vienne Depot > ${AT_PARIS}, unrecorded 10:00, nothing recorded, found 417 km away`,
        `trip 18:00-19:00, ${AT_PARIS} > ${AT_PARIS}, 0 km`,
      ],
    ],
    [
      "a rest that ends elsewhere",
      [
        entry(
          "p1",
          drive("06:00", "07:00", LYON, VIENNE),
          activity({ at: ["07:00", "18:00"], from: VIENNE, to: PARIS }),
          drive("18:00", "19:00", PARIS, PARIS),
        ),
      ],
      [
        `trip 06:00-07:00, ${AT_LYON} > Vienne Depot, 26 km`,
        "stop 07:00-18:00, Vienne Depot, ends 417 km away without driving (ferry, towed?)",
        `trip 18:00-19:00, ${AT_PARIS} > ${AT_PARIS}, 0 km`,
      ],
    ],
    [
      "a drive over midnight",
      [entry("p1", drive("23:30", "2026-11-20T00:30:00", LYON, VIENNE))],
      [`trip 23:30-11-20T00:30, ${AT_LYON} > Vienne Depot, 26 km`],
    ],
    [
      "an activity in progress ends now",
      [entry("p1", rest("19:00", "20:00", LYON), drive("20:00", undefined, LYON, undefined, { endLatitude: undefined }))],
      [`stop 19:00-20:00, ${AT_LYON}, ${EARLIER}`, `trip 20:00-, ${AT_LYON}, goes on`],
    ],
    ["places that are not recorded", [entry("p1", drive("06:00", "07:00"))], ["trip 06:00-07:00"]],
    [
      "a word of unknown meaning, with which it moved",
      [entry("p1", activity({ at: ["06:00", "07:00"], from: LYON, to: VIENNE, activity: "FAHREN" }))],
      [`trip 06:00-07:00, ${AT_LYON} > Vienne Depot, 26 km`],
    ],
    [
      "two drivers who are recorded as driving at a time",
      [entry("p1", drive("06:00", "07:00", LYON, VIENNE)), entry("p2", drive("06:30", "07:30", VIENNE, LYON))],
      [`trip 06:00-07:30, ${AT_LYON} > ${AT_LYON}, 26 km, driving is recorded twice at a time, counted once`],
    ],
  ])("%s", async (_, data, rows) => {
    expect((await dayOf(data)).rows).toEqual(rows);
  });

  it.each<[why: string, activities: object[], note: string]>([
    ["that end before they begin", [drive("07:00", "06:00", LYON, VIENNE)], "1 without readable times"],
    ["without an end", [{ ...drive("06:00", "07:00", LYON), endTime: undefined }], "1 without readable times"],
    ["of no vehicle", [activity({ at: ["06:00", "07:00"], vehicle: "" })], "1 of no vehicle"],
    ["in the future", [drive("2027-01-01T06:00:00", "2027-01-01T07:00:00", LYON)], "1 in the future"],
    ["that are there twice", [rest("06:00", "07:00", LYON), rest("06:00", "07:00", LYON)], "1 recorded twice"],
  ])("activities %s are named as odd, and not counted", async (_, activities, note) => {
    const { note: said } = await dayOf([entry("p1", ...activities)], { period: "2026-11-19" });
    expect(said).toContain(`Odd activities, left out: ${note}.`);
  });

  it("reversed and shuffled activities give the same day", async () => {
    const activities = [rest("00:00", "06:00", LYON), drive("06:00", "07:00", LYON, VIENNE), rest("07:00", "12:00", VIENNE)];
    const inOrder = await dayOf([entry("p1", ...activities)]);
    expect((await dayOf([entry("p1", ...activities.toReversed())])).rows).toEqual(inOrder.rows);
    const split = activities.toReversed().map((one) => entry("p1", one));
    expect((await dayOf(split)).rows).toEqual(inOrder.rows);
  });
});

describe("distances", () => {
  const trips = (distance: number) =>
    ["05:00", "07:00", "09:00"].map((start) => drive(start, `${start.slice(0, 2)}:40`, LYON, VIENNE, { distance }));

  it.each<[unit: string, distance: number, env: Record<string, string>, km: string, note: string | undefined]>([
    ["km", 32, {}, "32 km", undefined],
    ["metres", 32_000, {}, "32 km", undefined],
    ["neither", 19, {}, "26 km", "km: in a straight line, at least"],
    ["miles, as set", 20, { FLEET_DISTANCE_UNIT: "mi" }, "32.2 km", undefined],
  ])("in %s", async (_, distance, env, km, note) => {
    const { rows, note: said } = await dayOf([entry("p1", ...trips(distance))], DAY, env);
    expect(rows.filter((row: string) => row.startsWith("trip")).every((row: string) => row.includes(km))).toBe(true);
    expect(said.includes("in a straight line")).toBe(note !== undefined);
  });

  it("that cannot be true are not summed", async () => {
    const odd = drive("11:00", "11:40", LYON, VIENNE, { distance: 900 });
    const { rows, note } = await dayOf([entry("p1", ...Array.from({ length: 20 }, () => trips(32)).flat(), odd)], DAY, {
      FLEET_DISTANCE_UNIT: "km",
    });
    expect(rows.at(-1)).toContain("a distance that cannot be true was ignored");
    expect(note).toContain("122 km");
  });
});

describe("who was at a place", () => {
  const data = [
    entry("p1", rest("00:00", "06:00", LYON), drive("06:00", "07:00", LYON, VIENNE), rest("07:00", "12:00", VIENNE)),
    entry("p2", activity({ at: ["08:00", "09:00"], from: PARIS, vehicle: "v2" })),
  ];
  it.each<[at: string, more: object, rows: string[]]>([
    ["Vienne Depot", {}, [`stop 07:00-12:00, Vienne Depot, ${LATER}`]],
    ["van 3", {}, [`stop 07:00-12:00, Vienne Depot, ${LATER}`]],
    ["45.7578, 4.8320", {}, [`stop 00:00-06:00, ${AT_LYON}, ${EARLIER}`]],
    ["45.75, 4.83", { withinKm: 0.5 }, []],
    ["45.75, 4.83", { withinKm: 2 }, [`stop 00:00-06:00, ${AT_LYON}, ${EARLIER}`]],
    ["48.85, 2.35", { withinKm: 5 }, [`stop 08:00-09:00, ${AT_PARIS}, ${EARLIER}; ${LATER}`]],
  ])("at %s %j", async (at, more, rows) => {
    const { rows: found, note } = await dayOf(data, { at, period: "2026-11-19", ...more });
    expect(found).toEqual(rows);
    expect(note).toContain("passing it while driving is not recorded");
  });

  it("asks about a place that it does not know", async () => {
    const { question } = await serve(data);
    expect(await question("trips_and_stops", { at: "Nowhere Hall", period: "2026-11-19" })).toMatch(/as at\b/);
  });
});

describe("private journeys", () => {
  const PRIVATE = VEHICLES.map((vehicle) => (vehicle.assetId === "v1" ? { ...vehicle, privacy: true } : vehicle));
  const data = [
    entry(
      "p1",
      ...[rest("00:00", "05:00", LYON), drive("05:00", "05:30", LYON, PARK), rest("05:30", "06:00", PARK)],
      ...[drive("06:00", "07:00", PARK, VIENNE), rest("07:00", "2026-11-20T02:00:00", VIENNE)],
      drive("2026-11-20T02:00:00", "2026-11-20T03:00:00", VIENNE, PARIS),
    ),
  ];
  const PERIOD = { vehicle: "truck 1", period: "2026-11-19/2026-11-20" };

  it("withhold the places of the last 24 hours, those of a stop that reaches into them, and the way to it", async () => {
    const { record } = await serve(data, {}, PRIVATE);
    const { items, note } = await record("trips_and_stops", { ...PERIOD, ...FIELDS });
    expect(items.map(({ kind, from, to }: Record<string, string>) => [kind, from, to])).toEqual([
      ["stop", AT_LYON, undefined],
      ["trip", AT_LYON, "45.650, 4.850"],
      ["stop", "withheld", undefined],
      ["trip", "withheld", "withheld"],
      ["stop", "withheld", undefined],
      ["trip", "withheld", "withheld"],
    ]);
    expect(note).toContain("Places withheld in 4 of 6: private journey.");
  });

  it.each([
    ["where", { where: "from=45.5" }],
    ["sort", { sort: "latitude" }],
    ["count", { count: "from" }],
    ["coordinates", { fields: "latitude,longitude,endLatitude,endLongitude" }],
    ["the place", { at: "48.8566, 2.3522" }],
  ])("are not revealed by %s", async (_, more) => {
    const { call } = await serve(data, {}, PRIVATE);
    const result = JSON.stringify(await call("trips_and_stops", { ...PERIOD, period: "2026-11-20", ...more }));
    for (const secret of ["48.85", "2.352", "45.52"])
      expect(result.replace(JSON.stringify(more), "").replaceAll("48.8566, 2.3522", "")).not.toContain(secret);
    expect(result).not.toMatch(/"kind":|km away/);
  });

  it("with FLEET_PAST=off, no place of anybody", async () => {
    const { record } = await serve(data, { FLEET_PAST: "off" });
    const { items, note } = await record("trips_and_stops", { ...PERIOD, ...FIELDS });
    expect(new Set(items.flatMap(({ from, to }: Record<string, string>) => [from, to].filter(Boolean)))).toEqual(new Set(["withheld"]));
    expect(note).toContain("(FLEET_PAST)");
  });
});

describe("what is not there", () => {
  it("a vehicle without records", async () => {
    const { text } = await serve([]);
    expect(await text("trips_and_stops", { vehicle: "truck 2" })).toContain("Truck 2 (REG v2) may have no tachograph");
  });

  it.each([
    [{ period: "tomorrow" }, "is in the future"],
    [{ vehicle: "truck 1", period: "soon" }, "is not a valid period"],
  ])("%j", async (args, problem) => {
    const { failure } = await serve([]);
    expect(await failure("trips_and_stops", args)).toContain(problem);
  });
});

const MIXED = [
  entry(
    "p1",
    rest("00:00", "06:00", LYON),
    drive("06:00", "07:00", LYON, PARK, { distance: 60 }),
    rest("07:00", "09:00", PARK),
    drive("09:00", "13:00", PARK, PARIS, { distance: 430 }),
    rest("13:00", "2026-11-20T00:00:00", PARIS),
  ),
];

/** What the heading adds up is what the rows show. */
it.each<[where: string | undefined, said: string]>([
  [undefined, "2 trips, 490 km in 5:00; 3 stops in 19:00."],
  ["kind=trip", "2 trips, 490 km in 5:00."],
  ["km>100", "1 trip, 430 km in 4:00."],
  ["kind=stop, duration>3:00", "2 stops in 17:00."],
  ["start>=2026-11-19T08:00Z", "1 trip, 430 km in 4:00; 1 stop in 11:00."],
])("totals where %s are %s", async (where, said) => {
  const { record } = await serve(MIXED, { FLEET_DISTANCE_UNIT: "km", FLEET_PAST: "full" });
  for (const more of [{}, { count: "total" }])
    expect((await record("trips_and_stops", { vehicle: "truck 1", period: "2026-11-19", where, ...more })).note).toContain(said);
});
