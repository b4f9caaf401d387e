import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { FleetClient } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";

const photo = { name: "photo.jpg" };
const place = { address: "Quai Perrache 10, Lyon" };

const span = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };

type Called = "createJob" | "updateGroup" | "listVehicleFaults" | "listLivePositions" | "queryTachoActivity" | "listJobs";
type Loose = Record<Called, (input: unknown) => Promise<unknown>>;

/** The error of an input, of which nothing was sent. */
async function refused(name: Called, input: unknown) {
  const { fleet, api, auth } = await fleetUnderTest();
  const error = await failure((fleet as FleetClient & Loose)[name](input));
  expect([...api.requests, ...auth.requests]).toEqual([]);
  expect(error.code).toBe("input");
  return error;
}

const job = (rule: string, input: object, ...fields: string[]) => ({ rule, name: "createJob" as Called, input, fields });
const group = (rule: string, input: object, ...fields: string[]) => ({ rule, name: "updateGroup" as Called, input, fields });
const positions = (rule: string, input: object, ...fields: string[]) => ({ rule, name: "listLivePositions" as Called, input, fields });
const faults = (rule: string, input: object, ...fields: string[]) => ({ rule, name: "listVehicleFaults" as Called, input, fields });
const jobs = (rule: string, query: object, ...fields: string[]) => ({ rule, name: "listJobs" as Called, input: { query }, fields });
const tacho = (rule: string, input: object, ...fields: string[]) => {
  return { rule, name: "queryTachoActivity" as Called, input: { ...span, ...input }, fields };
};

const refusals = [
  job("a job without a place", { jobTitle: "x" }, "address"),
  job("a blank address", { address: "  " }, "address"),
  job("lat without lng", { lat: 1 }, "lng"),
  job("lng without lat", { lng: 1 }, "lat"),
  job("a latitude beyond the pole", { lat: 90.1, lng: 0 }, "lat"),
  job("a longitude beyond the date line", { lat: 0, lng: -180.1 }, "lng"),
  job("coordinates that are not numbers", { lat: Number.NaN, lng: Number.POSITIVE_INFINITY }, "lat", "lng"),
  job("coordinates as text", { lat: "45.1", lng: "4.2" }, "lat", "lng"),
  job("four resources", { ...place, resources: [photo, photo, photo, photo] }, "resources"),
  job("linkingId with linkedJobIndex", { ...place, linkingId: "L1", linkedJobIndex: "2" }, "linkedJobIndex"),
  job("a linkingId that is not alphanumeric", { ...place, linkingId: "L-1" }, "linkingId"),
  job("the status of a job that is under way", { ...place, status: "RECEIVED" }, "status"),
  job("a vehicleId that is not alphanumeric", { ...place, vehicleId: "v1,v2" }, "vehicleId"),
  job("an empty jobNumber", { ...place, jobNumber: "" }, "jobNumber"),
  job("null instead of nothing", { ...place, notes: null }, "notes"),
  job("a misspelt field", { ...place, vehicelName: "Truck 12" }, "vehicelName"),
  job("a misspelt field of a resource", { ...place, resources: [{ nmae: "x" }] }, "resources.0.nmae"),
  group("no id", {}, "id"),
  group("an id of 25 characters", { id: "a".repeat(25) }, "id"),
  ...["", "G1", "g-1", "../g1", "g1\n"].map((id) => group(`the id '${id}'`, { id }, "id")),
  group("a name of 256 characters", { id: "g1", name: "n".repeat(256) }, "name"),
  group("the read-only path", { id: "g1", path: "root.g1" }, "path"),
  ...["a,b", "../v1", "v 1", "v1?x=y", "v1#", "v%2F1", ""].map((id) =>
    positions(`the vehicle '${id}'`, { vehicleIds: [id] }, "vehicleIds.0"),
  ),
  positions("a driver", { driverIds: ["p1", "p/2"] }, "driverIds.1"),
  faults("a vehicle", { vehicleId: "../v1" }, "vehicleId"),
  ...["vehicleIds", "groupIds", "driverIds"].map((field) => positions(`an empty filter ${field}`, { [field]: [] }, field)),
  positions("a different customer", { customerId: "c43" }, "customerId"),
  faults("a page below 0", { pageIndex: -1 }, "pageIndex"),
  faults("a page size of 0", { pageSize: 0 }, "pageSize"),
  tacho("a driver key without its issue number", { driverKeys: ["D0000000000501"] }, "driverKeys.0"),
  tacho("an empty registration", { registrations: [""] }, "registrations.0"),
  tacho("a negative skip", { skip: -1 }, "skip"),
  tacho("a limit of 0", { limit: 0 }, "limit"),
  tacho("a sort key that is not listed", { sort: { "activities.duration": "ASC" } }, "sort.activities.duration"),
  tacho("no start", { startTime: undefined }, "startTime"),
  tacho(
    "an end before the start, whatever its form",
    { startTime: "2026-11-20T02:00:00+02:00", endTime: "2026-11-19T23:59:59" },
    "endTime",
  ),
  jobs("an unnamed parameter", { "": 1 }, "query."),
  jobs("a parameter that is an object", { a: {} }, "query.a"),
];

describe("rejected before anything is sent", () => {
  it.each(refusals)("$name: $rule", async ({ name, input, fields }) => {
    const error = await refused(name, input);
    expect([...new Set(error.errors.flatMap(({ offendingFields = [] }) => offendingFields))]).toEqual(fields);
    for (const field of fields) expect(error.message).toContain(field);
    expect(error.advice).toContain("nothing was sent");
  });
});

describe("an input error states the field, the rule and the kind of value", () => {
  it.each<[Called, unknown, string]>([
    ["createJob", { lat: 1 }, "lng: is required when lat is given"],
    ["createJob", { ...place, jobRadius: 2 ** 31 }, "jobRadius: must be at most 2147483647 (given: a whole number)"],
    ["createJob", { ...place, subStatus: { kee: "x" } }, "subStatus.kee: is not a field of this object"],
    ["listLivePositions", new Map([["vehicleIds", ["v1001"]]]), "the input must be an object (given: a Map)"],
    ["listLivePositions", { vehicleIds: new Set(["v1001"]) }, "vehicleIds: must be a list (given: a Set)"],
    ["listLivePositions", { locale: "\ud800" }, "locale: must be well-formed Unicode (given: a string of 1 character)"],
    ["updateGroup", { id: "g1", [`n${"\u{1f69a}".repeat(40)}`]: 1 }, `n${"\u{1f69a}".repeat(29)}…: is not a field of updateGroup`],
    ["listJobs", { query: { a: {} } }, "query.a: must be a string, a finite number, true or false, or a list of these (given: an object)"],
  ])("%s(%j)", async (name, input, described) => {
    expect((await refused(name, input)).message).toBe(`${name}: ${described}`);
  });

  it.each([
    [null, "options must be an object"],
    ["5s", "options must be an object"],
    [{ signal: "stop" }, "signal must be an AbortSignal"],
    [{ signal: {} }, "signal must be an AbortSignal"],
  ])("for the options %j, too", async (options, described) => {
    const { fleet, api } = await fleetUnderTest();
    const error = await failure(fleet.listLivePositions({}, options as never));
    expect(error).toMatchObject({ code: "input", message: `listLivePositions: ${described}` });
    expect((await failure(fleet.listLivePositions.iterate({}, options as never).next())).message).toBe(error.message);
    expect(api.requests).toEqual([]);
  });

  it.each([
    ["2026-02-30T00:00:00", "a string of 19 characters"],
    [1_795_000_000_000, "a whole number"],
    [null, "null"],
  ])("says of the time %j what a valid one looks like, and that a missing one is required", async (startTime, kind) => {
    const { message } = await refused("queryTachoActivity", { startTime });
    expect(message).toMatch(/startTime: must be a Date or a valid ISO 8601 date-time/);
    expect(message).toContain(`(given: ${kind})`);
    expect(message).toContain("endTime: is required");
  });

  const secret = "Canary 4711";
  const fail = () => {
    throw new Error(secret);
  };
  it.each<[string, unknown]>([
    [
      "a string",
      { ...place, notes: { text: secret }, contactPhone: [secret], vehicleId: secret, status: secret, arrivalWindowStart: secret },
    ],
    ["a getter that throws", Object.defineProperty({}, "address", { get: fail, enumerable: true })],
    ["a proxy that throws", new Proxy({}, { ownKeys: fail })],
  ])("and never the value: %s", async (_, input) => {
    expect(inspect(await refused("createJob", input), { depth: 9, showHidden: true })).not.toContain(secret);
  });
});

describe("accepted", () => {
  it.each<[string, object]>([
    ["an address", place],
    ["coordinates", { lat: -90, lng: 180 }],
    ["an address and coordinates", { ...place, lat: 45.7, lng: 4.8 }],
    ["a linkingId", { ...place, linkingId: "L1" }],
    ["a duration in any form", { ...place, jobDuration: "1h 30" }],
  ])("a job with %s", async (_, input) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: { jobId: "j1" } } }], jobNumbers: "service" });
    await fleet.createJob(input);
    expect(JSON.parse(onlyRequest(api).body)).toEqual(input);
  });
});
