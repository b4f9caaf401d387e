import { parseInput } from "@fleetwire/core/internal";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { FleetError } from "../src/index.ts";

const target = (input: z.ZodType) => ({ name: "book", input });

function errorOf(input: z.ZodType, value: unknown): FleetError {
  try {
    parseInput(target(input), value);
  } catch (error) {
    if (error instanceof FleetError) return error;
  }
  throw new Error("the input was accepted");
}

const messageFor = (schema: z.ZodType, value: unknown) => errorOf(z.strictObject({ at: schema }), { at: value }).message;

describe("the kind of value given", () => {
  it.each<[unknown, string]>([
    [[1, 2], "a list of 2"],
    [new Date(0), "a Date"],
    ["", "an empty string"],
    ["xy", "a string of 2 characters"],
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "infinity"],
    [2, "a whole number"],
    [2.5, "a fractional number"],
    [null, "null"],
    [Symbol("x"), "a symbol"],
    [1n, "a bigint"],
  ])("%o", (value, kind) => {
    expect(messageFor(z.boolean(), value)).toBe(`book: at: must be true or false (given: ${kind})`);
  });
});

describe("the rule that a value breaks", () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.array(z.string()), 5, "must be a list"],
    [z.int(), 1.5, "must be a whole number"],
    [z.number(), "5", "must be a finite number"],
    [z.object({}), 5, "must be an object"],
    [z.string(), 5, "must be a string"],
    [z.enum(["A", "B"]), 5, "must be one of A, B"],
    [z.number().min(2), 1, "must be at least 2"],
    [z.string().min(1), "", "must have at least 1 character"],
    [z.string().max(2), "xyz", "must have at most 2 characters"],
    [z.array(z.int()).max(2), [1, 2, 3], "must have at most 2 entries"],
    [z.record(z.string().regex(/^a/), z.int()), { b: 1 }, "has an invalid name"],
    [z.union([z.string(), z.int(), z.array(z.string())]), true, "must be a string, a finite number or a list"],
    [z.union([z.string().min(2), z.array(z.string())]), "x", "must have at least 2 characters"],
    [z.union([z.string(), z.array(z.string())]), ["a", 5], "each entry must be a string"],
    [z.union([z.string(), z.record(z.string(), z.union([z.string(), z.int()]))]), { b: {} }, "b must be a string or a finite number"],
    [z.string().regex(/^a/, "must start with a"), "b", "must start with a"],
  ])("%#", (schema, value, rule) => {
    expect(messageFor(schema, value)).toMatch(new RegExp(`^book: at(\\.b)?: ${rule} \\(given: `));
  });

  it("that is absent", () => {
    expect(errorOf(z.strictObject({ at: z.string() }), {}).message).toBe("book: at: is required: must be a string");
    expect(errorOf(z.strictObject({ at: z.object({ x: z.boolean() }) }), { at: {} }).message).toBe(
      "book: at.x: is required: must be true or false",
    );
  });
});

describe("a misspelt field", () => {
  const names = ["vehicleId", "parentId", "abc", "pageSize", "page-size", "notes"];
  const shape = Object.fromEntries(names.map((name) => [name, z.string()]));
  it.each([
    ["VEHICLEID", "vehicleId"],
    ["vehicle_id", "vehicleId"],
    ["vehiicleId", "vehicleId"],
    ["vehicleIdentifier", "vehicleId"],
    ["vehi", "vehicleId"],
    ["abcdefg", undefined],
    ["note", "notes"],
    ["vexxcleId", undefined],
    ["hicleId", undefined],
  ])("%s: suggests %s", (name, field) => {
    const { message } = errorOf(z.strictObject(shape).partial(), { [name]: 1 });
    expect(message).toBe(`book: ${name}: is not a field of book${field ? `; did you mean ${field}?` : ""}`);
  });

  it("may be one of several fields", () => {
    const { message } = errorOf(z.strictObject({ windowStart: z.string(), windowEnd: z.string() }).partial(), { window: "8-10" });
    expect(message).toBe("book: window: is not a field of book; did you mean windowStart or windowEnd?");
  });

  it("is shown on one line, without control characters", () => {
    expect(errorOf(z.strictObject({}), { "a\n\u200b\tb": 1 }).message).toBe("book: a b: is not a field of book");
  });
});

describe("the input that is sent", () => {
  it("keeps the caller's order at every level, and ends with defaults", () => {
    const schema = z.object({
      a: z.int().default(1),
      b: z.object({ x: z.int().nullable(), y: z.int().optional() }),
      c: z.date().optional(),
      d: z.array(z.int()).optional(),
    });
    const input = { d: [2, 1], c: new Date(0), b: { y: undefined, x: null } };
    const parsed = parseInput(target(schema), { dropped: 1, ...input });
    expect(Object.entries(parsed)).toEqual(Object.entries({ ...input, a: 1 }));
    expect(Object.keys(parsed["b"] as object)).toEqual(["y", "x"]);
    expect(parsed["c"]).toBeInstanceOf(Date);
  });

  it("is empty if none is given", () => {
    expect(parseInput(target(z.strictObject({})))).toEqual({});
  });
});
