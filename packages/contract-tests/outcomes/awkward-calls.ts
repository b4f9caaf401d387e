import { type OperationName, operations } from "@fleetwire/core";
import { cannedFetch } from "./canned-fetch.ts";

/** A call that no fixture expresses, and what the service makes of it. */
export interface AwkwardCall {
  name: string;
  /** A tool, or the address of a resource. */
  calls: string;
  args?: Record<string, unknown>;
  fetch: typeof fetch;
  /** Settings beside the usual ones. */
  env?: Record<string, string>;
  /** The time, where it is not the usual one. */
  now?: number;
  /** Milliseconds that a call may take, where they are not the usual ones. */
  callTimeout?: number;
  /** Answers that are asked for at most, each with the cursor of the one before. */
  pages?: number;
}

type Rest = Omit<AwkwardCall, "name" | "calls" | "fetch">;

const answering = (operation: OperationName, status: number, body: unknown) =>
  cannedFetch({ operation, response: { status, text: JSON.stringify(body), headers: {} } });

/** A connection that fails once there is a token. */
function failing(error: Error): typeof fetch {
  const granting = cannedFetch({ operation: "listJobs", response: { status: 200, headers: {}, text: "[]" } });
  return async (url, init) => {
    if (!String(url).endsWith(operations.requestAccessToken.path)) throw error;
    return granting(url, init);
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const texts = (count: number, length: number) => numbers(count).map((at) => String.fromCharCode(97 + at).repeat(length));
const record = (names: readonly string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]));

/** Rows whose values stand at limits that one text or one list alone does not reach. */
const ROWS: Readonly<Record<string, unknown[]>> = {
  "two rows of which one fits": texts(2, 120).map((text) => ({ text })),
  "lists that do not fit": [{ texts: texts(10, 40) }],
  "no field that fits": [{ wide: record(texts(3, 64), texts(3, 40)) }],
  "a list within of 21": [{ list: { within: numbers(21).map(() => 0) } }],
  "objects of 120 and of 121": [109, 110].map((length) => ({ object: { text: "x".repeat(length) } })),
  "a list that is longer than its JSON": [{ list: numbers(20).map((at) => (at < 6 ? 10_000 : 1_000)) }],
  "a list that is shorter than its JSON": [{ list: texts(15, 6) }],
  "a list of objects": [{ list: numbers(5).map((at) => ({ at, text: "x".repeat(20) })) }],
  "blanks before": [{ text: `${" ".repeat(955)}behind blanks` }],
  "half a character early on": [{ text: `\udc00${"x".repeat(500)}` }],
  "a long name within": [{ object: { ["n".repeat(65)]: 1 } }],
};

/** What is asked for of a list whose rows have the fields a, b and some of long names. */
const ASKED: Readonly<Record<string, Record<string, unknown>>> = {
  "no fields": { fields: [], limit: 1 },
  "one field": { fields: ["a"], limit: 1 },
  "a field that this page lacks": { fields: ["b", "b"], limit: 1 },
  "a field that there is not": { fields: ["none"] },
  "many fields that there are not": { fields: ["one|two\n", ...texts(6, 130)] },
  "a cursor that is none": { cursor: "none" },
  "a cursor of another shape": { cursor: Buffer.from("[1,null]").toString("base64url") },
};
const ASKED_OF = [{ a: 1 }, { b: 2, ...record(texts(26, 60), 3) }];

function ofLists(): AwkwardCall[] {
  const listing = (name: string, rows: unknown, rest: Rest = {}): AwkwardCall => ({
    name,
    calls: "list_jobs",
    fetch: answering("listJobs", 200, rows),
    ...rest,
  });
  return [
    ...Object.entries(ROWS).map(([name, rows]) => listing(name, rows)),
    ...Object.entries(ASKED).map(([name, args]) => listing(name, ASKED_OF, { args })),
    listing("a field of no row", [], { args: { fields: ["a"] } }),
  ];
}

const DATES = [
  "2026-11-20",
  "2026-11-20T09:30",
  "2026-11-20 09:30:15.5",
  "2026-11-20t09:30z",
  "2026-11-20T09:30+0530",
  "20/11/2026 09:30",
  "soon",
];
const HEADINGS = [0, 22, 23, 360, 383, -20, -740];

function ofPositions(): AwkwardCall[] {
  const showing = (name: string, calls: string, positions: unknown, rest: Rest = {}): AwkwardCall => ({
    name,
    calls,
    fetch: answering("listLivePositions", 200, positions),
    ...rest,
  });
  const seen = DATES.map((date, at) => ({ assetId: `v${at}`, assetName: `Van ${at}`, date, heading: HEADINGS[at] }));
  const charging = ["", "", "v1", "v2", "", "a1", "v3"].map((id, at) => ({
    ...(id !== "" && { assetId: id }),
    assetName: `Van ${at}`,
    electricCharging: true,
    electricBatteryLevelPercent: at < 5 ? 10 : 20,
  }));
  const inThousands = texts(2, 20).map((id) => ({ assetId: id.replaceAll(/./g, "千"), assetName: "千".repeat(40), city: "city" }));
  return [
    showing("dates and headings", "list_live_positions", [...seen, { assetName: "Van of no date" }], {
      args: { fields: ["assetName", "date", "heading"] },
    }),
    showing("ranks that are alike", "summarize_fleet", charging, { args: { list: "charging", limit: 1 }, pages: 8 }),
    showing("fields of a concern", "summarize_fleet", charging, {
      args: { list: "charging", limit: 1, fields: ["assetName", "batteryPercent"] },
    }),
    showing("a cursor that does not fit", "list_live_positions", inThousands, { args: { limit: 1 } }),
    showing("a vehicle", "fleet://vehicle/v3", seen),
    showing("no vehicle", "fleet://vehicle/v9", seen),
    { name: "a vehicle out of reach", calls: "fleet://vehicle/v3", fetch: answering("listLivePositions", 503, []) },
  ];
}

const WRITES = [
  ["create_job", "createJob", { address: "Lyon" }],
  ["update_group", "updateGroup", { id: "g1", name: "North" }],
] as const;

const STATUSES = [200, 400, 401, 403, 404, 409, 429, 500];

const lost = failing(new TypeError("fetch failed"));
const unreachable = failing(Object.assign(new Error("refused"), { code: "ECONNREFUSED", syscall: "connect" }));
const silent: typeof fetch = () => new Promise(() => {});
const noToken = answering("requestAccessToken", 200, { success: true, accessToken: "" });
const refusing = (...lengths: number[]) =>
  answering(
    "createJob",
    400,
    lengths.map((length) => ({ errorMessage: "word ".repeat(60).slice(0, length) })),
  );

/** No time at all. */
const NEVER = Number.NaN;

function ofFailures(): AwkwardCall[] {
  const writing = WRITES.flatMap(([calls, operation, args]): AwkwardCall[] => [
    ...STATUSES.map((status) => ({ name: `status ${status}`, calls, args, fetch: answering(operation, status, []) })),
    { name: "a lost answer", calls, args, fetch: lost },
    { name: "no connection", calls, args, fetch: unreachable },
    { name: "no token", calls, args, fetch: noToken },
    { name: "wrong arguments", calls, args: { ...args, name: 1, address: 1 }, fetch: lost },
  ]);
  const creating = (name: string, fetch: AwkwardCall["fetch"], args: Record<string, unknown> = {}, rest: Rest = {}): AwkwardCall => ({
    name,
    calls: "create_job",
    args: { address: "Lyon", ...args },
    fetch,
    ...rest,
  });
  return [
    ...writing,
    creating("no token for a numbered job", noToken, { jobNumber: "N1" }),
    creating("a lost answer of a numbered job", lost, { jobNumber: "N1" }),
    creating("a token that never comes", silent, {}, { callTimeout: 50 }),
    creating("a long number", refusing(10), { jobNumber: "1".repeat(150) }),
    creating("a clock that has stopped", lost, {}, { env: { FLEET_JOB_NUMBERS: "client" }, now: NEVER }),
    // The first one just fits the small budget.
    ...[191, 192].map((length) => creating(`refusals of 300 and ${length}`, refusing(300, length))),
    creating("three refusals", refusing(300, 300, 300)),
    creating("a dry run that does not fit", lost, { dryRun: true, ...record(["jobTitle", "address", "notes"], '"'.repeat(50)) }),
    { name: "a clock that has stopped", calls: "summarize_driver_activity", args: { period: "today" }, fetch: lost, now: NEVER },
  ];
}

function ofRecords(): AwkwardCall[] {
  const [creating, updating] = WRITES;
  const written = (name: string, [calls, operation, args]: (typeof WRITES)[number], body: unknown): AwkwardCall => ({
    name,
    calls,
    args,
    fetch: answering(operation, 200, body),
  });
  return [
    written("nothing of a job", creating, { job: { jobNumber: null, more: null, none: [] } }),
    written("a number that does not fit", creating, { job: { jobNumber: "1".repeat(400), more: 1 } }),
    written("a job with many remarks", creating, {
      job: { jobNumber: "N1" },
      errors: texts(5, 60).map((message) => ({ field: "job", message })),
    }),
    written("a job with remarks that do not fit", creating, { job: { jobNumber: "N1", more: 1 }, errors: [{ message: '"'.repeat(200) }] }),
    written("a group", updating, { id: "g1", name: "North", more: null, vehicleIds: ["v1"], personIds: [] }),
    written("a group that does not fit", updating, { id: "g".repeat(400) }),
  ];
}

export const awkwardCalls = (): AwkwardCall[] => [...ofLists(), ...ofPositions(), ...ofFailures(), ...ofRecords()];
