import { describe, expect, it } from "vitest";
import type { FleetClient } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";

const photo = { name: "photo.jpg" };
const place = { address: "Quai Perrache 10, Lyon" };

interface Refusal {
  rule: string;
  call: (fleet: FleetClient) => Promise<unknown>;
  fields: string[];
}

const job = (rule: string, input: object, ...fields: string[]): Refusal => ({ rule, call: (fleet) => fleet.createJob(input), fields });
const group = (rule: string, input: object, ...fields: string[]): Refusal => ({
  rule,
  call: (fleet) => fleet.updateGroup(input as { id: string }),
  fields,
});
const positions = (rule: string, input: object, ...fields: string[]): Refusal => ({
  rule,
  call: (fleet) => fleet.listLivePositions(input),
  fields,
});
const faults = (rule: string, input: object, ...fields: string[]): Refusal => ({
  rule,
  call: (fleet) => fleet.listVehicleFaults(input),
  fields,
});
const span = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
const tacho = (rule: string, input: object, ...fields: string[]): Refusal => ({
  rule,
  call: (fleet) => fleet.queryTachoActivity({ ...span, ...input }),
  fields,
});

const refusals: Refusal[] = [
  job("a job without a place", { jobTitle: "x" }, "address"),
  job("nothing at all", {}, "address"),
  job("a blank address", { address: "  " }, "address"),
  job("lat without lng", { lat: 1 }, "lng"),
  job("lng without lat", { lng: 1 }, "lat"),
  job("lat without lng but with an address", { ...place, lat: 1 }, "lng"),
  job("a latitude beyond the pole", { lat: 90.1, lng: 0 }, "lat"),
  job("a longitude beyond the date line", { lat: 0, lng: -180.1 }, "lng"),
  job("coordinates that are not numbers", { lat: Number.NaN, lng: Number.POSITIVE_INFINITY }, "lat", "lng"),
  job("coordinates as text", { lat: "45.1", lng: "4.2" }, "lat", "lng"),
  job("four resources", { ...place, resources: [photo, photo, photo, photo] }, "resources"),
  job("linkingId with linkedJobIndex", { ...place, linkingId: "L1", linkedJobIndex: "2" }, "linkedJobIndex"),
  job("an empty linkingId with linkedJobIndex", { ...place, linkingId: "", linkedJobIndex: "2" }, "linkedJobIndex"),
  job("a linkingId that is not alphanumeric", { ...place, linkingId: "L-1" }, "linkingId"),
  ...["RECEIVED", "MISSED", "ACCEPTED", "INCOMPLETE", "$UNKNOWN", "new", ""].map((status) =>
    job(`the status '${status}'`, { ...place, status }, "status"),
  ),
  job("a primaryResource that is not documented", { ...place, primaryResource: "TRAILER" }, "primaryResource"),
  job("a vehicleId that is not alphanumeric", { ...place, vehicleId: "v1,v2" }, "vehicleId"),
  job("a personId that is not alphanumeric", { ...place, personId: "../p1" }, "personId"),
  job("a fractional radius", { ...place, jobRadius: 1.5 }, "jobRadius"),
  job("an empty jobNumber", { ...place, jobNumber: "" }, "jobNumber"),
  job("null instead of nothing", { ...place, notes: null }, "notes"),
  job("a misspelt field", { ...place, vehicelName: "Truck 12" }, "vehicelName"),
  job("a misspelt field of a resource", { ...place, resources: [{ nmae: "x" }] }, "resources.0.nmae"),

  group("no id", {}, "id"),
  group("a blank id", { id: "" }, "id"),
  group("an id of 25 characters", { id: "a".repeat(25) }, "id"),
  ...["G1", "g 1", "g-1", "../g1", "g1/..", "gü", "g1\n"].map((id) => group(`the id '${id}'`, { id }, "id")),
  group("a name of 256 characters", { id: "g1", name: "n".repeat(256) }, "name"),
  group("null instead of nothing", { id: "g1", name: null }, "name"),
  group("the read-only path", { id: "g1", path: "root.g1" }, "path"),
  group("a parent that is not alphanumeric", { id: "g1", parentId: "root.g" }, "parentId"),
  group("one vehicle that is not alphanumeric", { id: "g1", vehicleIds: ["v1", "v/2"] }, "vehicleIds.1"),
  group("persons as text", { id: "g1", personIds: "p1,p2" }, "personIds"),
  group("two misspelt fields", { id: "g1", nmae: "x", parent: "root" }, "nmae", "parent"),

  ...["a,b", "../v1", "v 1", "v1?x=y", "v1#", "v%2F1", ""].flatMap((id) => [
    positions(`the vehicle '${id}'`, { vehicleIds: [id] }, "vehicleIds.0"),
    positions(`the driver '${id}'`, { driverIds: ["p1", id] }, "driverIds.1"),
    positions(`the group '${id}'`, { groupIds: [id] }, "groupIds.0"),
    faults(`the vehicle '${id}'`, { vehicleId: id }, "vehicleId"),
    faults(`the group '${id}'`, { groupId: id }, "groupId"),
  ]),
  ...["vehicleIds", "groupIds", "driverIds"].map((field) => positions(`an empty filter ${field}`, { [field]: [] }, field)),
  positions("a list as text", { vehicleIds: "v1,v2" }, "vehicleIds"),
  positions("a boolean as text", { showAllVehicleStatus: "true" }, "showAllVehicleStatus"),
  positions("a different customer", { customerId: "c43" }, "customerId"),
  faults("a page below 0", { pageIndex: -1 }, "pageIndex"),
  faults("a page size of 0", { pageSize: 0 }, "pageSize"),
  faults("a fractional page size", { pageSize: 1.5 }, "pageSize"),

  tacho("a driver key without its issue number", { driverKeys: ["D0000000000501"] }, "driverKeys.0"),
  tacho("an empty registration", { registrations: [""] }, "registrations.0"),
  tacho("unknown data content", { dataContent: "ddd" }, "dataContent"),
  tacho("a negative skip", { skip: -1 }, "skip"),
  tacho("a limit of 0", { limit: 0 }, "limit"),
  tacho("a sort key that is not listed", { sort: { "activities.duration": "ASC" } }, "sort.activities.duration"),
  tacho("a sort order in lower case", { sort: { driverId: "asc" } }, "sort.driverId"),
  tacho("no start", { startTime: undefined }, "startTime"),

  { rule: "an unnamed parameter", call: (fleet) => fleet.listJobs({ query: { "": 1 } }), fields: ["query."] },
  { rule: "a parameter that is an object", call: (fleet) => fleet.listJobs({ query: { a: {} as never } }), fields: ["query.a"] },
];

describe("rejected before anything is sent", () => {
  it.each(refusals)("$rule", async ({ call, fields }) => {
    const { fleet, api, auth } = await fleetUnderTest();
    const error = await failure(call(fleet));
    expect(error.code).toBe("input");
    expect([...new Set(error.errors.flatMap(({ offendingFields = [] }) => offendingFields))]).toEqual(fields);
    for (const field of fields) expect(error.message).toContain(field);
    expect(error.advice).toContain("nothing was sent");
    expect([...api.requests, ...auth.requests]).toEqual([]);
  });

  it.each([5, "text", [], true])("%j instead of an input", async (input) => {
    const { fleet } = await fleetUnderTest();
    expect((await failure(fleet.listLivePositions(input as never))).code).toBe("input");
  });
});

describe("accepted", () => {
  it.each<[string, object]>([
    ["an address", place],
    ["coordinates", { lat: -90, lng: 180 }],
    ["the equator at Greenwich", { lat: 0, lng: 0 }],
    ["an address and coordinates", { ...place, lat: 45.7, lng: 4.8 }],
    ["three resources", { ...place, resources: [photo, photo, photo] }],
    ["a linkingId", { ...place, linkingId: "L1" }],
    ["a linkedJobIndex", { ...place, linkedJobIndex: "2" }],
    ...["NEW", "ASSIGNED", "IN_PROGRESS", "VISITED", "CANCELLED"].map((status): [string, object] => [status, { ...place, status }]),
    ["a duration in any form", { ...place, jobDuration: "1h 30" }],
  ])("a job with %s", async (_, input) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: { jobId: "j1" } } }], jobNumbers: "service" });
    await fleet.createJob(input);
    expect(JSON.parse(onlyRequest(api).body)).toEqual(input);
  });

  it("a group whose id has 24 characters and whose name has 255", async () => {
    const input = { id: "a1".repeat(12), name: "n".repeat(255) };
    const { fleet, api } = await fleetUnderTest({ api: [{ body: input }] });
    await fleet.updateGroup(input);
    expect(JSON.parse(onlyRequest(api).body)).toEqual(input);
  });
});
