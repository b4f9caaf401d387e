import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, FleetError, fieldMetadata, metadataOf, type Operation, quoted } from "../src/index.ts";

const common = {
  name: "doIt",
  summary: "Do it",
  source: "a test",
  method: "POST",
  servers: ["base"],
  auth: ["basic"],
  effect: "update",
  output: z.void(),
} as const;
const define = (more: object) => defineOperation({ ...common, path: "/it", ...more } as never) as Operation;
const problems = ({ input }: Operation, value: unknown) =>
  input.safeParse(value).error?.issues.map(({ path, message, code }) => [path.join("."), code, code === "custom" ? message : ""]) ?? [];

describe("defineOperation", () => {
  it("keeps what it is given, and adds the input", () => {
    const tool = { title: "Do it" };
    expect(define({ tool })).toStrictEqual({ ...common, path: "/it", tool, query: {}, input: expect.any(Object) });
    const [params, query, body] = [{ id: z.string() }, { a: z.int() }, { b: z.int() }];
    const more = { path: "/it/{id}", params, query, body };
    expect(define(more)).toStrictEqual({ ...common, ...more, input: expect.any(Object) });
  });

  it.each<[string, object | undefined, boolean]>([
    ["/it", undefined, true],
    ["/{b}/{a}", { a: z.string(), b: z.string() }, true],
    ["/{a}", undefined, false],
    ["/{customerId}", { customerId: z.string() }, false],
    ["/{a}/{b}", { a: z.string() }, false],
  ])("the path %s matches the params %o: %s", (path, params, isValid) => {
    if (isValid) return expect(define({ path, params }).path).toBe(path);
    const message = "defineOperation: params of doIt must match the placeholders in its path";
    const error = { code: "config", operation: "doIt", message, advice: "Fix the operation" };
    expect(() => define({ path, params })).toThrow(expect.objectContaining(error));
  });

  const get = { method: "GET", effect: "read" };
  it.each([
    [{ path: ".example.org/v1" }, "must start with a slash and contain no query"],
    [{ path: "/v1?day=1" }, "must start with a slash and contain no query"],
    [{ path: "/v1", ...get, body: { day: z.string() } }, "body of doIt must not be sent with GET"],
  ])("%o cannot be defined: %s", (spec, problem) => {
    expect(() => define(spec)).toThrow(expect.objectContaining({ code: "config", message: expect.stringContaining(problem) }));
  });

  it.each<[unknown, boolean]>([
    ["a", true],
    ["", false],
    [".", false],
    [5, true],
  ])("the path parameter %j is allowed: %s", (id, isAllowed) => {
    const operation = define({ path: "/it/{id}", params: { id: z.any() } });
    expect(problems(operation, { id })).toEqual(isAllowed ? [] : [["id", "custom", "must not be empty, . or .."]]);
  });

  it("applies rules to the whole input", () => {
    const rules = ({ a }: { a: number }, refuse: (field: string, message: string) => void) => {
      if (a > 1) refuse("a", "is too much");
    };
    const operation = define({ query: { a: z.int() }, rules });
    expect(problems(operation, { a: 1 })).toEqual([]);
    expect(problems(operation, { a: 2 })).toEqual([["a", "custom", "is too much"]]);
  });

  it.each<[string, z.ZodType, unknown]>([
    ["the input", z.any(), undefined],
    ["a loose object", z.looseObject({ x: z.int() }), { x: 1, y: 1 }],
    ["an optional list of optional objects", z.array(z.object({}).optional()).nullable(), [{ y: 1 }]],
    ["an object in an object", z.object({ x: z.object({}) }), { x: { y: 1 } }],
  ])("rejects unknown fields of %s", (_, schema, value) => {
    const given = value === undefined ? { at: 1, y: 1 } : { at: value };
    expect(problems(define({ body: { at: schema } }), given).map(([, code]) => code)).toEqual(["unrecognized_keys"]);
  });

  it.each<[string, z.ZodType, unknown, string]>([
    ["an object", z.object({ x: z.int() }).refine(({ x }) => x > 0, "is too low"), { x: 0 }, "is too low"],
    ["a list", z.array(z.int()).max(1, "is too long"), [1, 2], "is too long"],
  ])("keeps the metadata and rules of %s that it makes strict", (_, schema, value, problem) => {
    const operation = define({ body: { at: schema.register(fieldMetadata, { holds: "text" } as never) } });
    expect(metadataOf((operation.input as z.ZodObject).shape["at"] as z.ZodType)).toEqual({ holds: "text" });
    expect(operation.input.safeParse({ at: value }).error?.issues.map(({ message }) => message)).toEqual([problem]);
  });
});

describe("an error", () => {
  const about = { operation: "doIt", status: 400, errors: [{ errorCode: 1 }], advice: "Try", jobNumber: "N1" };
  const details = { ...about, quotation: "no", retryAfter: 5, changed: "unknown" } as const;
  it("has only the details it was given", () => {
    expect(Object.keys(new FleetError("input", "wrong")).sort()).toEqual(["changed", "code", "errors", "name", "summary"]);
    const error = new FleetError("rejected", "wrong", details);
    const shown = { name: "FleetError", code: "rejected", summary: "wrong", ...details };
    expect({ ...error }).toEqual(shown);
    expect(JSON.parse(JSON.stringify(error))).toEqual({ ...shown, message: "wrong. The service said: “no”" });
  });

  it.each([
    ["it's", "“it's”"],
    ["“no”", "“'no'”"],
    ['"no"', "“'no'”"],
    ["''", "“'”"],
  ])("quotes %s as %s", (said, shown) => {
    expect(quoted(said)).toBe(shown);
  });
});
