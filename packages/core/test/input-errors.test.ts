import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { FleetClient } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";

type Called = "createJob" | "updateGroup" | "listVehicleFaults" | "listLivePositions" | "queryTachoActivity" | "listJobs";
type Loose = Record<Called, (input: unknown) => Promise<unknown>>;

const refused = async (name: Called, input: unknown) => {
  const { fleet, api, auth } = await fleetUnderTest();
  const error = await failure((fleet as FleetClient & Loose)[name](input));
  expect([...api.requests, ...auth.requests]).toEqual([]);
  expect(error.code).toBe("input");
  return error;
};

const place = { address: "Quai Perrache 10, Lyon" };
const span = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };

describe("an input error states the field, the rule and the kind of value", () => {
  it.each<[Called, unknown, string]>([
    ["createJob", { ...place, notes: 5 }, "notes: must be a string (given: a whole number)"],
    ["createJob", { ...place, notes: null }, "notes: must be a string (given: null)"],
    ["createJob", { lat: "45", lng: 4 }, "lat: must be a finite number (given: a string of 2 characters)"],
    ["createJob", { lat: Number.NaN, lng: 4 }, "lat: must be a finite number (given: NaN)"],
    ["createJob", { lat: 91, lng: 4 }, "lat: must be at most 90 (given: a whole number)"],
    ["createJob", { lat: 1 }, "lng: is required when lat is given"],
    ["createJob", { ...place, jobRadius: 2 ** 31 }, "jobRadius: must be at most 2147483647 (given: a whole number)"],
    [
      "createJob",
      { ...place, status: "DONE" },
      "status: must be one of NEW, ASSIGNED, IN_PROGRESS, VISITED, CANCELLED (given: a string of 4 characters)",
    ],
    ["createJob", { ...place, orderNumbers: "7" }, "orderNumbers: must be a list (given: a string of 1 character)"],
    ["createJob", { ...place, subStatus: [] }, "subStatus: must be an object (given: an empty list)"],
    ["createJob", { ...place, vehicelName: "x" }, "vehicelName: is not a field of createJob; did you mean vehicleName?"],
    ["createJob", { ...place, subStatus: { kee: "x" } }, "subStatus.kee: is not a field of this object"],
    ["updateGroup", { id: "g1", [`n${"\u{1f69a}".repeat(40)}`]: 1 }, `n${"\u{1f69a}".repeat(29)}…: is not a field of updateGroup`],
    ["createJob", "Truck 12", "the input must be an object (given: a string of 8 characters)"],
    ["listLivePositions", new Map([["vehicleIds", ["v1001"]]]), "the input must be an object (given: a Map)"],
    ["listLivePositions", new URLSearchParams("vehicleIds=v1001"), "the input must be an object (given: a URLSearchParams)"],
    ["listLivePositions", { vehicleIds: new Set(["v1001"]) }, "vehicleIds: must be a list (given: a Set)"],
    ["updateGroup", {}, "id: is required: must be a string"],
    ["updateGroup", { id: "g1", personIds: ["p1", 2] }, "personIds.1: must be a string (given: a whole number)"],
    ["updateGroup", { id: "g1", parent: "root" }, "parent: is not a field of updateGroup; did you mean parentId?"],
    ["updateGroup", { id: "g1", colour: "red" }, "colour: is not a field of updateGroup"],
    ["listVehicleFaults", { pageIndex: 1.5 }, "pageIndex: must be a whole number (given: a fractional number)"],
    ["listVehicleFaults", { page_size: 5 }, "page_size: is not a field of listVehicleFaults; did you mean pageSize?"],
    [
      "listLivePositions",
      { showAllVehicleStatus: "true" },
      "showAllVehicleStatus: must be true or false (given: a string of 4 characters)",
    ],
    ["listLivePositions", { vehicelIds: [] }, "vehicelIds: is not a field of listLivePositions; did you mean vehicleIds?"],
    [
      "queryTachoActivity",
      { ...span, sort: { driverId: "asc" } },
      "sort.driverId: must be one of ASC, DESC (given: a string of 3 characters)",
    ],
    ["listJobs", { query: { a: {} } }, "query.a: must be a string, a finite number, true or false, or a list of these (given: an object)"],
  ])("%s(%j)", async (name, input, described) => {
    expect((await refused(name, input)).message).toBe(`${name}: ${described}`);
  });

  it.each<[Called, unknown, string]>([
    ["listLivePositions", { locale: "\ud800" }, "locale: must be well-formed Unicode (given: a string of 1 character)"],
    ["listJobs", { query: { a: ["x", "\udc00y"] } }, "a: must be well-formed Unicode (given: a string of 2 characters)"],
  ])("%s, for a lone surrogate, which no URL can contain: %j", async (name, input, described) => {
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

  it("says that a missing time is required, and what a valid one looks like", async () => {
    const { message } = await refused("queryTachoActivity", { startTime: "2026-02-30T00:00:00" });
    expect(message).toMatch(/startTime: must be a Date or a valid ISO 8601 date-time.*\(given: a string of 19 characters\)/);
    expect(message).toContain("endTime: is required");
  });

  it("lists all fields in errors, and ten in the message", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${"x".repeat(200)}${at}`, 1]));
    const error = await refused("createJob", { ...place, ...unknown });
    expect(error.errors).toHaveLength(30);
    expect(error.message).toContain("; and 20 more");
    expect(error.message.length).toBeLessThan(1_200);
  });
});

describe("an input error never contains the value", () => {
  const secret = "Canary 4711";
  const hostile: [string, unknown][] = [
    [
      "a string",
      { ...place, notes: { text: secret }, contactPhone: [secret], vehicleId: secret, status: secret, arrivalWindowStart: secret },
    ],
    [
      "a getter that throws",
      {
        get address() {
          throw new Error(secret);
        },
      },
    ],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error(secret);
          },
        },
      ),
    ],
  ];
  it.each(hostile)("%s", async (_, input) => {
    expect(inspect(await refused("createJob", input), { depth: 9, showHidden: true })).not.toContain(secret);
  });
});
