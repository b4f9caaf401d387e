import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { samples } from "@fleetwire/core/samples";
import { catalogue } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import { cannedFleet, type Position } from "./canned-fleet.ts";
import { faultPages, type Script, tachoRecords } from "./fleet-service.ts";
import { serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

// Some hosts show a model only the text of a result, others only its record, so each must be sufficient alone.

const fleet = (more: Position[] = []) => ({ listLivePositions: () => ({ body: [...cannedFleet(), ...more] }) });
const at = (assetName: string, more: Record<string, unknown> = {}) =>
  ({ assetId: assetName.toLowerCase().replaceAll(" ", ""), assetName, ...more }) as Position;
const PRIVATE = at("Lone van", { privacy: true, latitude: 45.7, longitude: 4.8, driverName: "Petra Privat", date: "2026-11-20T08:30:00Z" });
const worked = (activities: object[]) => tachoRecords([{ driverId: "p1", driverKey: "D1", activities }]);
const DROVE = { activity: "DRIVING", startTime: "2026-11-19T06:00:00Z", endTime: "2026-11-19T08:00:00Z" };
const driver = fleet([at("Truck 900", { driverId: "p1", driverName: "Anna Einzig", assetRegistration: "AE 1" })]);
const DAY = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z" };
const job = (more: object = {}) => ({
  createJob: ({ body }: { body: object }) => ({ body: { job: { jobId: "j1", jobNumber: "J1", ...body }, ...more } }),
});
const group = { updateGroup: () => ({ body: { id: "north", name: "North", path: "root.north" } }) };
const FAULTS = [
  { id: "v1", assetName: "Van", faults: [{ code: "P1", startDate: "2026-11-20T08:30:00Z" }] },
  { id: "v2", faults: [] },
];
const jobs = (body: unknown): Script => ({ listJobs: () => ({ body }) });

interface Kind {
  tool: string;
  kind: string;
  args: Record<string, unknown>;
  script: Script;
  /** What text and record must both say. */
  expected?: string;
  budget?: number;
}

const OWN_KINDS: Kind[] = [
  { tool: "locate_vehicle", kind: "found", args: { query: "truck 12" }, script: fleet() },
  { tool: "locate_vehicle", kind: "found by a code", args: { query: "v1011" }, script: fleet() },
  {
    tool: "locate_vehicle",
    kind: "spelt otherwise",
    args: { query: "truk 12" },
    script: fleet(),
    expected: 'Spelt differently from "truk 12".',
  },
  {
    tool: "locate_vehicle",
    kind: "on a private journey",
    args: { query: "lone van" },
    script: fleet([PRIVATE]),
    expected: "whereabouts withheld",
  },
  {
    tool: "locate_vehicle",
    kind: "with little known",
    args: { query: "bare" },
    script: { listLivePositions: () => ({ body: [at("Bare")] }) },
  },
  { tool: "locate_vehicle", kind: "several", args: { query: "truck" }, script: fleet(), expected: "Ask the user" },
  {
    tool: "locate_vehicle",
    kind: "several, in little room",
    args: { query: "truck" },
    script: fleet(),
    expected: "Ask the user",
    budget: 200,
  },
  { tool: "locate_vehicle", kind: "none", args: { query: "zeppelin" }, script: fleet(), expected: "Ask the user" },
  {
    tool: "locate_vehicle",
    kind: "an empty fleet",
    args: { query: "truck" },
    script: { listLivePositions: () => ({ body: [] }) },
    expected: "no visible vehicles",
  },
  {
    tool: "find_nearest_vehicles",
    kind: "some",
    args: { to: "truck 12", limit: 2 },
    script: fleet([PRIVATE, at("Bare")]),
    expected: "More: repeat this call with",
  },
  {
    tool: "find_nearest_vehicles",
    kind: "left out",
    args: { to: "truck 12", limit: 2 },
    script: fleet([PRIVATE, at("Bare")]),
    expected: "on private journeys",
  },
  { tool: "find_nearest_vehicles", kind: "several", args: { to: "truck" }, script: fleet(), expected: "as to." },
  { tool: "find_nearest_vehicles", kind: "no such group", args: { to: "truck 12", group: "zzz" }, script: fleet(), expected: "as group." },
  { tool: "summarize_fleet", kind: "counts", args: {}, script: fleet([PRIVATE]), expected: "on private journeys" },
  { tool: "summarize_fleet", kind: "in no room", args: {}, script: fleet(), expected: "does not fit", budget: 200 },
  {
    tool: "summarize_fleet",
    kind: "one list",
    args: { list: "silent", silentHours: 0, limit: 2 },
    script: fleet(),
    expected: "No report for more than 0 h.",
  },
  { tool: "summarize_fleet", kind: "no such group", args: { group: "zzz" }, script: fleet(), expected: "as group." },
  { tool: "list_live_positions", kind: "some", args: { limit: 2 }, script: fleet(), expected: "Units: speed km/h" },
  { tool: "list_live_positions", kind: "private journeys", args: { limit: 500 }, script: fleet([PRIVATE]), expected: "withheld" },
  {
    tool: "list_live_positions",
    kind: "in little room",
    args: { fields: "assetName, assetId, assetRegistration, eventType, speed, city, date, driverName" },
    script: fleet(),
    expected: "Left out to fit FLEET_MAX_RESULT_TOKENS",
    budget: 220,
  },
  { tool: "list_live_positions", kind: "none", args: {}, script: { listLivePositions: () => ({ body: [] }) } },
  { tool: "list_vehicle_faults", kind: "some", args: {}, script: faultPages(FAULTS), expected: "without any fault" },
  {
    tool: "list_vehicle_faults",
    kind: "of one vehicle in a period",
    args: { vehicle: "truck 12", period: "2026-11-19" },
    script: { ...faultPages(FAULTS), ...fleet() },
    expected: "service due dates",
  },
  { tool: "list_vehicle_faults", kind: "several", args: { vehicle: "truck" }, script: fleet(), expected: "as vehicle." },
  { tool: "list_vehicle_faults", kind: "no such group", args: { group: "zzz" }, script: fleet(), expected: "as group." },
  {
    tool: "driver_hours",
    kind: "some",
    args: {},
    script: { ...driver, ...worked([DROVE]) },
    expected: "Not proof that driving is legal",
  },
  { tool: "driver_hours", kind: "none", args: {}, script: { ...driver, ...worked([]) }, expected: "Without tachograph activities" },
  {
    tool: "summarize_driver_activity",
    kind: "some",
    args: { period: "2026-11-19" },
    script: { ...driver, ...worked([DROVE, { activity: "REST" }]) },
    expected: "without readable times",
  },
  {
    tool: "summarize_driver_activity",
    kind: "of who drives a vehicle",
    args: { period: "2026-11-19", driver: "AE 1" },
    script: { ...driver, ...worked([DROVE]) },
    expected: " drives ",
  },
  {
    tool: "summarize_driver_activity",
    kind: "nothing",
    args: { period: "2026-11-19", driver: "einzig" },
    script: { ...driver, ...tachoRecords([]) },
    expected: "Drivers without tachograph activities: ",
  },
  {
    tool: "summarize_driver_activity",
    kind: "no such driver",
    args: { period: "2026-11-19", driver: "zeppelin" },
    script: driver,
    expected: "as driver.",
  },
  { tool: "query_tacho_activity", kind: "some", args: DAY, script: worked([DROVE]), expected: "not documented" },
  {
    tool: "list_jobs",
    kind: "some",
    args: { limit: 1 },
    script: jobs({ jobs: [{ a: 1, b: { c: 1 } }, { a: 2 }], total: 9, label: "x" }),
    expected: "there are more (the service counts",
  },
  {
    tool: "list_jobs",
    kind: "long values",
    args: {},
    script: jobs([{ notes: "word ".repeat(200) }, { notes: "more ".repeat(200) }]),
    expected: "Long values are shortened",
  },
  {
    tool: "list_tire_events",
    kind: "some",
    args: {},
    script: { listTireEvents: () => ({ body: [{ eventId: "t1" }] }) },
  },
  { tool: "create_job", kind: "created", args: { address: "Lyon" }, script: job(), expected: "Job created." },
  {
    tool: "create_job",
    kind: "created, with a remark",
    args: { address: "Lyon" },
    script: job({ errors: [{ message: "odd" }] }),
    expected: "The service remarked",
  },
  {
    tool: "create_job",
    kind: "created unchecked",
    args: { address: "Lyon", groupName: "zzz" },
    script: { ...fleet(), ...job() },
    expected: "was not checked",
  },
  {
    tool: "create_job",
    kind: "no such vehicle",
    args: { address: "Lyon", vehicleName: "zeppelin" },
    script: fleet(),
    expected: "Nothing was sent.",
  },
  {
    tool: "create_job",
    kind: "several vehicles",
    args: { address: "Lyon", vehicleName: "truck" },
    script: fleet(),
    expected: "Nothing was sent.",
  },
  {
    tool: "create_job",
    kind: "no such driver",
    args: { address: "Lyon", personName: "zeppelin" },
    script: fleet(),
    expected: "now, pass personId",
  },
  {
    tool: "update_group",
    kind: "updated",
    args: { id: "north", vehicleIds: ["v1"] },
    script: group,
    expected: "Group updated. Members are known",
  },
  { tool: "update_group", kind: "several", args: { id: "north", vehicles: ["truck"] }, script: fleet(), expected: "Nothing was sent." },
  { tool: "update_group", kind: "no such group", args: { group: "zzz", name: "N" }, script: fleet(), expected: "Nothing was sent." },
];

/** For tools without an entry above, the sample of their operation. */
const kinds: Kind[] = [
  ...OWN_KINDS,
  ...catalogue
    .filter(({ name }) => !OWN_KINDS.some(({ tool }) => tool === name))
    .map(({ name: tool, operations: [operation], inputJsonSchema }): Kind => {
      const { required = [] } = inputJsonSchema as { required?: string[] };
      const { name } = operation as { name: OperationName };
      const args = Object.fromEntries(required.map((field) => [field, field === "period" ? "yesterday" : "truck 12"]));
      return { tool, kind: "the sample", args, script: { ...fleet(), [name]: () => ({ body: samples[name].output }) } };
    }),
];

const NOUNS = Object.values<Operation>(operations).flatMap(({ tool }) => tool?.rows?.noun ?? tool?.likely?.noun ?? []);

/** How the text shows the record's own fields, or their absence. None of it is additional information. */
const RENDERED = [
  /More: repeat this call with cursor "[\w-]+"\./,
  /Read \d+ s ago\./,
  /place not reported|time not reported|No driver known|activity unknown|last reported|level not reported/g,
  /\b(vehicles?|faults?|records?|activit(y|ies)|driver times?|driver entr(y|ies)|with faults)\b/g,
  new RegExp(`\\b(${NOUNS.join("|")})\\b`, "g"),
  /\bheading [NSEW]{1,2}\b|\b(km\/h|UTC|ago|just now|days?|h|min|at|Driver|Id|Found by|By|of|in all|and|more|others?|left)\b/g,
];

/** Splits text into sentences: a full stop, question mark or quotation mark ends one. */
const sentencesOf = (text: string) => text.split(/(?<=[.?!”])\s+(?=[A-Z])/).filter((sentence) => sentence !== "");

const MORE = "More: repeat this call with next as cursor.";

describe.each(kinds)("$tool: $kind", ({ tool, args, script, expected, budget }) => {
  it("text and record have the same content", async () => {
    const env = { FLEET_CONFIRM: "never", ...(budget !== undefined && { FLEET_MAX_RESULT_TOKENS: String(budget) }) };
    const { call } = await serverUnderTest({ script, env });
    const result = await call(tool, args);
    const record = structuredOf(result);
    const { question = "", note = "" } = record;
    const text = textOf(result);
    // Each sentence of the record is in the text; truncated sentences end in an ellipsis.
    for (const sentence of sentencesOf(`${question} ${note}`.trim())) {
      if (sentence === MORE) expect(text).toContain(`More: repeat this call with cursor "${record.next}".`);
      else if (!sentence.endsWith("…")) expect(text.replaceAll("\n", " ")).toContain(sentence);
    }
    expect(note.includes(MORE)).toBe(record.next !== undefined);
    // Each word of the text is in the record, or only describes how a field is shown.
    const bare = RENDERED.reduce((left, shown) => left.replace(shown, " "), text);
    const inRecord = JSON.stringify(record).toLowerCase();
    const words = bare.match(/\p{L}{2,}/gu) ?? [];
    expect(words.filter((word) => !inRecord.includes(word.toLowerCase()))).toEqual([]);
    if (expected !== undefined) for (const side of [text, `${question} ${note}`]) expect(side).toContain(expected);
  });
});

it("every tool is covered, and every argument that takes a name", () => {
  expect([...new Set(kinds.map(({ tool }) => tool))].toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted());
});

it("the age of cached data is in both", async () => {
  let now = Date.parse("2026-11-20T08:34:00Z");
  const { call } = await serverUnderTest({ script: fleet(), env: { FLEET_SNAPSHOT_SECONDS: "60" }, now: () => now });
  await call("locate_vehicle", { query: "truck 12" });
  now += 7_000;
  const result = await call("locate_vehicle", { query: "truck 12" });
  expect(textOf(result)).toContain("Read 7 s ago.");
  expect(structuredOf(result).readSecondsAgo).toBe(7);
});
