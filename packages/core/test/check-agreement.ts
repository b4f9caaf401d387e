import fc from "fast-check";
import { expect } from "vitest";
import * as z from "zod";
import { createFleetClient, type Drift, defineOperation, FleetError, type Operation, operations } from "../src/index.ts";
import { cannedFetch } from "./canned-fetch.ts";

/** Numbers that survive JSON; odd-bodies.test.ts covers those that do not. */
const number = fc.oneof(fc.integer(), fc.double({ min: -9e15, max: 9e15, noNaN: true }));

/** Any code point, a surrogate too; the unit "binary" of fast-check takes seconds to set up. */
const character = fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point));

// biome-ignore lint/suspicious/noExplicitAny: zod's definitions are a union of some forty shapes
const definitionOf = (schema: z.core.$ZodType): any => schema._zod.def;

/** Generates values of a schema. */
function valuesOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { type, innerType, check, entries, element, shape } = definitionOf(schema);
  switch (type) {
    case "optional":
      return valuesOf(innerType);
    case "string":
      return fc.oneof(fc.string(), fc.string({ unit: character }));
    case "number":
      return check === "number_format" ? fc.maxSafeInteger() : number;
    case "boolean":
      return fc.boolean();
    case "enum":
      return fc.constantFrom(...Object.values(entries as Record<string, string>));
    case "union":
      return fc.maxSafeInteger();
    case "unknown":
      return fc.jsonValue();
    case "array":
      return fc.array(valuesOf(element), { maxLength: 3 });
    case "object": {
      const fields = Object.entries(shape as Record<string, z.core.$ZodType>);
      const requiredKeys = fields.filter(([, field]) => definitionOf(field).type !== "optional").map(([name]) => name);
      return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field)])), { requiredKeys });
    }
    default:
      throw new TypeError(`no values of type ${type}`);
  }
}

type Place = { holder: Record<string, unknown>; key: string };

function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

const oddValue = fc.oneof(fc.jsonValue({ maxDepth: 2 }), number, fc.string(), fc.constantFrom(null, true, "", [], {}));

interface Change {
  at: number;
  value: unknown;
  how: "replace" | "remove" | "add";
}

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({ at: fc.nat(), value: oddValue, how: fc.constantFrom("replace", "replace", "remove", "add") }),
  { maxLength: 4 },
);

/** A value of the schema with random changes at any depth. */
function changed(value: unknown, made: readonly Change[]): unknown {
  const root = { whole: value };
  for (const { at, value: odd, how } of made) {
    const places = placesIn(root);
    const { holder, key } = places[at % places.length] as Place;
    const whole = holder === (root as unknown);
    if (how === "replace" && !(whole && at % 5 > 0)) holder[key] = odd;
    else if (how === "add" && !Array.isArray(holder) && !whole) holder[`new${at % 3}`] = odd;
    else if (how === "remove" && !whole && !Array.isArray(holder)) delete holder[key];
  }
  return JSON.parse(JSON.stringify(root.whole ?? null));
}

/** A value as the client reads it: null is absent, and a string of digits is not an integer on the wire. */
function asRead(schema: z.core.$ZodType, value: unknown): unknown {
  const { type, innerType, element, shape } = definitionOf(schema);
  if (type === "optional") return asRead(innerType, value);
  if (type === "union") return typeof value === "string" ? false : value;
  if (type === "array" && Array.isArray(value)) return value.map((item) => asRead(element, item));
  if (type !== "object" || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([name, inner]) => !(name in shape && inner === null));
  return Object.fromEntries(kept.map(([name, inner]) => [name, name in shape ? asRead(shape[name], inner) : inner]));
}

/** What zod finds wrong, except bounds and patterns, which apply to inputs only (docs/decisions.md). */
function faults(schema: z.core.$ZodType, value: unknown): z.core.$ZodIssue[] {
  const { error } = z.safeParse(schema, value);
  return (error?.issues ?? []).filter(
    (issue) => !(issue.code === "invalid_format" || ((issue.code === "too_big" || issue.code === "too_small") && issue.origin !== "int")),
  );
}

async function check(operation: Operation, value: unknown): Promise<{ mended?: unknown; refused: boolean; drift: Drift[] }> {
  const drift: Drift[] = [];
  const fleet = createFleetClient({
    customerId: "c42",
    credentials: { clientId: "id", clientSecret: "secret" },
    servers: { base: "https://fleet.example.com" },
    fetch: cannedFetch(() => ({ body: JSON.stringify(value) })),
    onDrift: (report) => drift.push(...report.drift),
  });
  try {
    return { mended: await fleet.request(operation, {}), refused: false, drift };
  } catch (error) {
    if (error instanceof FleetError && error.code === "contract") return { refused: true, drift };
    throw error;
  }
}

export const outputs = Object.values<Operation>(operations).map(({ name, output }) => ({ name, output }));

/** Compares the two on random values of a schema, most of them changed. */
export async function compareChecks(output: Operation["output"], runs: number): Promise<void> {
  const operation = defineOperation({
    name: "asked",
    summary: "Read generated values",
    source: "this test",
    method: "GET",
    path: "/made-up",
    servers: ["base"],
    auth: ["basic"],
    output,
    effect: "read",
  });
  let accepted = 0;
  let refused = 0;
  const property = fc.asyncProperty(valuesOf(output), changes, async (valid, made) => {
    const value = changed(valid, made);
    const { mended, refused: whole, drift } = await check(operation, value);
    const found = drift.filter(({ kind }) => kind !== "unknown field");
    const wrong = faults(output, asRead(output, value));
    expect({ wrong: wrong.length > 0 }, JSON.stringify({ wrong, found })).toEqual({ wrong: whole || found.length > 0 });
    if (wrong.length > 0) refused++;
    else accepted++;
    if (whole) return;
    // A repaired value still contains unknown enum values, and still lacks missing fields, on purpose.
    const left = faults(output, mended).filter(({ code, path }) => code !== "invalid_value" && valueAt(mended, path) !== undefined);
    expect(left, JSON.stringify(mended)).toEqual([]);
  });
  await fc.assert(property, { seed: 4, numRuns: runs });
  if (definitionOf(output).type === "unknown") return;
  expect(Math.min(accepted, refused)).toBeGreaterThan(runs / 10);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
