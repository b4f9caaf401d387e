import type { OperationName } from "@fleetwire/core";

/** A list that is asked for page by page. */
export interface Listing {
  name: string;
  tool: string;
  args?: Record<string, unknown>;
  /** By operation what the service answers in turn. */
  answers: Partial<Record<OperationName, unknown[]>>;
  /** Settings beside the usual ones. */
  env?: Record<string, string>;
  budget?: number;
  /** Answers that are asked for at most. */
  pages?: number;
}

export type Row = Record<string, unknown>;
export type Rest = Partial<Listing>;

export const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

export const HIDE = { env: { FLEET_DRIVER_NAMES: "hide" } };
const OPEN = { env: { FLEET_PRIVACY: "off" } };
const WALK = { args: { limit: 1 }, pages: 9 };

const WHEREABOUTS = {
  latitude: 48.13743,
  longitude: 11.57549,
  road: "Marienplatz",
  roadNumber: "8b",
  city: "Munich",
  postCode: "80331",
  country: "Germany",
  division: "Bavaria",
  formattedAddress: "Marienplatz 8b, 80331 Munich",
  locationName: "Holiday home",
  locationGroupName: "Homes",
  locationId: "l1",
  heading: 133,
  speed: 87.3,
};

const VAN = { assetId: "v1", assetName: "Van 1", assetRegistration: "KX21 ABC", driverId: "d1", driverName: "Ada Byron" };
const SEEN = { ...VAN, ...WHEREABOUTS, eventType: "driving", date: "2026-11-20T11:58:00Z", odometer: 1200 };
const PRIVATE = { ...SEEN, assetId: "v2", assetName: "Van 2", privacy: true, driverName: "Bo Li" };

export const FLEET = [
  { ...VAN, assetGroupId: "g1", assetGroupName: "North" },
  { assetId: "v7", assetName: "Truck 7", driverGroupId: "g2", driverGroupName: "Night" },
  { assetName: "Lorry 8", assetRegistration: "LR08 RRY" },
];

// Two ways to write one letter, which a collator takes for the same.
const [COMPOSED, APART] = ["Caf\u00e9", "Cafe\u0301"];

function ofPositions(): Listing[] {
  const listing = (name: string, positions: Row[], rest: Rest = {}): Listing => ({
    name,
    tool: "list_live_positions",
    answers: { listLivePositions: [positions] },
    ...rest,
  });
  const whereabouts = { fields: ["assetName", "privacy", ...Object.keys(WHEREABOUTS)] };
  const named = (...names: (string | [name: string | undefined, id?: string])[]) =>
    names.map((name, at) => {
      const [assetName, assetId] = typeof name === "string" ? [name] : name;
      return { assetName, assetId, city: `city ${at}` };
    });
  return [
    listing("every column", [SEEN, { ...SEEN, assetName: "Van 0" }]),
    listing("units", [SEEN], { args: { fields: ["date", "speed", "odometer", "heading"] } }),
    listing("units of every kind", [SEEN], {
      args: {
        fields: ["electricRangeKm", "electricBatteryLevelPercent", "fuelLevelLitres", "engineTotalHours", "engineRpm", "batteryVoltage"],
      },
    }),
    listing("filters", [SEEN], {
      args: { vehicleIds: ["v1", "v2"], groupIds: ["g1"], driverIds: ["d1"], fromDateTime: "2026-11-20T10:00:00Z", locale: "de" },
    }),
    listing("sold ones too", [], { args: { showAllVehicleStatus: true } }),
    listing(
      "21 rows",
      numbers(21).map((at) => ({ assetName: `Van ${at}` })),
      { args: { fields: ["assetName"] } },
    ),
    listing("names that count", named("Van 10", "Van 2", ["Van 2", "b"], ["Van 2", "a10"], ["Van 2", "a9"]), WALK),
    listing("no names", named(["Van", "b"], [undefined, "a"], [undefined], ["Van"]), WALK),
    listing("twins", named(["Van", "a"], ["Van", "a"], ["Van", "b"], ["Van", "a"]), WALK),
    listing("a letter in two ways", named([COMPOSED, "a"], [APART, "b"]), WALK),
    listing("a letter in two ways, the other first", named([APART, "b"], [COMPOSED, "a"]), WALK),
    listing("ids in two ways", named(["Van", COMPOSED], ["Van", APART]), WALK),
    listing("long names", named(["n".repeat(40), "i".repeat(20)], ["n".repeat(41), "i".repeat(21)]), WALK),
    listing("a fleet that moves", [], {
      args: { limit: 1, fields: ["assetName"] },
      env: { FLEET_SNAPSHOT_SECONDS: "0" },
      answers: { listLivePositions: [named("Van 1", "Van 3"), named("Van 2", "Van 0"), named("Van 0")] },
    }),
    listing("a private journey", [SEEN, PRIVATE], { args: whereabouts }),
    listing("a private journey behind", [SEEN, PRIVATE], { args: { limit: 1, fields: ["assetName", "city"] } }),
    listing("a private journey, shown", [PRIVATE], { args: whereabouts, ...OPEN }),
    listing("drivers that are hidden", [SEEN, PRIVATE, { ...VAN, driverName: " Ada Byron" }, { assetName: "Car", driverName: "" }], {
      args: { fields: ["assetName", "driverName", "city"] },
      ...HIDE,
    }),
    listing("by the operation's name", [SEEN], { tool: "listLivePositions", args: { fields: ["assetName"] } }),
  ];
}

export const cursorOf = (...place: (string | number)[]) => Buffer.from(JSON.stringify(place)).toString("base64url");

function ofFaults(): Listing[] {
  const faults = (count: number) => numbers(count).map((at) => ({ code: `P${at}`, description: "Cold" }));
  const page = (items: Row[], pagination?: Row) => ({ items, pagination });
  const listing = (name: string, pages: unknown[], rest: Rest = {}): Listing => ({
    name,
    tool: "list_vehicle_faults",
    answers: { listVehicleFaults: pages, listLivePositions: [FLEET] },
    ...rest,
  });
  const [three, two, none] = [{ id: "v1", faults: faults(3) }, { id: "v2", faults: faults(2) }, { id: "v3" }];
  const dated = { startDate: "2026-11-20T11:00:00Z", endDate: "2026-11-20T11:30:00Z", inProgress: false };
  const vehicle = { id: "v1", assetName: "Van 1", assetRegistration: "KX21 ABC", make: "Make" };
  const asking = (args: Row, rest: Rest = {}) => listing(`asked ${JSON.stringify(args)}`, [page([])], { args, ...rest });
  const two2 = { args: { limit: 2 }, pages: 9 };
  return [
    listing("every column", [page([{ ...vehicle, faults: [{ ...faults(1)[0], ...dated }] }], { totalItems: 1, totalPages: 1 })]),
    listing(
      "pages that are counted",
      [page([three, two], { totalItems: 3, totalPages: 2 }), page([three]), page([none], { totalPages: 2 })],
      {
        ...two2,
        env: { FLEET_SNAPSHOT_SECONDS: "0" },
      },
    ),
    listing("counted pages", [page([two], { totalPages: 3 }), page([none], { totalPages: 3 }), page([three], { totalPages: 3 })], WALK),
    listing("pages that are not counted", [page([none, three]), page([none])], two2),
    listing("a page that is empty too early", [page([], { totalItems: 9, totalPages: 9 })], two2),
    listing("a page without anything", [{}], two2),
    listing("a vehicle with an empty list", [page([{ id: "v1", faults: [] }, none])], {}),
    listing("a cursor of another size", [page([three, two], { totalPages: 9 })], {
      args: { limit: 2, cursor: cursorOf(7, 4, 1) },
      pages: 2,
    }),
    listing("a cursor behind the rows", [page([two], { totalPages: 9 })], { args: { cursor: cursorOf(2, 7, 5) }, pages: 1 }),
    listing("one field within little", [page([three], { totalItems: 1, totalPages: 1 })], { args: { fields: ["code"] }, budget: 200 }),
    listing("words, on every page", [page([three, two], { totalItems: 3, totalPages: 2 }), page([three])], {
      args: { vehicle: "van 1", group: "north", period: "last 24 hours", limit: 2 },
      env: { FLEET_SNAPSHOT_SECONDS: "0" },
      pages: 9,
    }),
    ...Object.entries({
      "without words": {},
      "of other words": { vehicle: "truck 7" },
      "of a vehicle that is gone": { cursor: cursorOf("aaaaaa", 0, 0, "v404", "", 2, 0, 1) },
      "of a group": { cursor: cursorOf("aaaaaa", 0, 0, "", "g2", 2, 0, 1) },
      "of too few words": { cursor: cursorOf("aaaaaa", 0, 0, "v1", 2, 0, 1) },
    }).map(([name, args]) =>
      listing(`a cursor ${name}`, [page([three], { totalPages: 9 })], {
        args: { limit: 2, cursor: cursorOf("aaaaaa", 1_795_100_000_000, 1_795_186_400_000, "v1", "g1", 2, 0, 1), ...args },
        pages: 1,
      }),
    ),
    asking({ vehicle: "van 1" }),
    asking({ vehicle: "truck 7", group: "north", period: "yesterday" }, { env: { FLEET_TIME_ZONE: "Europe/Berlin" } }),
    asking({ group: "night", fields: ["code"] }),
    asking({ vehicle: "lorry 8" }),
    asking({ vehicle: "no such" }),
    asking({ group: "no such" }),
    asking({ period: `2026-11-19T06:00:00.${"0".repeat(120)}Z/2026-11-19` }),
    asking({ vehicle: "7", group: "n", period: "1" }),
    asking({ vehicleId: "v9", groupId: "g9", startDate: "2026-11-01T00:00:00", endDate: "2026-11-02T00:00:00" }),
    asking({ pageSize: 1 }),
  ];
}

function ofTacho(): Listing[] {
  const span = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z" };
  const activities = (count: number) =>
    numbers(count).map((at) => ({ startTime: `2026-11-19T0${at}:00:00Z`, type: "A", activity: "WORK" }));
  const driver = (name: string, count: number) => ({ driverId: name, driverKey: `key ${name}`, activities: activities(count) });
  const listing = (name: string, pages: unknown[], args: Row = {}, rest: Rest = {}): Listing => ({
    name,
    tool: "query_tacho_activity",
    args: { ...span, ...args },
    answers: { queryTachoActivity: pages, listLivePositions: [FLEET] },
    pages: 9,
    ...rest,
  });
  const full = {
    ...activities(1)[0],
    endTime: "2026-11-19T01:00:00Z",
    inProgress: true,
    vehicleFriendlyName: "Van",
    assetRegistration: "R1",
  };
  const summing = (name: string, pages: unknown[], args: Row = {}): Listing => ({
    ...listing(name, pages),
    tool: "summarize_driver_activity",
    args: { period: "2026-11-19", ...args },
  });
  const worked = (name: string) => ({
    driverId: name,
    driverKey: `D000000000${name}0101`,
    activities: [{ startTime: "2026-11-19T06:00:00Z", endTime: "2026-11-19T07:00:00Z", activity: "DRIVING" }],
  });
  return [
    listing("every column", [{ count: 1, data: [{ ...driver("d1", 0), activities: [full] }] }]),
    listing(
      "two entries a page",
      [
        { count: 3, data: [driver("d1", 2), driver("d2", 3)] },
        { count: 3, data: [driver("d2", 3), driver("d3", 1)] },
      ],
      { limit: 2 },
    ),
    listing(
      "entries without activities",
      [
        { count: 3, data: [{ driverId: "d1" }, driver("d2", 1)] },
        { count: 3, data: [driver("d3", 0)] },
      ],
      {
        limit: 1,
      },
    ),
    listing("a page that is empty too early", [{ count: 3, data: [] }]),
    listing("more than is counted", [{ count: 1, data: [driver("d1", 1), driver("d2", 1)] }]),
    listing("a sort, keys and registrations", [{ count: 0, data: [] }], {
      sort: { driverId: "DESC" },
      driverKeys: ["D00000000005010"],
      registrations: ["R1"],
      fields: ["distance"],
    }),
    listing("no span", [], { startTime: undefined }),
    listing("other kinds of paging", [], { skip: 1 }),
    summing("pages", [
      { count: 3, data: [worked("d1"), worked("d9")] },
      { count: 3, data: [worked("d2")] },
    ]),
    summing("one driver", [{ count: 2, data: [worked("d1"), worked("d2")] }], { driver: "Ada Byron" }),
  ];
}

export const documentedListings = (): Listing[] => [...ofPositions(), ...ofFaults(), ...ofTacho()];
