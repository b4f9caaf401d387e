import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";

const input = { address: "Lyon", jobNumber: "4711", lat: 45.5, lng: 4 };
const nulls = { jobId: null, jobNumber: null, address: null, orderNumbers: null };
const zeros = { jobId: 0, jobNumber: "0", jobRadius: 0, lat: 0, orderNumbers: [], jobType: { id: "", used: false } };
const blanks = { jobId: "", jobNumber: " ", address: "", status: " " };
const error = { field: "vehicleName", message: "is not known" };
const rejectedField = { errorMessage: "is not known", offendingFields: ["vehicleName"] };

const unidentified: [string, unknown][] = [
  ["no job", undefined],
  ["null", null],
  ["an empty job", {}],
  ["nulls", nulls],
  ["zeros", zeros],
  ["blanks", blanks],
  ["what was sent", input],
  ["what was sent with nulls, the number as a number", { ...input, jobNumber: 4711, jobId: null, notes: null }],
  ["the number that was sent", { jobNumber: "4711" }],
];

const errorShapes: [string, unknown, object[]][] = [
  ["a list of objects", [error], [rejectedField]],
  ["a list of texts", ["no such vehicle", null], [{ errorMessage: "no such vehicle" }]],
  ["a text", "no such vehicle", [{ errorMessage: "no such vehicle" }]],
  ["an object by field", { vehicleName: "is not known", notes: null }, [rejectedField]],
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
    for (const job of [undefined, {}, nulls, input]) {
      const refused = await failure((await creation({ job, errors })).call);
      expect(refused).toMatchObject({ code: "rejected", status: 200, changed: "no", jobNumber: "4711", errors: expected });
      expect(refused.quotation).toContain(expected.map((one) => (one as { errorMessage: string }).errorMessage)[0]);
    }
  });

  it.each(unidentified)("with errors and %s is a rejection", async (_, job) => {
    const refused = await failure((await creation({ job, errors: [error] })).call);
    expect(refused).toMatchObject({ code: "rejected", changed: "no", jobNumber: "4711", errors: [rejectedField] });
  });

  it.each(unidentified)("with %s and no errors has an unknown outcome", async (_, job) => {
    for (const errors of [undefined, null, [], {}, "", [null], 0, false]) {
      const { api, call } = await creation({ job, errors });
      expect(await failure(call)).toMatchObject({ code: "unknownOutcome", changed: "unknown", jobNumber: "4711" });
      onlyRequest(api);
    }
  });

  it("with an error in place of a job is a rejection", async () => {
    const refused = await failure((await creation(rejectedField)).call);
    expect(refused).toMatchObject({ code: "rejected", jobNumber: "4711", errors: [rejectedField] });
  });

  it.each<[string, object, object]>([
    ["an id", { jobId: "j1" }, { jobId: "j1", jobNumber: "4711" }],
    ["an id as a number", { jobId: 77, jobNumber: 4711 }, { jobId: "77", jobNumber: "4711" }],
    ["an id and a blank number", { jobId: "j1", jobNumber: "" }, { jobId: "j1", jobNumber: "4711" }],
    ["a number that the service generated", { jobNumber: "S-1" }, { jobNumber: "S-1" }],
    ["a number that the service generated, as a number", { jobNumber: 12 }, { jobNumber: "12" }],
  ])("with %s is a success, whatever the errors", async (_, job, expected) => {
    expect(await (await creation({ job })).call).toEqual({ job: expected });
    expect(await (await creation({ job, errors: [error] })).call).toEqual({ job: expected, errors: [error] });
  });

  it.each(errorShapes)("with an id and errors as %s is a success with remarks", async (_, errors, expected) => {
    const output = await (await creation({ job: { jobId: "j1" }, errors })).call;
    expect(output.job).toEqual({ jobId: "j1", jobNumber: "4711" });
    expect(output.errors).toHaveLength(expected.length);
    expect(JSON.stringify(output.errors)).toMatch(/is not known|no such vehicle/);
  });

  it("with anything that was not sent is a success", async () => {
    expect(await (await creation({ job: { ...input, status: "NEW" } })).call).toEqual({ job: { ...input, status: "NEW" } });
  });

  it("with the number that was generated, as sent, is an unknown outcome, and with the service's own a success", async () => {
    const echo = await fleetUnderTest({ api: [(response, { body }) => void response.end(JSON.stringify({ job: JSON.parse(body) }))] });
    const { code, jobNumber } = await failure(echo.fleet.createJob({ address: "a" }));
    expect([code, jobNumber]).toEqual(["unknownOutcome", JSON.parse(onlyRequest(echo.api).body).jobNumber]);
    const numbering = await fleetUnderTest({ api: [{ body: { job: { address: "a", jobNumber: 12 } } }], jobNumbers: "service" });
    expect(await numbering.fleet.createJob({ address: "a" })).toEqual({ job: { address: "a", jobNumber: "12" } });
  });
});

describe("a 200 in response to a group update", () => {
  const update = async (body: unknown) => {
    const { fleet } = await fleetUnderTest({ api: [{ body }] });
    return fleet.updateGroup({ id: "g1", name: "North" });
  };
  const taken = { errorMessage: "is taken", offendingFields: ["name"] };

  it.each<[string, unknown, "no" | "unknown"]>([
    ["errors", { errors: [{ field: "name", message: "is taken" }] }, "no"],
    ["errors as texts", { id: null, errors: ["name is taken"] }, "no"],
    ["errors by field", { errors: { name: ["is taken"] } }, "no"],
    ["an error in place of the group", taken, "no"],
    ["errors and the group", { id: "g1", name: "Old", errors: [taken] }, "unknown"],
  ])("with %s is a rejection", async (_, body, changed) => {
    const refused = await failure(update(body));
    expect(refused).toMatchObject({ code: "rejected", status: 200, changed });
    expect(refused.quotation).toContain("is taken");
  });

  it("with another group is no success", async () => {
    expect(await failure(update({ id: "g2", name: "North" }))).toMatchObject({ code: "contract", changed: "unknown" });
  });

  it.each([{ id: "g1", name: "North" }, { id: "g1", errors: [] }, { name: "North" }])("with %j is a success", async (body) => {
    expect(await update(body)).toEqual(body);
  });
});

describe("a custom creation", () => {
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

  it.each<[string, object, object]>([
    ["rejected", { booking: { ref: "REF-1" }, problems: ["full"] }, { code: "rejected", jobNumber: "REF-1" }],
    ["unknown", { booking: { ref: "REF-1", garage: "north" } }, { code: "unknownOutcome", jobNumber: "REF-1" }],
  ])("that states its outcome can be %s", async (_, body, expected) => {
    const { fleet } = await fleetUnderTest({ api: [{ body }] });
    expect(await failure(fleet.request(bookService, { garage: "north" }))).toMatchObject(expected);
  });

  it("that states its outcome has its key in the output", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: { booking: { id: 7 } } }] });
    expect(await fleet.request(bookService, { garage: "north" })).toEqual({ booking: { id: 7, ref: "REF-1" } });
  });
});
