import { describe, expect, it } from "vitest";
import { type Entry, entry, FLEET, rowsOf, servePast, vehicle } from "./the-past.ts";

type Env = Record<string, string>;

const ROAD = { startLatitude: 51.339701, startLongitude: 12.371101, endLatitude: 51.340702, endLongitude: 12.372102 };
const SECRETS = Object.values(ROAD).map(String);

interface Vehicle {
  assetId?: string;
  assetRegistration?: string;
  driverId?: string;
  privacy?: unknown;
}

const OPEN: Vehicle = { assetId: "v1", assetRegistration: "AB 1", driverId: "p1" };
const OTHER: Vehicle = { assetId: "v2", assetRegistration: "CD 2", driverId: "p2", privacy: false };
const PRIVATE = { ...OPEN, privacy: true };

const activity = (more: object) => ({
  activity: "DRIVING",
  startTime: "2026-11-20T06:00:00Z",
  endTime: "2026-11-20T07:00:00Z",
  ...ROAD,
  ...more,
});
const inVehicle = ({ assetId, assetRegistration }: Vehicle, more: object = {}) => activity({ assetId, assetRegistration, ...more });
const ofNobody = (...activities: object[]): Entry => ({ driverKey: "DRIVERCARD0none", activities });

const serve = (vehicles: readonly Vehicle[] | undefined, entries: readonly Entry[], env?: Env) =>
  servePast(entries, { ...(vehicles ? { vehicles } : { isUnseen: true }), env, sendsAll: true });

const FIELDS = ["driver", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "placesWithheld"];
const ASKED = { period: "last 24 hours", fields: FIELDS };

/** Whether all of the places, or none of them, are in a result. */
const shows = (result: object) => {
  const found = SECRETS.filter((secret) => JSON.stringify(result).includes(secret));
  return found.length === SECRETS.length || (found.length > 0 && found);
};

describe("the places of activities", () => {
  it.each<[why: string, vehicles: Vehicle[] | undefined, entries: Entry[], shown: boolean]>([
    ["of nobody on a private journey", [OPEN, OTHER], [entry("p1", inVehicle(OPEN))], true],
    ["of the vehicle and driver on one", [PRIVATE, OTHER], [entry("p1", inVehicle(OPEN))], false],
    ["of the vehicle's other driver", [PRIVATE, OTHER], [entry("p2", inVehicle(OPEN, { driverCardSlot: 2 }))], false],
    ["of the driver in another vehicle", [PRIVATE, OTHER], [entry("p1", inVehicle(OTHER))], false],
    ["of the vehicle, by registration", [PRIVATE, OTHER], [entry("p2", activity({ assetRegistration: "ab-1" }))], false],
    [
      "of the vehicle, by letters that look alike",
      [{ ...PRIVATE, assetRegistration: "АВ 1" }, OTHER],
      [entry("p2", activity({ assetRegistration: "AB 1" }))],
      false,
    ],
    ["of another vehicle, by registration", [PRIVATE, OTHER], [entry("p2", activity({ assetRegistration: "CD 2" }))], true],
    [
      "of a private vehicle without a registration",
      [{ ...PRIVATE, assetRegistration: "" }],
      [entry("p2", activity({ assetRegistration: "CD 2" }))],
      false,
    ],
    ["of no known vehicle", [PRIVATE, OTHER], [entry("p2", activity({}))], false],
    ["of no known driver", [PRIVATE, OTHER], [ofNobody(inVehicle(OTHER))], false],
    ["of no known driver, with nobody on one", [OPEN, OTHER], [ofNobody(inVehicle(OTHER))], true],
    ["with an unreadable flag", [{ ...OPEN, privacy: "ja" }], [entry("p1", inVehicle(OPEN))], false],
    ["while live positions cannot be read", undefined, [entry("p1", inVehicle(OPEN))], false],
  ])("%s are shown: %s", async (_, vehicles, entries, shown) => {
    const result = await (await serve(vehicles, entries)).call("query_tacho_activity", ASKED);
    expect(shows(result)).toBe(shown);
    const reason = vehicles ? "private journey" : "live positions cannot be read";
    expect(result.text.includes(`Places withheld in 1 of 1: ${reason}`)).toBe(!shown);
  });

  const [LONG_AGO, WITHIN_A_DAY] = ["33", "35"].map((minute) => ({
    startTime: "2026-11-19T07:00:00Z",
    endTime: `2026-11-19T08:${minute}:00Z`,
  }));
  const OPEN_END = { startTime: "2026-11-17T07:00:00Z", endTime: undefined, inProgress: true };

  it.each<[past: string | undefined, when: string, more: object | undefined, vehicles: Vehicle[] | undefined, shown: boolean]>([
    [undefined, "ended more than 24 hours ago", LONG_AGO, [PRIVATE], true],
    [undefined, "ended within 24 hours", WITHIN_A_DAY, [PRIVATE], false],
    [undefined, "in progress since days", OPEN_END, [PRIVATE], false],
    [undefined, "in progress, with a past end", { ...LONG_AGO, inProgress: true }, [PRIVATE], false],
    [undefined, "which ends before it begins", { startTime: LONG_AGO?.endTime, endTime: LONG_AGO?.startTime }, [PRIVATE], false],
    [undefined, "without an end", { ...LONG_AGO, endTime: undefined }, [PRIVATE], false],
    [undefined, "with an unreadable end", { ...LONG_AGO, endTime: "yesterday" }, [PRIVATE], false],
    [undefined, "ended more than 24 hours ago, while live positions cannot be read", LONG_AGO, undefined, true],
    ["full", "ended within 24 hours", WITHIN_A_DAY, [PRIVATE], true],
    ["full", "in progress since days", OPEN_END, [PRIVATE], false],
    ["off", "ended more than 24 hours ago, of nobody on one", LONG_AGO, [OPEN], false],
    ["off", "in progress, of nobody on one", OPEN_END, [OPEN], false],
  ])("with FLEET_PAST %s, %s: shown %s", async (past, _, more, vehicles, shown) => {
    const { call } = await serve(vehicles, [entry("p1", inVehicle(OPEN, more))], past === undefined ? {} : { FLEET_PAST: past });
    const result = await call("query_tacho_activity", { period: "2026-11-17/2026-11-21", fields: FIELDS });
    expect([shows(result), result.text.includes("Places withheld in 1 of 1")]).toEqual([shown, !shown]);
  });

  it.each<[why: string, vehicles: Vehicle[] | undefined, env: Env, shown: boolean, said: string]>([
    ["FLEET_PAST=off", [OPEN], { FLEET_PRIVACY: "off", FLEET_PAST: "off" }, false, "places of the past are not shown (FLEET_PAST)"],
    ["FLEET_PRIVACY=off, for which live positions are not needed", undefined, { FLEET_PRIVACY: "off" }, true, ""],
    ["no tool for positions", [PRIVATE], { FLEET_TOOLS: "query_tacho_activity" }, false, "Places withheld in 1 of 1"],
  ])("with %s", async (_, vehicles, env, shown, said) => {
    const result = await (await serve(vehicles, [entry("p1", inVehicle(OPEN))], env)).call("query_tacho_activity", ASKED);
    expect([result.ok, shows(result), result.text]).toEqual([true, shown, expect.stringContaining(said)]);
  });

  it("are not revealed by undocumented fields around them", async () => {
    const near = { near: SECRETS[0] };
    const { call, service } = await serve([PRIVATE, OTHER], []);
    const data = [{ ...entry("p2", { ...inVehicle(OPEN), ...near }), ...near }];
    service.script.queryTachoActivity = () => ({ body: { count: 1, data, ...near } });
    expect(JSON.stringify(await call("query_tacho_activity", ASKED))).not.toContain(SECRETS[0]);
  });

  it.each(["driver_hours", "summarize_driver_activity", "query_tacho_activity"])("appear in no result of %s unasked", async (tool) => {
    const { call } = await serve([PRIVATE, OTHER], [entry("p1", inVehicle(OPEN)), entry("p2", inVehicle(OPEN))]);
    const result = await call(tool, tool === "driver_hours" ? {} : { period: "last 24 hours" });
    expect([result.ok, shows(result), /withheld/.test(result.text)]).toEqual([true, false, false]);
  });
});

describe("trips and stops of a private journey", () => {
  const [, SECOND] = FLEET;
  const HIDDEN = [vehicle("v1", { driverId: "p1", driverName: "Ann Lee", privacy: true }), SECOND as object];
  const WAY = "drive 06:00-07:00 park>vienne; rest 07:00-20T02:00 vienne; drive 20T02:00-20T03:00 vienne>paris";
  const PAST = [`p1: rest 00:00-05:00 lyon; drive 05:00-05:30 lyon>park; rest 05:30-06:00 park; ${WAY}`];
  const PERIOD = { vehicle: "truck 1", period: "2026-11-19/2026-11-20" };

  it("withhold the places of the last 24 hours, those of a stop that reaches into them, and the way to it", async () => {
    const { record } = await servePast(PAST, { vehicles: HIDDEN });
    const { items, note } = await record("trips_and_stops", { ...PERIOD, fields: "kind,from,to" });
    expect(rowsOf(items).map((row) => row.replace(" -,", ""))).toEqual([
      ...["stop lyon", "trip lyon > park", "stop withheld", "trip withheld > withheld", "stop withheld", "trip withheld > withheld"],
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
    const { call } = await servePast(PAST, { vehicles: HIDDEN });
    const result = JSON.stringify(await call("trips_and_stops", { ...PERIOD, period: "2026-11-20", ...more }));
    const said = result.replace(JSON.stringify(more), "").replaceAll("48.8566, 2.3522", "");
    expect(said).not.toMatch(/48\.85|2\.352|45\.52|"kind":|km away/);
  });

  it("with FLEET_PAST=off, show no place of anybody", async () => {
    const { record } = await servePast(PAST, { env: { FLEET_PAST: "off" } });
    const { items, note } = await record("trips_and_stops", { ...PERIOD, fields: "from,to" });
    const places = items.flatMap(({ from, to }: Record<string, string>) => [from, to].filter(Boolean));
    expect([...new Set(places)]).toEqual(["withheld"]);
    expect(note).toContain("(FLEET_PAST)");
  });

  it("are withheld at a time, for 24 hours", async () => {
    const { call, text } = await servePast(PAST, { vehicles: HIDDEN });
    const result = await call("where_was", { vehicle: "truck 1", time: "2026-11-20T02:30:00Z" });
    expect(result.text).toContain("places withheld");
    expect(JSON.stringify(result)).not.toMatch(/48\.|2\.35|45\.5/);
    expect(await text("where_was", { vehicle: "truck 1", time: "2026-11-19T04:00:00Z" })).toContain("standing at 45.758, 4.832");
  });
});

describe("the place of every night", () => {
  /** Truck 1 stands at home (Lyon) every night, and is at the depot (Vienne) and at a customer (Paris) by day; Truck 2 is a neighbour. */
  const NIGHT = "rest 16T18:00-17T06:00 lyon; drive 17T06:00-17T07:00 lyon>vienne; work 17T07:00-17T08:00 vienne";
  const TOUR = "drive 17T08:00-17T10:00 vienne>paris; work 17T10:00-17T14:00 paris; drive 17T14:00-17T16:00 paris>vienne";
  const BACK = "work 17T16:00-17T17:00 vienne; drive 17T17:00-17T18:00 vienne>nearlyon; rest 17T18:00-18T20:00 nearlyon";
  const TONIGHT = "; rest 18T20:00- lyon";
  const [HOME, BEACH] = [
    { latitude: 45.7578, longitude: 4.832 },
    { latitude: 43.2965, longitude: 5.3811 },
  ];

  interface Served {
    live: object;
    more?: string;
    env?: Env;
    fails?: boolean;
  }
  const served = async ({ live, more = "", env, fails }: Served) => {
    const vehicles = [vehicle("v1", { driverId: "p1", ...live }), vehicle("v2", { driverId: "p2", latitude: 45.5255, longitude: 4.8748 })];
    const fleet = await servePast([`p1: ${NIGHT}; ${TOUR}; ${BACK}${more}`, "p2: rest 17T10:00-17T14:00 lyon v2"], { vehicles, env });
    const { queryTachoActivity } = fleet.service.script;
    if (fails)
      fleet.service.script.queryTachoActivity = (request) =>
        request.body.startTime === "2026-11-19T08:34:00" && request.body.endTime === "2026-11-20T08:34:00"
          ? { status: 500 }
          : (queryTachoActivity?.(request) ?? "silence");
    return fleet;
  };
  const AT_HOME = { live: { privacy: true, ...HOME } };
  const NAMED = {
    home: ["45.7578", "4.832"],
    nearHome: ["45.7601", "4.8344"],
    depot: ["45.5255", "4.8748"],
    customer: ["48.8566", "2.3522"],
  };
  const [ALL, BY_DAY] = [Object.keys(NAMED), ["depot", "customer"]];

  it.each<[why: string, served: Served, places: string[]]>([
    ["while it is there on a private journey", AT_HOME, BY_DAY],
    ["while it is there, its flag of the wrong type", { live: { privacy: "yes", ...HOME } }, BY_DAY],
    ["while it is elsewhere, and stood there last night", { live: { privacy: true, ...BEACH }, more: TONIGHT }, BY_DAY],
    ["while it is elsewhere, and was not there lately", { live: { privacy: true, ...BEACH } }, ALL],
    ["while its place is not known, and it stood there last night", { live: { privacy: true }, more: TONIGHT }, BY_DAY],
    ["while where it was cannot be read", { live: { privacy: true, ...BEACH }, fails: true }, []],
    ["once the private journey has ended", { live: { privacy: false, ...HOME }, more: TONIGHT }, ALL],
    ["with FLEET_PAST=full", { ...AT_HOME, env: { FLEET_PAST: "full" } }, ALL],
    ["with FLEET_PAST=off", { live: { privacy: false, ...HOME }, env: { FLEET_PAST: "off" } }, []],
    ["with FLEET_PRIVACY=off", { ...AT_HOME, env: { FLEET_PRIVACY: "off" } }, ALL],
  ])("%s: what is shown", async (_, given, places) => {
    const { call } = await served(given);
    const asked = { vehicle: "truck 1", period: "2026-11-16/2026-11-18", limit: 50 };
    const results = await Promise.all([
      call("trips_and_stops", { ...asked, fields: "kind,start,latitude,longitude,endLatitude,endLongitude" }),
      call("query_tacho_activity", { ...asked, fields: "startLatitude,startLongitude,endLatitude,endLongitude" }),
      ...["16T23:00", "17T07:30", "17T12:00", "17T23:00"].map((time) =>
        call("where_was", { vehicle: "truck 1", time: `2026-11-${time}:00Z` }),
      ),
    ]);
    const text = JSON.stringify(results);
    expect(ALL.filter((name) => NAMED[name as keyof typeof NAMED].some((one) => text.includes(one)))).toEqual(places);
  });

  it("is shown of another vehicle, so that it does not tell where that is, and does not name the private one", async () => {
    const { record } = await served(AT_HOME);
    const { items } = await record("trips_and_stops", { vehicle: "truck 2", period: "2026-11-17", fields: "latitude,kind" });
    expect(items).toEqual([{ latitude: HOME.latitude, kind: "stop" }]);
    const visits = await record("trips_and_stops", { at: "45.7578, 4.832", period: "2026-11-16/2026-11-18", fields: "vehicle,kind" });
    expect(visits.items).toEqual([{ vehicle: "Truck 2", kind: "stop" }]);
  });
});
