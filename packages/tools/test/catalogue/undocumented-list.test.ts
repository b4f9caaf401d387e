import { defineOperation, Identifier, type Operation, operations } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { derivedTool } from "../../src/query/derived-tool.ts";
import { findRecords } from "../../src/query/undocumented-list.ts";
import { cannedService, rowsOf, toolsOver } from "../canned-service.ts";

type Json = Record<string, unknown>;

it.each<[string, unknown, object[], object]>([
  ["a list", [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }], {}],
  ["a list of other values", [1, [2], null], [{ value: 1 }, { value: [2] }, { value: null }], {}],
  ["a value", "none", [{ value: "none" }], {}],
  ["the only list of an object", { rows: [{ a: 1 }], page: 1 }, [{ a: 1 }], { page: 1 }],
  ["the list named by the path", { drivers: [{ b: 1 }], jobs: [{ a: 1 }] }, [{ a: 1 }], { drivers: [{ b: 1 }] }],
  ["an object with two lists, neither named by the path", { xs: [1], bs: [2] }, [{ xs: [1], bs: [2] }], {}],
  ["an object without a list", { a: 1 }, [{ a: 1 }], {}],
])("finds the records of %s", (_, response, records, rest) => {
  expect(findRecords(response, "/v1/jobs")).toEqual({ records, rest });
});

const listJobs: Operation = operations.listJobs;
/** Like {@link listJobs}, but nothing is known about its records. */
const listThings: Operation = {
  ...listJobs,
  name: "listThings",
  path: "/v1/things",
  query: {},
  tool: { ...listJobs.tool, likely: undefined } as never,
};

/** Calls the tool of a list whose service returns this body, or what `respond` returns for the query parameters. */
async function listed(respond: unknown, args: Json = {}, operation = listJobs) {
  const service = await cannedService(
    ({ operation: asked, fields }) => {
      if (asked === "listLivePositions") return [{ assetId: "v1", assetName: "Truck 1" }];
      return typeof respond === "function" ? respond(fields) : respond;
    },
    [operations.requestAccessToken, operations.listLivePositions, operation],
  );
  const { text, structured } = await toolsOver(service).call(derivedTool(operation), args);
  const [head = "", columns = ""] = text.split("\n");
  const requests = service.asked.filter((one) => one.operation === operation.name).map(({ fields }) => fields);
  return { head, columns: columns.split(" | "), rows: rowsOf(structured), structured, requests };
}

const JOBS = [
  { jobNumber: "J1", status: "NEW" },
  { jobNumber: "J2", status: "DONE" },
];

describe("the columns of an undocumented list", () => {
  it.each<[string, Json[], string[]]>([
    [
      "the expected ones that records have",
      [
        { status: "NEW", x: 1, jobNumber: "J1" },
        { x: 2, jobNumber: "J2" },
      ],
      ["jobNumber", "status"],
    ],
    ["all if only one is as expected", [{ status: "NEW", x: 1 }], ["status", "x"]],
    [
      "names, the time, other values, ids",
      [{ carId: 1, x: 2, createdAt: "2026-11-20T07:00:00Z", driverName: "Al" }],
      ["driverName", "createdAt", "x", "carId"],
    ],
    [
      "ids in any spelling last",
      [{ uuid: 1, order_number: 1, id: 1, car_id: 1, ids: 1, tagIds: 1, paid: 1 }],
      ["ids", "paid", "uuid", "order_number", "id", "car_id", "tagIds"],
    ],
    ["names in any case first", [{ a: 1, TITLE: 2, plateRegistration: 3 }], ["TITLE", "plateRegistration", "a"]],
    [
      "values that are always the same, after ids",
      [
        { name: "x", id: 1, v: 1 },
        { name: "x", id: 2, v: 2 },
      ],
      ["v", "id", "name"],
    ],
    ["no nested values", [{ a: { b: 1 }, c: [1], d: 1 }], ["d"]],
    ["nested values if there is nothing else", [{ a: { b: 1 } }], ["a"]],
  ])("are %s", async (_, records, columns) => {
    expect((await listed(records)).columns).toEqual(columns);
  });

  it("show date-times in the user's zone, but no other text", async () => {
    const { rows, head } = await listed([{ at: "2026-11-20T07:00:00", note: "2026 Tour", day: "2026-11-20" }], { fields: "at, note, day" });
    expect(rows).toEqual([{ at: "2026-11-20T07:00:00Z", note: "2026 Tour", day: "2026-11-20" }]);
    expect(head).toContain("Times in UTC");
  });
});

it("what the path needs is requested", async () => {
  const listThingsOf: Operation = { ...listThings, path: "/v1/depot/{depotId}/things", params: { depotId: Identifier } };
  const { requests } = await listed([{ a: 1 }], { depotId: "d1" }, defineOperation(listThingsOf as never) as Operation);
  expect(requests).toEqual([expect.objectContaining({ depotId: "d1" })]);
});

it("dates of jobs that may have the day before the month are not guessed", async () => {
  const jobs = ["2026-21-11", "2026-11-12", "2026-11-12T08:30Z"].map((scheduledStartDateTime, at) => ({
    jobNumber: `J${at}`,
    scheduledStartDateTime,
  }));
  const { rows } = await listed(jobs, { fields: "scheduledStartDateTime" });
  expect(rows.map((row) => row["scheduledStartDateTime"])).toEqual([
    "2026-11-21T00:00:00Z",
    "2026-11-12 (day or month first)",
    "2026-11-12T08:30:00Z",
  ]);
  const { rows: within, head } = await listed(jobs, { period: "2026-11-12/2026-11-21", fields: "jobNumber" });
  expect(within.map((row) => row["jobNumber"])).toEqual(["J0", "J2"]);
  expect(head).toContain("Period matched on scheduledStartDateTime; 1 job without a readable one left out.");
});

describe("the notes of an undocumented list", () => {
  const fieldsOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]));

  it.each<[string, unknown, Json, string]>([
    ["one record", [{ a: 1 }], {}, "1 of 1 job."],
    [
      "values alongside the list",
      { jobs: [{ a: 1 }], page: 1, xs: [1, 2] },
      {},
      "1 of 1 job. Alongside the list: “page: 1; xs: a list of 2”",
    ],
    [
      "more than four of them",
      { jobs: [{ a: 1 }], ...fieldsOf(5) },
      {},
      "Values alongside the list that are not shown: 1. Alongside the list: “f0: 0; f1: 1; f2: 2; f3: 3”",
    ],
    ["none of them if records were requested by field", { jobs: [{ a: 1 }], page: 1 }, { where: "a=1" }, "1 of 1 job. Where a=1."],
    ["them if there are no records", { jobs: [], page: 0 }, { where: "a=1" }, "0 of 0 jobs. Where a=1. Alongside the list: “page: 0”"],
    [
      "fields that are not shown",
      [
        { ...JOBS[0], y: null, z: [1] },
        { ...JOBS[1], x: 1 },
      ],
      {},
      "2 of 2 jobs. Other fields: “x, z”",
    ],
    [
      "many fields that are not shown",
      [
        { ...JOBS[0], ...fieldsOf(16) },
        { ...JOBS[1], f0: 1 },
      ],
      {},
      `Other fields (15 of 16): “${Object.keys(fieldsOf(15)).join(", ")}”`,
    ],
    ["no fields if some were requested", [{ ...JOBS[0], x: 1 }], { fields: "status" }, "1 of 1 job."],
    ["a count that is not larger than the list", { jobs: JOBS, total: 2 }, {}, "2 of 2 jobs. Alongside the list: “total: 2”"],
    [
      "a larger count",
      { jobs: JOBS, total: 3 },
      { where: "status!=new" },
      "1 of at least 1 job among the first 2 jobs; there are more (the service counts 3). Where status!=new. Alongside the list: “total: 3”",
    ],
  ])("mention %s", async (_, body, args, note) => {
    const { head } = await listed(body, args);
    // A note without a count is how the head ends.
    expect(/^\d/.test(note) ? head : head.slice(-note.length)).toBe(note);
  });

  it("name the expected fields that no record has any more", async () => {
    const { head } = await listed([{ jobNumber: "J1", status: "NEW", address: null }, { ...JOBS[1] }], { limit: 1 });
    expect(head).toContain("1 of 2 jobs.");
    expect(head).not.toContain("Without");
  });

  it("are about records if nothing is known about them", async () => {
    const { head, rows } = await listed({ things: JOBS }, {}, listThings);
    expect(head).toBe("2 of 2 records.");
    expect(rows).toEqual(JOBS);
  });
});

describe("conditions on an undocumented list", () => {
  const URGENT = { jobNumber: "J3", urgent: true };
  const NEW = { jobs: JOBS.slice(0, 1) };

  it.each<[string, string, (query: Json) => unknown, Json[], string[], string]>([
    ["are checked here if records have the field", "status=new", () => JOBS, [{}], ["J1"], "1 of 1 job."],
    [
      "are sent if none has it",
      "depot=Lyon",
      ({ depot }) => (depot ? NEW : { jobs: JOBS }),
      [{}, { depot: "Lyon" }],
      ["J1"],
      "Sent to the service: depot.",
    ],
    [
      "are sent without the flags after them",
      "depot=Lyon, urgent",
      ({ depot }) => (depot ? { jobs: [URGENT] } : { jobs: [...JOBS, URGENT] }),
      [{}, { depot: "Lyon" }],
      ["J3"],
      "Sent to the service: depot.",
    ],
    ["may be a value of a field", "done", () => JOBS, [{}, { done: "true" }], ["J2"], "Where status=done."],
    ["may leave nothing", "depot=Lyon", ({ depot }) => (depot ? [] : JOBS), [{}, { depot: "Lyon" }], [], "Sent to the service: depot."],
    [
      "are sent too if records are missing",
      "status=NEW",
      ({ status }) => (status ? NEW : { jobs: JOBS, total: 9 }),
      [{}, { status: "NEW" }],
      ["J1"],
      "1 of 1 job.",
    ],
    [
      "that a service with missing records reads otherwise are checked here",
      "status=new",
      ({ status }) => ({ jobs: status ? [] : JOBS, total: 9 }),
      [{}, { status: "new" }],
      ["J1"],
      "1 of at least 1 job among the first 2 jobs; there are more (the service counts 9).",
    ],
    [
      "are never sent with another operator",
      "status!=NEW",
      () => ({ jobs: JOBS, total: 9 }),
      [{}],
      ["J2"],
      "1 of at least 1 job among the first 2 jobs",
    ],
    [
      "are never sent with several values",
      "status=NEW|DONE",
      () => ({ jobs: JOBS, total: 9 }),
      [{}],
      ["J1", "J2"],
      "2 of at least 2 jobs; there are more",
    ],
    [
      "use the records' own names",
      "Job number=J1",
      ({ jobNumber }) => (jobNumber ? NEW : { jobs: JOBS, total: 9 }),
      [{}, { jobNumber: "J1" }],
      ["J1"],
      "1 of 1 job.",
    ],
    ["are not sent if there is no record", "depot=Lyon", () => [], [{}], [], "0 of 0 jobs."],
  ])("%s: %s", async (_, where, respond, requests, numbers, note) => {
    const seen = await listed(respond, { where });
    expect(seen.requests).toEqual(requests);
    expect(seen.rows.map(({ jobNumber }) => jobNumber)).toEqual(numbers);
    expect(seen.head).toContain(note);
  });

  it.each<[string, (query: Json) => unknown]>([
    ["ignores", () => JOBS],
    ["rejects", ({ depot }) => (depot ? undefined : JOBS)],
  ])("are an error if no record has the field and the service %s it", async (_, respond) => {
    await expect(listed(respond, { where: "depot=Lyon" })).rejects.toThrow(
      /input: where: no such field: depot\. Next: Choose from jobNumber, status\./,
    );
  });

  it("go along with the query parameters of the call", async () => {
    const { requests } = await listed(({ depot }: Json) => (depot ? NEW : JOBS), { where: "depot=Lyon", query: { page: "2" } });
    expect(requests).toEqual([{ page: "2" }, { page: "2", depot: "Lyon" }]);
  });

  it("are not sent to an operation without query parameters", async () => {
    const service = await cannedService(() => JOBS, [operations.requestAccessToken, listThings]);
    expect(await toolsOver(service).failure(derivedTool(listThings), { where: "depot=Lyon" })).toMatch(
      /^input: where: no such field: depot/,
    );
    expect(service.asked).toHaveLength(1);
  });

  it("of a query that is not a map name the format", async () => {
    const service = await cannedService(() => JOBS);
    expect(await toolsOver(service).failure(derivedTool(listJobs), { query: 5 })).toContain("query: must look like status=NEW&limit=5");
  });
});
