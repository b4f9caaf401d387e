import { describe, expect, it } from "vitest";
import { FleetError, fleetErrorCodes } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import type { Answer } from "./recording-server.ts";

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
    [403, "forbidden"],
    [404, "notFound"],
    [408, "timeout"],
    [409, "conflict"],
    [410, "contract"],
    [422, "rejected"],
    [429, "rateLimited"],
    [500, "upstream"],
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
});

describe("an error's body", () => {
  const said = (words: string) => `. The service said: “${words}”`;
  it.each<[what: string, body: unknown, errors: object[], told: string]>([
    ...["", " \n ", "Bad Gateway", "<!doctype html><h1>502</h1>", '[{"errorMessage":"x"', "null", 5, '"text"', [], "x".repeat(100_000)].map(
      (body): [string, unknown, object[], string] => ["no error", body, [], ""],
    ),
    ["a list without errors", [null, 5, "x", [], {}], [], ""],
    ["fields of the wrong type", { errorCode: "x", errorMessage: 5, offendingFields: "name" }, [], ""],
    ["an error without a message", { errorCode: 3 }, [{ errorCode: 3 }], said("errorCode 3")],
    [
      "one valid error among others, with an undocumented field",
      [null, { errorMessage: "x", offendingFields: ["a", 5, null], trace: "at Service.java:1" }],
      [{ errorMessage: "x", offendingFields: ["a"] }],
      said("a: x"),
    ],
    [
      "control characters",
      { errorMessage: "\u001b[31mred\u0000\r\nnext\u202eline" },
      [{ errorMessage: "[31mred next line" }],
      said("[31mred next line"),
    ],
    ["__proto__", '{"__proto__":{"errorMessage":"x"},"errorMessage":"y"}', [{ errorMessage: "y" }], said("y")],
  ])("can be %s: %j", async (_, body, errors, told) => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 500, body }] });
    const error = await failure(fleet.listLivePositions());
    expect(error.errors).toEqual(errors);
    expect(error.message).toBe(`listLivePositions: HTTP 500${told}`);
  });

  it("is truncated if it is long, to keep the message readable", async () => {
    const body = Array.from({ length: 50 }, (_, at) => ({
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
});

it.each<[string, Answer]>([
  ["201", { status: 201, body: [] }],
  ["JSON with another media type", { headers: { "content-type": "text/html" }, body: "\ufeff[]" }],
])("%s is a success", async (_, answer) => {
  const { fleet } = await fleetUnderTest({ api: [answer] });
  expect(await fleet.listLivePositions()).toEqual([]);
});
