import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";

const input = { address: "Lyon", jobNumber: "4711", lat: 45.5, lng: 4 };
const nulls = { jobId: null, jobNumber: null, address: null, orderNumbers: null };
const error = { field: "vehicleName", message: "is not known" };
const rejectedField = { errorMessage: "is not known", offendingFields: ["vehicleName"] };

const unidentified: [string, unknown][] = [
  ["no job", undefined],
  ["an empty job", {}],
  ["what was sent", input],
  ["what was sent with nulls, the number as a number", { ...input, jobNumber: 4711, jobId: null, notes: null }],
  ["what was sent, written otherwise", { ...input, address: "LYON", lat: 45.49999, lng: "4.0" }],
  ...["null", "N/A", "-1", "\u200b", -1, true, {}, [null]].map((jobId): [string, unknown] => [
    `the id ${JSON.stringify(jobId)}`,
    { ...input, jobId },
  ]),
  ["words for no value", { ...input, jobNumber: "null", status: "$UNKNOWN", notes: "n/a" }],
  ["a text", "none"],
  ["an empty list", [{}]],
  ["an error", { ...input, error: "no such vehicle" }],
  ["errors of its own", { ...input, status: "NEW", errors: [error] }],
];

const errorShapes: [string, unknown, object[]][] = [
  ["a list of objects", [error], [rejectedField]],
  ["a text", "no such vehicle", [{ errorMessage: "no such vehicle" }]],
  ["the word unknown", { vehicleName: "unknown" }, [{ errorMessage: "unknown", offendingFields: ["vehicleName"] }]],
  [
    "an object of lists by field",
    { vehicleName: ["is not known", "is blank"] },
    [rejectedField, { ...rejectedField, errorMessage: "is blank" }],
  ],
  ["an object of objects by field", { vehicleName: { message: "is not known" } }, [rejectedField]],
  ["one error", error, [rejectedField]],
  ["errors as in an error response", [{ ...rejectedField, errorCode: 4 }], [{ ...rejectedField, errorCode: 4 }]],
];

async function creation(body: unknown) {
  const { fleet, api } = await fleetUnderTest({ api: [{ body }] });
  return { fleet, api, call: fleet.createJob(input) };
}

describe("a 200 in response to a creation", () => {
  it.each(errorShapes)("with errors as %s and no job is a rejection", async (_, errors, expected) => {
    const refused = await failure((await creation({ job: nulls, errors })).call);
    expect(refused).toMatchObject({ code: "rejected", status: 200, changed: "no", jobNumber: "4711", errors: expected });
    expect(refused.quotation).toContain(expected.map((one) => (one as { errorMessage: string }).errorMessage)[0]);
  });

  it.each(unidentified)("with errors and %s is a rejection, and without errors has an unknown outcome", async (_, job) => {
    const refused = await failure((await creation({ job, errors: [error] })).call);
    expect(refused).toMatchObject({ code: "rejected", changed: "no", jobNumber: "4711", errors: [rejectedField] });
    const { api, call } = await creation({ job });
    expect(await failure(call)).toMatchObject({ code: "unknownOutcome", changed: "unknown", jobNumber: "4711" });
    onlyRequest(api);
  });

  it.each([null, [], {}, "", [null], 0, false, "none", [{}], [[]], [{ field: null, message: null }]])(
    "with the errors %j and no job has an unknown outcome",
    async (errors) => {
      expect((await failure((await creation({ errors })).call)).code).toBe("unknownOutcome");
    },
  );

  it.each<[string, object, object[]]>([
    ["an error in place of a job", rejectedField, [rejectedField]],
    ["an error beside an echo", { error: "no such vehicle", job: input }, [{ errorMessage: "no such vehicle" }]],
    ["success: false", { success: false, message: "no such vehicle" }, [{ errorMessage: "no such vehicle" }]],
    ["success: false beside defaults", { success: false, job: { ...input, status: "NEW" } }, []],
  ])("with %s is a rejection", async (_, body, errors) => {
    const refused = await failure((await creation(body)).call);
    expect(refused).toMatchObject({ code: "rejected", jobNumber: "4711", errors });
  });

  it.each<[string, object]>([
    ["success in the words of an error", { errorCode: 0, errorMessage: "Success" }],
    ["a state that is not documented", { status: "ERROR", job: { ...input, status: "NEW" } }],
    ["a job in an envelope", { data: { job: { jobId: "j1" } } }],
  ])("with %s has an unknown outcome", async (_, body) => {
    expect(await failure((await creation(body)).call)).toMatchObject({ code: "unknownOutcome", jobNumber: "4711" });
  });

  it.each<[string, object, object]>([
    ["an id", { jobId: "j1" }, { jobId: "j1", jobNumber: "4711" }],
    ["a number that the service generated, as a number", { jobNumber: 12 }, { jobNumber: "12" }],
    ["a number, with words for no value", { jobId: "null", jobNumber: "S-1" }, { jobId: "null", jobNumber: "S-1" }],
    ["an id, with words for no value", { jobId: "j1", jobNumber: "null" }, { jobId: "j1", jobNumber: "4711" }],
  ])("with %s is a success, whatever the errors", async (_, job, expected) => {
    expect(await (await creation({ job })).call).toEqual({ job: expected });
    expect(await (await creation({ job, errors: [error] })).call).toEqual({ job: expected, errors: [error] });
  });

  it.each(errorShapes)("with an id and errors as %s is a success with remarks", async (_, errors, expected) => {
    const output = await (await creation({ job: { jobId: "j1" }, errors })).call;
    expect(output.job).toEqual({ jobId: "j1", jobNumber: "4711" });
    expect(output.errors).toHaveLength(expected.length);
    expect(JSON.stringify(output.errors)).toMatch(/is not known|no such vehicle|unknown/);
  });

  it("with a documented field that was not sent is a success", async () => {
    const job = { ...input, status: "NEW" };
    expect(await (await creation({ success: true, job })).call).toEqual({ success: true, job });
  });

  it("with the number that was generated, as sent, is an unknown outcome, and with the service's own a success", async () => {
    const echo = await fleetUnderTest({ api: [(response, { body }) => void response.end(JSON.stringify({ job: JSON.parse(body) }))] });
    const { code, jobNumber } = await failure(echo.fleet.createJob({ address: "a" }));
    expect([code, jobNumber]).toEqual(["unknownOutcome", JSON.parse(onlyRequest(echo.api).body).jobNumber]);
    const numbering = await fleetUnderTest({ api: [{ body: { job: { address: "a", jobNumber: 12 } } }], jobNumbers: "service" });
    expect(await numbering.fleet.createJob({ address: "a" })).toEqual({ job: { address: "a", jobNumber: "12" } });
  });
});

it.each(errorShapes)("a 400 in response to a creation with errors as %s quotes them", async (_, errors, expected) => {
  const { fleet } = await fleetUnderTest({ api: [{ status: 400, body: { job: null, errors } }] });
  const refused = await failure(fleet.createJob(input));
  expect(refused).toMatchObject({ code: "rejected", status: 400, changed: "no", jobNumber: "4711", errors: expected });
  expect(refused.quotation).toMatch(/is not known|no such vehicle|unknown/);
});

describe("a 200 in response to a group update", () => {
  const update = async (body: unknown) => {
    const { fleet } = await fleetUnderTest({ api: [{ body }] });
    return fleet.updateGroup({ id: "g1", name: "North" });
  };
  const taken = { errorMessage: "is taken", offendingFields: ["name"] };

  it.each<[string, unknown, "no" | "unknown"]>([
    ["errors", { errors: [{ field: "name", message: "is taken" }] }, "no"],
    ["errors by field", { errors: { name: ["is taken"] } }, "no"],
    ["an error in place of the group", taken, "no"],
    ["success: false", { success: false, message: "is taken" }, "no"],
    ["success: false and the group", { id: "g1", success: false, message: "is taken" }, "unknown"],
    ["errors and the group", { id: "g1", name: "Old", errors: [taken] }, "unknown"],
  ])("with %s is a rejection", async (_, body, changed) => {
    const refused = await failure(update(body));
    expect(refused).toMatchObject({ code: "rejected", status: 200, changed });
    expect(refused.quotation).toContain("is taken");
  });

  it.each([
    { id: "g2", name: "North" },
    { status: "ERROR", message: "is taken" },
    { errors: [{}] },
    { errorCode: 0, errorMessage: "OK" },
    { data: { id: "g1" } },
  ])("with %j is no success", async (body) => {
    expect(await failure(update(body))).toMatchObject({ code: "contract", changed: "unknown" });
  });

  it.each([{ id: "g1", name: "North" }, { id: "g1", errors: [{}] }, { id: "G1", region: 4 }, { name: "North" }, { success: true }, {}])(
    "with %j is a success",
    async (body) => {
      expect(await update(body)).toEqual(body);
    },
  );
});

it.each<[string, object, object]>([
  ["rejected", { booking: { ref: "REF-1" }, problems: ["full"] }, { code: "rejected", jobNumber: "REF-1" }],
  ["unknown", { booking: { ref: "REF-1", garage: "north" } }, { code: "unknownOutcome", jobNumber: "REF-1" }],
  ["done, with its key in the output", { booking: { id: 7 } }, { booking: { id: 7, ref: "REF-1" } }],
])("a custom creation that states its outcome can be %s", async (_, body, expected) => {
  const bookService = defineOperation({
    name: "bookService",
    summary: "Book a service",
    source: "test",
    method: "POST",
    path: "/bookings",
    servers: ["base"],
    auth: ["basic"],
    body: { garage: z.string(), ref: z.string().optional() },
    output: z.object({ booking: z.looseObject({ id: z.number(), ref: z.string().optional() }).optional() }),
    effect: "create",
    idempotencyKey: { field: "ref", outputPath: "booking.ref", generate: () => "REF-1" },
    outcome: { id: "booking.id", errors: "problems" },
  });
  const { fleet } = await fleetUnderTest({ api: [{ body }] });
  const booking = fleet.request(bookService, { garage: "north" });
  expect(await booking.catch((error: unknown) => error)).toMatchObject(expected);
});
