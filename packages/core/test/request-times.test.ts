import { describe, expect, it } from "vitest";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";

const noon = new Date("2026-11-20T12:00:05.678Z");

// Each row: the input, and what is sent as YYYY-MM-DDThh:mm:ss, or as a date-time with Z, or as YYYY-MM-DDTHH:mmZ.
const forms = [
  [noon, "2026-11-20T12:00:05"],
  ["2026-11-20T12:00:05", "2026-11-20T12:00:05"],
  ["2026-11-20T12:00", "2026-11-20T12:00:00"],
  ["2026-11-20T12:00:59.999Z", "2026-11-20T12:00:59"],
  ["2026-11-20T01:30:00+02:00", "2026-11-19T23:30:00"],
  ["2026-11-20T01:30:00+0530", "2026-11-19T20:00:00"],
] as const;

// date-times.test.ts has what no date-time is; these are what only a request does not accept, and one of the others.
const refused = [
  "2026-02-30T00:00:00",
  "0050-11-20T12:00:00Z",
  "9999-12-31T23:30:00-01:00",
  "2026-11-20",
  "2026-11-20 12:00:00",
  "2026-11-20T12:00:00Z\n",
  new Date(Number.NaN),
  new Date(8.64e15),
  1_795_000_000_000,
  null,
];

describe("times are sent in UTC", () => {
  it.each(forms)("%s in faults, activities, positions and jobs: %s", async (given, seconds) => {
    const [instant, minutes] = [`${seconds}Z`, `${seconds.slice(0, -3)}Z`];
    const { fleet, api } = await fleetUnderTest({
      api: [{ body: { job: { jobId: "j1" } } }, { body: { count: 0, data: [] } }, { body: [] }, { body: { job: { jobId: "j1" } } }],
      jobNumbers: "service",
    });
    await fleet.listVehicleFaults({ startDate: given, endDate: given });
    await fleet.queryTachoActivity({ startTime: given, endTime: given });
    await fleet.listLivePositions({ fromDateTime: given });
    await fleet.createJob({ address: "a", scheduledStartDateTime: given, arrivalWindowStart: given, arrivalWindowEnd: given });
    const [faults, activities, positions, job] = api.requests;
    const queryOf = (url = "") => Object.fromEntries(new URLSearchParams(url.split("?")[1]));
    expect(queryOf(faults?.url)).toEqual({ startDate: seconds, endDate: seconds });
    expect(JSON.parse(activities?.body ?? "")).toEqual({ startTime: seconds, endTime: seconds });
    expect(queryOf(positions?.url)).toEqual({ fromDateTime: instant });
    expect(JSON.parse(job?.body ?? "")).toEqual({
      address: "a",
      scheduledStartDateTime: minutes,
      arrivalWindowStart: minutes,
      arrivalWindowEnd: minutes,
    });
  });
});

describe("an invalid time is rejected, and nothing is sent", () => {
  it.each(refused.map((given) => ({ given })))("$given", async ({ given }) => {
    const { fleet, api, auth } = await fleetUnderTest();
    const time = given as string;
    const errors = await Promise.all(
      [
        fleet.listVehicleFaults({ startDate: time }),
        fleet.queryTachoActivity({ startTime: time, endTime: "2026-11-20T12:00:00" }),
        fleet.listLivePositions({ fromDateTime: time }),
        fleet.createJob({ address: "a", arrivalWindowEnd: time }),
        fleet.createJob({ address: "a", scheduledStartDateTime: time }),
      ].map(failure),
    );
    const fields = ["startDate", "startTime", "fromDateTime", "arrivalWindowEnd", "scheduledStartDateTime"];
    expect(errors.map(({ code }) => code)).toEqual(fields.map(() => "input"));
    expect(errors.map(({ errors }) => errors.map(({ offendingFields }) => offendingFields?.join()))).toEqual(
      fields.map((field) => [field]),
    );
    expect([...api.requests, ...auth.requests]).toEqual([]);
  });
});

describe("scheduledStartDateTime as YYYY-DD-MM", () => {
  it.each(["2026-20-11", "2026-05-06", "2028-29-02"])("%s is passed through", async (day) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: { jobId: "j1" } } }], jobNumbers: "service" });
    await fleet.createJob({ address: "a", scheduledStartDateTime: day });
    expect(JSON.parse(onlyRequest(api).body)).toEqual({ address: "a", scheduledStartDateTime: day });
  });

  it.each(["2026-11-20", "2026-32-01", "2026-00-01", "2026-30-02", "2026-29-02"])("%s is rejected: no such day", async (day) => {
    const { fleet } = await fleetUnderTest();
    expect((await failure(fleet.createJob({ address: "a", scheduledStartDateTime: day }))).code).toBe("input");
  });

  it("is allowed in that field only", async () => {
    const { fleet } = await fleetUnderTest();
    expect((await failure(fleet.createJob({ address: "a", arrivalWindowStart: "2026-20-11" }))).code).toBe("input");
  });
});
