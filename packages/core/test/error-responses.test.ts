import { describe, expect, it } from "vitest";
import { FleetError, fleetErrorCodes } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";

describe("the error codes", () => {
  it("are exactly these", () => {
    expect(Object.keys(fleetErrorCodes)).toEqual(
      `input unauthorized forbidden notFound rejected conflict rateLimited timeout aborted network upstream tooLarge contract unknownOutcome config`.split(
        " ",
      ),
    );
  });
});

describe("a status becomes a code", () => {
  it.each([
    [400, "rejected"],
    [401, "unauthorized"],
    [402, "contract"],
    [403, "forbidden"],
    [404, "notFound"],
    [405, "contract"],
    [408, "timeout"],
    [409, "conflict"],
    [410, "contract"],
    [415, "contract"],
    [418, "contract"],
    [422, "rejected"],
    [429, "rateLimited"],
    [451, "contract"],
    [500, "upstream"],
    [501, "upstream"],
    [502, "upstream"],
    [503, "upstream"],
    [504, "upstream"],
    [599, "upstream"],
  ])("%i: %s", async (status, code) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status, body: "" }] });
    const error = await failure(fleet.listLivePositions());
    expect(error).toBeInstanceOf(FleetError);
    expect(error).toMatchObject({ name: "FleetError", code, status, operation: "listLivePositions", errors: [] });
    expect(error.message).toBe(`listLivePositions: HTTP ${status}`);
    expect(error.advice).toEqual(expect.any(String));
    expect(api.requests).toHaveLength(1);
  });
});

it("300 is not a success, even with a list", async () => {
  const { fleet } = await fleetUnderTest({ api: [{ status: 300, body: [] }] });
  expect(await failure(fleet.listLivePositions())).toMatchObject({ code: "contract", status: 300 });
});

describe("errors of a group update (interface part 7)", () => {
  it("400 is a list, with our advice", async () => {
    const body = [
      { errorCode: 1, errorMessage: "Not visible", offendingFields: ["vehicleIds", "personIds"] },
      { errorCode: 2, errorMessage: "Too long", offendingFields: ["name"] },
    ];
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body }] });
    const error = await failure(fleet.updateGroup({ id: "g1" }));
    expect(error).toMatchObject({ code: "rejected", status: 400, errors: body });
    expect(error.message).toBe("updateGroup: HTTP 400. The service said: “vehicleIds, personIds: Not visible; name: Too long”");
    expect(error.advice).toContain("group id");
  });

  it("409 is a single error, returned as a list", async () => {
    const body = { errorCode: 7, errorMessage: "Name taken", offendingFields: ["name"] };
    const { fleet } = await fleetUnderTest({ api: [{ status: 409, body }] });
    const error = await failure(fleet.updateGroup({ id: "g1", name: "n" }));
    expect(error).toMatchObject({ code: "conflict", status: 409, errors: [body] });
    expect(error.message).toBe("updateGroup: HTTP 409. The service said: “name: Name taken”");
    expect(error.advice).toContain("another name");
  });
});

describe("an error's body", () => {
  it.each<{ what: string; body: unknown; errors?: object[]; said?: string }>([
    { what: "nothing", body: "" },
    { what: "whitespace", body: " \n " },
    { what: "plain text", body: "Bad Gateway" },
    { what: "HTML", body: "<!doctype html><h1>502</h1>" },
    { what: "truncated JSON", body: '[{"errorMessage":"x"' },
    { what: "null", body: "null" },
    { what: "a number", body: 5 },
    { what: "a JSON string", body: '"text"' },
    { what: "an empty list", body: [] },
    { what: "a list without errors", body: [null, 5, "x", [], {}] },
    { what: "an object of a different shape", body: { error: "invalid", message: "upstream words" } },
    { what: "a megabyte of text", body: "x".repeat(1_000_000) },
    { what: "errors with fields of the wrong type", body: { errorCode: "x", errorMessage: 5, offendingFields: "name" } },
    { what: "errors with null fields", body: { errorCode: null, errorMessage: null, offendingFields: null } },
    { what: "an error without a message", body: { errorCode: 3 }, errors: [{ errorCode: 3 }], said: "errorCode 3" },
    {
      what: "one valid error among others",
      body: [null, { errorMessage: "x", offendingFields: ["a", 5, null] }],
      errors: [{ errorMessage: "x", offendingFields: ["a"] }],
      said: "a: x",
    },
    {
      what: "undocumented fields",
      body: { errorMessage: "x", trace: "at Service.java:1" },
      errors: [{ errorMessage: "x" }],
      said: "x",
    },
    {
      what: "control characters",
      body: { errorMessage: "\u001b[31mred\u0000\r\nnext\u202eline" },
      errors: [{ errorMessage: "[31mred next line" }],
      said: "[31mred next line",
    },
    { what: "__proto__", body: '{"__proto__":{"errorMessage":"x"},"errorMessage":"y"}', errors: [{ errorMessage: "y" }], said: "y" },
  ])("can be $what", async ({ body, errors = [], said }) => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 500, body }] });
    const error = await failure(fleet.listLivePositions());
    expect(error.errors).toEqual(errors);
    expect(error.message).toBe(`listLivePositions: HTTP 500${said === undefined ? "" : `. The service said: “${said}”`}`);
  });

  it("is truncated if it is long, to keep the message readable", async () => {
    const body = Array.from({ length: 5_000 }, (_, at) => ({
      errorMessage: `${at} ${"m".repeat(1_000)}`,
      offendingFields: Array(500).fill("f"),
    }));
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body }] });
    const error = await failure(fleet.updateGroup({ id: "g1" }));
    expect(error.errors).toHaveLength(20);
    expect(error.errors[0]?.errorMessage).toHaveLength(301);
    expect(error.errors[0]?.offendingFields).toHaveLength(20);
    expect(error.summary).toBe("updateGroup: HTTP 400 with 20 errors, the first 3 quoted");
    expect(error.message.length).toBeLessThan(2_000);
  });

  it("is never truncated within a character", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body: { errorMessage: `m${"\u{1f69a}".repeat(200)}` } }] });
    const error = await failure(fleet.updateGroup({ id: "g1" }));
    expect(error.errors[0]?.errorMessage).toBe(`m${"\u{1f69a}".repeat(149)}…`);
  });
});

describe("an unusable 2xx", () => {
  it.each([
    { what: "an empty body", answer: { body: "" }, says: "empty" },
    { what: "204", answer: { status: 204 }, says: "empty" },
    { what: "whitespace", answer: { body: "  \n" }, says: "empty" },
    { what: "HTML", answer: { body: "<html>Sign in</html>" }, says: "not JSON" },
    { what: "half a list", answer: { body: '[{"assetId":"v1"}' }, says: "invalid JSON" },
    { what: "two documents", answer: { body: "[][]" }, says: "invalid JSON" },
  ])("$what violates the contract", async ({ answer, says }) => {
    const { fleet } = await fleetUnderTest({ api: [answer] });
    const error = await failure(fleet.listLivePositions());
    expect(error.code).toBe("contract");
    expect(error.message).toContain(says);
  });

  it.each([200, 201, 206])("%i with a valid body is a success", async (status) => {
    const { fleet } = await fleetUnderTest({ api: [{ status, body: [] }] });
    expect(await fleet.listLivePositions()).toEqual([]);
  });

  it("JSON with another media type is a success", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ headers: { "content-type": "text/html" }, body: "\ufeff[]" }] });
    expect(await fleet.listLivePositions()).toEqual([]);
  });
});

describe("a FleetError as JSON", () => {
  it("shows what a program needs", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 409, body: { errorMessage: "taken" } }] });
    const error = await failure(fleet.updateGroup({ id: "g1" }));
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: "FleetError",
      code: "conflict",
      message: "updateGroup: HTTP 409. The service said: “taken”",
      summary: "updateGroup: HTTP 409",
      quotation: "taken",
      operation: "updateGroup",
      status: 409,
      errors: [{ errorMessage: "taken" }],
      advice: error.advice,
      changed: "no",
    });
  });
});
