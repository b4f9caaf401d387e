import { fleetConfigFromEnv, type OperationName } from "@fleetwire/core";
import { createSandbox, type Sandbox } from "@fleetwire/sandbox";
import { expect, it } from "vitest";
import { reportOf } from "../src/deployment/drift-report.ts";
import { runPlan } from "../src/deployment/run-plan.ts";

const now = () => Date.parse("2026-11-20T10:00:00Z");

// biome-ignore lint/suspicious/noExplicitAny: requests and responses of any shape
type Json = any;

/** A change to a service: to requests before it sees them, or to its responses. */
interface Planted {
  operation: OperationName;
  /** Part of the URL of the affected requests. */
  url: string;
  /** A query parameter or body field that is ignored. */
  ignores?: string;
  body?: (body: Json, requested: Json) => Json;
  text?: string;
  response?: ResponseInit;
}

const LIVE = { operation: "listLivePositions", url: "/tracking/live" } as const;
const FAULTS = { operation: "listVehicleFaults", url: "/vehicle/faults" } as const;
const TACHO = { operation: "queryTachoActivity", url: "/tacho/activity" } as const;
const TOKEN = { operation: "requestAccessToken", url: "/oauth/accessToken" } as const;
const GROUP = { operation: "updateGroup", url: "/group" } as const;
const JOB = { operation: "createJob", url: "/jobs/job/create" } as const;

const each = (change: (record: Json) => Json) => (list: Json) => list.map(change);
const first = (change: (record: Json) => Json) => (list: Json) =>
  list.map((record: Json, at: number) => (at === 0 ? change(record) : record));
const renamed =
  (from: string, to: string) =>
  ({ [from]: value, ...others }: Json) => ({ ...others, [to]: value });
const items = (change: (item: Json) => Json) => (page: Json) => ({ ...page, items: page.items.map(change) });
const drivers = (change: (driver: Json) => Json) => (page: Json) => ({ ...page, data: page.data.map(change) });
const activities = (change: (activity: Json) => Json) => drivers((driver) => ({ ...driver, activities: driver.activities.map(change) }));

/** Forwards requests to a sandbox, with one deviation. */
function serviceWith(sandbox: Sandbox, { url: part, ignores, body, text, response }: Omit<Planted, "operation">): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(String(input));
    if (!url.pathname.endsWith(part)) return sandbox.fetch(url, init);
    const isJson = new Headers(init.headers).get("content-type")?.startsWith("application/json");
    const sent = isJson && init.body ? JSON.parse(String(init.body)) : undefined;
    if (ignores) {
      url.searchParams.delete(ignores);
      delete sent?.[ignores];
    }
    const answer = await sandbox.fetch(url, sent ? { ...init, body: JSON.stringify(sent) } : init);
    if (!body && text === undefined && !response) return answer;
    const content = text ?? (body ? JSON.stringify(body(await answer.json(), sent)) : await answer.text());
    return new Response(content, { status: answer.status, headers: { "content-type": "application/json" }, ...response });
  };
}

/** What is found by the calls of an operation, or of all. */
async function findingsIn(planted: Omit<Planted, "operation">, only?: OperationName) {
  const sandbox = createSandbox({ seed: 1, vehicles: 10, clock: now });
  const config = { ...fleetConfigFromEnv(sandbox.env), fetch: serviceWith(sandbox, planted) };
  const { signal } = new AbortController();
  const selection = only && { selects: (name: OperationName) => name === only, readsForInput: true };
  const outcome = await runPlan({ config, allowWrites: true, signal, now, onProgress: () => {}, ...selection });
  return reportOf(outcome, { at: new Date(now()) });
}

it("nothing is found in a faithful service", async () => {
  const { status, findings, notChecked } = await findingsIn({ url: "/nowhere" });
  expect({ status, findings, notChecked }).toEqual({ status: "same", findings: [], notChecked: [] });
});

const DOCUMENTED = "status 200 and the documented body";

it.each<[what: string, planted: Planted, path: string, expected: string, actual: string]>([
  ["a renamed field", { ...LIVE, body: each(renamed("odometer", "mileage")) }, "$[*].mileage", "no such field", "number"],
  ["a field in capitals", { ...FAULTS, body: items(renamed("assetName", "AssetName")) }, "$.items[*].<name>", "no such field", "string"],
  ["a number as text", { ...LIVE, body: first((one) => ({ ...one, speed: "50" })) }, "$[*].speed", "number in km/h", "string"],
  ["a list as one value", { ...LIVE, body: each((one) => ({ ...one, tags: "a" })) }, "$[*].tags", "array of string", "string"],
  ["an object as a list", { ...FAULTS, body: (page) => ({ ...page, pagination: [] }) }, "$.pagination", "object", "array"],
  [
    "a number that JSON cannot express",
    { ...LIVE, text: '[{"assetId":"a1","speed":NaN}]' },
    "$[*].speed",
    "number in km/h",
    "number that JSON cannot express",
  ],
  ["a record that is none", { ...LIVE, body: (list) => [...list, "record"] }, "$[*]", "object", "string"],
  [
    "an undocumented value",
    { ...LIVE, body: first((one) => ({ ...one, eventType: "towed" })) },
    "$[*].eventType",
    "one of driving, idling, stopped, ping, input, unknown, defect",
    "another value",
  ],
  ["a missing total", { ...TACHO, body: ({ count: _, ...page }) => page }, "$.count", "integer, required", "absent"],
  ["another status", { ...LIVE, response: { status: 206, headers: { "content-type": "application/json" } } }, "$", "200", "206"],
  ["an error status", { ...FAULTS, response: { status: 404 } }, "$", DOCUMENTED, "notFound: listVehicleFaults: HTTP 404"],
  ["another content-type", { ...TACHO, response: { headers: { "content-type": "text/html" } } }, "$", "application/json", "text/html"],
  ["no content-type", { ...TOKEN, response: { headers: { "content-type": "" } } }, "$", "application/json", "none"],
  ["a page of a website", { ...LIVE, text: "<html></html>" }, "$", DOCUMENTED, "contract: listLivePositions: the response is not JSON"],
  [
    "an envelope",
    { ...LIVE, body: (list) => ({ data: list }) },
    "$",
    DOCUMENTED,
    "contract: listLivePositions: the response does not have the overall shape that the contract describes",
  ],
  ["epoch dates as text", { ...LIVE, body: each((one) => ({ ...one, date: "1795550000" })) }, "$[*].date", "date-time", "other text"],
  ["an ignored filter", { ...LIVE, ignores: "vehicleIds" }, "$[*].assetId", "a value requested in vehicleIds", "another value"],
  [
    "an ignored period",
    { ...TACHO, body: activities((one) => ({ ...one, startTime: "2027-01-01T00:00:00Z", endTime: "2027-01-01T01:00:00Z" })) },
    "$.data[*].activities[*].startTime",
    "from startTime to endTime of the request",
    "another time",
  ],
  ["an ignored page size", { ...FAULTS, ignores: "pageSize" }, "$.items", "at most 5 records", "more records"],
  ["an ignored offset", { ...TACHO, ignores: "skip" }, "$.data", "records after the first page", "those of the first page"],
  [
    "pages counted from 1",
    { ...FAULTS, body: (page) => ({ ...page, pagination: { ...page.pagination, pageIndex: page.pagination.pageIndex + 1 } }) },
    "$.pagination.pageIndex",
    "the requested value",
    "another value",
  ],
  ["a total of the page", { ...TACHO, body: (page) => ({ ...page, count: 1 }) }, "$.count", "at least the records of this page", "fewer"],
  ["an ignored order", { ...TACHO, ignores: "sort" }, "$.data[*].driverKey", "ASC order", "another order"],
  ["sold vehicles", { ...LIVE, body: first((one) => ({ ...one, status: "SOLD" })) }, "$[*].status", "no sold vehicles", "sold vehicles"],
  [
    "a group update without effect",
    { ...GROUP, body: (group) => ({ ...group, name: "another" }) },
    "$.name",
    "the requested value",
    "another value",
  ],
  ["a job creation that returns a list", { ...JOB, body: (created) => [created] }, "$", DOCUMENTED, "unknownOutcome: "],
  ["an ignored vehicle", { ...FAULTS, ignores: "vehicleId" }, "$.items[*].id", "a value requested in vehicleId", "another value"],
  ["an ignored limit", { ...TACHO, ignores: "limit" }, "$.data", "at most 5 records", "more records"],
])("%s is found", async (_, { operation, ...planted }, path, expected, actual) => {
  const { findings } = await findingsIn(planted, operation);
  const own = findings.filter((finding) => finding.operation === operation && finding.path === path);
  expect(own.map((finding) => finding.expected)).toContain(expected);
  const found = own.find((finding) => finding.expected === expected);
  expect(found?.actual.join(" or ")).toContain(actual);
  expect(found?.records).toBeGreaterThan(0);
  expect(found?.records).toBeLessThanOrEqual(found?.of ?? 0);
});

it.each(["application/json;charset=UTF-8", "Application/JSON"])("the content-type %s is as documented", async (type) => {
  const { findings } = await findingsIn({ url: "", response: { headers: { "content-type": type } } });
  expect(findings).toEqual([]);
});

it("a report hides names of fields that may be personal", async () => {
  const names = ["Jane.Doe", "KX21ABC", "jane-doe", "+49 177 1234567", "drv4711", "axleCount", "axle_load"];
  const body = first((one) => ({ ...one, ...Object.fromEntries(names.map((name) => [name, 1])) }));
  const { findings } = await findingsIn({ ...LIVE, body });
  expect(new Set(findings.map(({ path }) => path))).toEqual(new Set(["$[*].<name>", "$[*].axleCount", "$[*].axle_load"]));
});
