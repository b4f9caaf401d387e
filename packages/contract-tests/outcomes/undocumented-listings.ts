import { cursorOf, FLEET, HIDE, type Listing, numbers, type Rest, type Row } from "./listings.ts";

const refused = (status: number, body: unknown) => () => Response.json(body, { status });

/** Far deeper than anything is. */
const nested = (open: string, close: string) => () => new Response(`[{"in":${open.repeat(9_000)}0${close.repeat(9_000)}}]`);

/** Bodies in which the records have to be found, and what stands beside them told. */
const SHAPES: Readonly<Record<string, unknown>> = {
  "a list": [{ a: 1 }, 2, null, [3], "four"],
  "nothing but a text": "none",
  nothing: null,
  "the list that the path names": { other: [1], jobs: [{ a: 1 }], page: 1 },
  "its only list": { records: [{ a: 1 }], of: { day: "today" } },
  "two lists": { one: [1], two: [2] },
  "no list": { a: 1, b: { c: 2 } },
  "an empty list": { jobs: [], note: "None today." },
  "four values beside": { jobs: [1], a: "ends.", b: [1, 2], c: true, d: null },
  "five values beside": { jobs: [1], a: 1, b: 1, c: 1, d: 1, ["e".repeat(70)]: 1 },
  "six values beside": { jobs: [1], ["n".repeat(70)]: "ends", b: 1, c: 1, d: 1, e: 1, f: 1 },
  "a count of more": { jobs: [1, 2], pages: 1.5, shown: 2, total: 3, also: 4 },
  "a count that is no number": { jobs: [1], total: "30" },
  "eight fields": [Object.fromEntries(numbers(8).map((at) => [`f${at}`, at]))],
  "nine fields": [Object.fromEntries(numbers(9).map((at) => [`f${at}`, at]))],
  "fields without plain values": [{ a: { b: 1 }, c: [1] }],
  "60 fields": [Object.fromEntries(numbers(60).map((at) => [`f${at}`, at]))],
  "61 fields": [Object.fromEntries(numbers(61).map((at) => [`f${at}`, at]))],
  "fields of 600 characters and more": [Object.fromEntries(numbers(12).map((at) => [`${at}`.padEnd(50, "x"), at]))],
  "a field that only others have": [...numbers(20).map((a) => ({ a, c: null })), { b: 2 }],
};

function ofShapes(): Listing[] {
  const listing = (name: string, bodies: unknown[], rest: Rest = {}): Listing => ({
    name,
    tool: "list_jobs",
    answers: { listJobs: bodies },
    ...rest,
  });
  const anew = { args: { limit: 1 }, env: { FLEET_SNAPSHOT_SECONDS: "0" }, pages: 9 };
  const records = (...names: string[]) => names.map((a) => ({ a }));
  return [
    ...Object.entries(SHAPES).map(([name, body]) => listing(name, [body], { pages: 2 })),
    listing("a field by name", [[{ a: 1, b: { c: 1 } }]], { args: { fields: ["b"], query: { day: "today" } } }),
    listing("no fields by name", [[{ a: 1, b: { c: 1 } }]], { args: { fields: [] } }),
    listing("a field that there is not", [[{ a: 1 }]], { args: { fields: ["b"] } }),
    listing("any field of none", [{ jobs: [] }], { args: { fields: ["b"] } }),
    listing("twins", [records("x", "x", "y", "x", "z")], { args: { limit: 1 }, pages: 9 }),
    listing("rows that come and go", [records("a", "b", "c"), records("new", "a", "b", "c"), records("b", "c"), records("c")], anew),
    listing("rows of which the last is gone", [records("a", "b", "c"), records("b", "c", "d"), records("x", "y", "z")], anew),
    listing("rows that have become fewer", [records("a", "b", "c"), records("b"), records("b")], { ...anew, args: { limit: 2 } }),
    listing("a place behind all rows", [records("a")], { args: { cursor: cursorOf(5, "none") } }),
    listing("a place behind no rows", [[]], { args: { cursor: cursorOf(0, "") } }),
    listing(
      "half of what was long",
      [
        [
          { text: "x".repeat(500), a: 1 },
          { text: `${"x".repeat(500)}y`, a: 2 },
        ],
      ],
      {
        args: { limit: 1, fields: ["a"] },
      },
    ),
    listing("little room", [{ jobs: numbers(30).map((at) => ({ at, text: "text" })), total: 99 }], { budget: 300, pages: 2 }),
    { ...listing("of another tool", []), tool: "list_tire_events", answers: { listTireEvents: [{ jobs: [1], events: [{ a: 1 }] }] } },
  ];
}

/** Fields in which a driver's name may stand, or may not. */
const ABOUT_PEOPLE: readonly Row[] = [
  { driverName: "Cy Ray", personName: "Di Fox", assignedPersonName: "Ed Oak" },
  { driver_full_name: "Flo Elm", nameOfDriver: "Gus Ash", driver: "Hal Fir", people: "Jo Yew", DRIVERS: ["Kim Bay", " "] },
  { driverGroupName: "North", nameOfPersonGroup: "South", groupName: "East" },
  { driver: { name: "Lou Box", first_name: "Lou", givenName: "Lou", city: "Lyon" }, group: { name: "North" }, drivers: [{ name: "Max" }] },
  { driverGroup: { name: "North" }, vehicle: { name: "Van 1" }, client: { driver_id: "d1", name: "Ned Fig", nickname: "Ned" } },
  { stop: { personKey: "k", surName: "Orr" }, next: { driverNumber: 5, last_name: "Pax" }, ids: { drivers: 1, name: "Plan" } },
  { before: "Pia Elk", driverName: "Pia Elk " },
  { a: "Ada Byron", b: " Cy Ray ", c: "Di Fox", d: "Ed Oak", e: "with Ada Byron", f: "", g: " ", h: 1, i: null, j: true },
];

function ofDrivers(): Listing[] {
  const listing = (name: string, jobs: unknown, rest: Rest = {}): Listing => ({
    name,
    tool: "list_jobs",
    answers: { listJobs: [jobs], listLivePositions: [FLEET] },
    ...HIDE,
    ...rest,
  });
  const drivers = ["Anna", "Anna Keller", "Bo", "Driver", "Cleo"].map((driverName, at) => ({ assetId: `v${at}`, driverName }));
  const said = [{ errorMessage: "Anna Keller, Anna and Bo are away; Cleo is not" }];

  return [
    ...ABOUT_PEOPLE.map((row, at) => listing(`hidden names ${at}`, [ABOUT_PEOPLE[0], row], { args: { fields: Object.keys(row) } })),
    listing("names that are shown", ABOUT_PEOPLE.slice(0, 1), { env: {} }),
    listing("hidden names without a fleet", ABOUT_PEOPLE.slice(-1), {
      args: { fields: ["a"] },
      answers: { listJobs: [ABOUT_PEOPLE.slice(-1)], listLivePositions: [refused(503, {})] },
    }),
    { ...listing("a group by its name", []), tool: "update_group", args: { group: "north", name: "South", dryRun: true } },
    listing("records within records", nested('{"in":', "}")),
    listing("lists within lists", nested("[", "]")),
    ...[HIDE, { env: {} }].map(({ env }, at) =>
      listing(`a refusal that names drivers ${at}`, [], {
        env,
        answers: { listJobs: [refused(400, said)], listLivePositions: [drivers] },
      }),
    ),
  ];
}

export const undocumentedListings = (): Listing[] => [...ofShapes(), ...ofDrivers()];
