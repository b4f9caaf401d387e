import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { samples } from "@fleetwire/core/samples";
import { expect, it } from "vitest";
import { catalogue } from "../src/index.ts";
import { cannedFleet, type Position } from "./canned-fleet.ts";
import { faultPages, type Script, tachoRecords } from "./fleet-service.ts";
import { servedFleet } from "./served-fleet.ts";

// Some hosts show a model only the text of a result, others only its record, so each must be sufficient alone.

const fleet = (more: Position[] = []) => ({ listLivePositions: () => ({ body: [...cannedFleet(), ...more] }) });
const at = (assetName: string, more: Record<string, unknown> = {}) =>
  ({ assetId: assetName.toLowerCase().replaceAll(" ", ""), assetName, ...more }) as Position;
const PRIVATE = at("Lone van", { privacy: true, latitude: 45.7, longitude: 4.8, driverName: "Petra Privat", date: "2026-11-20T08:30:00Z" });
const worked = (activities: object[]) => tachoRecords([{ driverId: "p1", driverKey: "D1", activities }]);
const DROVE = { activity: "DRIVING", startTime: "2026-11-19T06:00:00Z", endTime: "2026-11-19T08:00:00Z" };
const DROVE_V1 = { ...DROVE, assetId: "v1" };
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

/** A call, what the service sends, what text and record must both say, and the budget. */
type Kind = [tool: string, args: Record<string, unknown>, script: Script, expected?: string, budget?: number];

const OLD = { period: "2026-11-19" };
const AROUND = { to: "truck 12", limit: 2 };
const FIELDS = "assetName, assetId, assetRegistration, eventType, speed, city, date, driverName";

const OWN_KINDS: Kind[] = [
  ["locate_vehicle", { query: "truck 12" }, fleet()],
  ["locate_vehicle", { query: "lone van" }, fleet([PRIVATE]), "whereabouts withheld"],
  ["locate_vehicle", { query: "truck" }, fleet(), "Ask the user", 200],
  ["locate_vehicle", { query: "zeppelin" }, fleet(), "Ask the user"],
  ["find_nearest_vehicles", AROUND, fleet([PRIVATE, at("Bare")]), "More: repeat this call with"],
  ["summarize_fleet", {}, fleet([PRIVATE]), "on private journeys"],
  ["summarize_fleet", {}, fleet(), "does not fit", 200],
  ["list_live_positions", { limit: 2 }, fleet(), "Units: speed km/h"],
  ["list_live_positions", { limit: 500 }, fleet([PRIVATE]), "withheld"],
  ["list_live_positions", { fields: FIELDS }, fleet(), "Left out to fit FLEET_MAX_RESULT_TOKENS", 220],
  ["list_vehicle_faults", {}, faultPages(FAULTS), "without any fault"],
  ["list_vehicle_faults", { vehicle: "truck 12", ...OLD }, { ...faultPages(FAULTS), ...fleet() }, "service due dates"],
  ["driver_hours", {}, { ...driver, ...worked([DROVE]) }, "Not proof that driving is legal"],
  ["summarize_driver_activity", OLD, { ...driver, ...worked([DROVE, { activity: "REST" }]) }, "without readable times"],
  ["summarize_driver_activity", { ...OLD, driver: "AE 1" }, { ...driver, ...worked([DROVE]) }, " drives "],
  ["driver_infringements", OLD, { ...driver, ...worked([DROVE]) }, "no proof"],
  ["trips_and_stops", OLD, { ...driver, ...worked([DROVE_V1]) }, "in a straight line"],
  ["where_was", { driver: "einzig", time: "2026-11-19T06:30:00Z" }, { ...driver, ...worked([DROVE_V1]) }, "Times in UTC"],
  ["where_was", { vehicle: "AE 1", time: "2026-11-19T06:30:00Z" }, { ...driver, ...worked([]) }, "may have no tachograph"],
  ["query_tacho_activity", DAY, worked([DROVE]), "Times in UTC"],
  ["list_jobs", { limit: 1 }, jobs({ jobs: [{ a: 1, b: { c: 1 } }, { a: 2 }], total: 9 }), "there are more (the service counts"],
  ["list_tire_events", {}, { listTireEvents: () => ({ body: [{ eventId: "t1" }] }) }],
  ["create_job", { address: "Lyon" }, job(), "Job created."],
  ["create_job", { address: "Lyon", vehicleName: "zeppelin" }, fleet(), "Nothing was sent."],
  ["update_group", { id: "north", vehicleIds: ["v1"] }, group, "Group updated. Members are known"],
];

/** For tools without an entry above, the sample of their operation. */
const kinds: Kind[] = [
  ...OWN_KINDS,
  ...catalogue
    .filter(({ name }) => !OWN_KINDS.some(([tool]) => tool === name))
    .map(({ name: tool, operations: [operation], inputJsonSchema }): Kind => {
      const { required = [] } = inputJsonSchema as { required?: string[] };
      const { name } = operation as { name: OperationName };
      const args = Object.fromEntries(required.map((field) => [field, field === "period" ? "yesterday" : "truck 12"]));
      return [tool, args, { ...fleet(), [name]: () => ({ body: samples[name].output }) }];
    }),
];

const NOUNS = Object.values<Operation>(operations).flatMap(({ tool }) => tool?.rows?.noun ?? tool?.likely?.noun ?? []);

/** How the text shows the record's own fields, or their absence. None of it is additional information. */
const RENDERED = [
  /More: repeat this call with cursor "[\w-]+"\./,
  /Read \d+ s ago\./,
  /place not reported|time not reported|No driver known|activity unknown|last reported|level not reported/g,
  /\btrips? (and|or) stops?\b|\binfringements?\b|standing at|driving between|, left at|its next place is not known yet|a place that was not recorded|Nothing is recorded in between/g,
  /\b(vehicles?|faults?|records?|activit(y|ies)|driver times?|driver entr(y|ies)|with faults)\b/g,
  new RegExp(`\\b(${NOUNS.join("|")})\\b`, "g"),
  /\bheading [NSEW]{1,2}\b|\b(km\/h|UTC|ago|just now|days?|h|min|at|Driver|Id|Found by|By|of|in all|and|more|others?|left)\b/g,
];

/** Splits text into sentences: a full stop, question mark or quotation mark ends one. */
const sentencesOf = (text: string) => text.split(/(?<=[.?!”])\s+(?=[A-Z])/).filter((sentence) => sentence !== "");

const MORE = "More: repeat this call with next as cursor.";

it.each(kinds)("%s %j: text and record have the same content", async (tool, args, script, expected = "", budget) => {
  const { call } = await servedFleet({ script, env: budget === undefined ? {} : { FLEET_MAX_RESULT_TOKENS: String(budget) } });
  const { ok, text, structured } = await call(tool, args);
  const { question = "", note = "", next } = structured as { question?: string; note?: string; next?: string };
  expect(ok).toBe(true);
  // Each sentence of the record is in the text; truncated sentences end in an ellipsis.
  for (const sentence of sentencesOf(`${question} ${note}`.trim())) {
    if (sentence === MORE) expect(text).toContain(`More: repeat this call with cursor "${next}".`);
    else if (!sentence.endsWith("…")) expect(text.replaceAll("\n", " ")).toContain(sentence);
  }
  expect(note.includes(MORE)).toBe(next !== undefined);
  // Each word of the text is in the record, or only describes how a field is shown.
  const bare = RENDERED.reduce((left, shown) => left.replace(shown, " "), text);
  const inRecord = JSON.stringify(structured).toLowerCase();
  const words = bare.match(/\p{L}{2,}/gu) ?? [];
  expect(words.filter((word) => !inRecord.includes(word.toLowerCase()))).toEqual([]);
  for (const side of [text, `${question} ${note}`]) expect(side).toContain(expected);
});

it("every tool is covered", () => {
  expect([...new Set(kinds.map(([tool]) => tool))].toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted());
});

/** The paths of the properties without a type, at any depth. */
function untyped(schema: unknown, path: string): string[] {
  const { type, properties = {}, items } = schema as { type?: string; properties?: object; items?: object };
  return [
    ...(type === undefined ? [path] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => untyped(inner, `${path}.${name}`)),
    ...(items && Object.keys(items).length > 0 ? untyped(items, `${path}[]`) : []),
  ];
}

it("each value that a tool declares has a type", () => {
  expect(catalogue.flatMap(({ name, outputJsonSchema }) => untyped(outputJsonSchema, name))).toEqual([]);
});
