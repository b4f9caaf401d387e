import { fieldMetadata } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Privacy } from "../src/fleet/privacy.ts";
import { Pseudonyms } from "../src/fleet/pseudonyms.ts";

const SECRET = "somewhere-secret";
const privacy = z.boolean().register(fieldMetadata, { holds: "flag", guard: true });
const Address = z.string().register(fieldMetadata, { holds: "place", withheld: true });

/** Ways to wrap a schema in another one, each with a value that holds a string. */
const WRAPPERS: readonly (readonly [string, z.ZodType, unknown])[] = [
  ["bare", Address, SECRET],
  ["optional, described and refined", Address.describe("Where it ended").min(1).optional(), SECRET],
  ["refined", Address.refine(() => true), SECRET],
  ["nullish, read-only", Address.nullish().readonly(), SECRET],
  ["branded", Address.brand("address"), SECRET],
  ["a list of lists", z.array(z.array(Address)), [[SECRET]]],
  ["a map", z.record(z.string(), Address), { monday: SECRET }],
  ["a tuple", z.tuple([z.number(), Address]), [1, SECRET]],
  ["a tuple's rest", z.tuple([z.number()], Address), [1, SECRET]],
  ["one of several", z.union([z.number(), Address]), SECRET],
  ["an intersection", z.intersection(z.string(), Address), SECRET],
  ["lazy", z.lazy(() => Address), SECRET],
  ["a value that does not match its schema", Address, { text: SECRET }],
];

const masked = (schema: z.ZodType, value: unknown) =>
  JSON.stringify(new Privacy({ privacy: "respect", driverNames: "show" }, new Pseudonyms(undefined)).maskOf(schema).apply(value));

describe("a field withheld on private journeys", () => {
  it.each(WRAPPERS)("is withheld if it is %s", (_, end, value) => {
    const Journey = z.object({ privacy: privacy.optional(), end });
    expect(masked(Journey, { privacy: true, end: value }), "see packages/tools/src/fleet/masking-plan.ts").not.toContain(SECRET);
    expect(masked(Journey, { privacy: false, end: value })).toContain(SECRET);
  });

  it.each([
    ["optional", privacy.optional()],
    ["one of several", z.union([privacy, z.null()])],
    ["lazy", z.lazy(() => privacy)],
  ])("depends on a flag that is %s, and is withheld if the flag is unreadable", (_, flag) => {
    const Journey = z.object({ privacy: flag, end: Address });
    for (const value of [true, "no", 0, {}])
      expect(masked(Journey, { privacy: value, end: SECRET }), "see packages/tools/src/fleet/privacy.ts").not.toContain(SECRET);
    for (const value of [false, null, undefined]) expect(masked(Journey, { privacy: value, end: SECRET })).toContain(SECRET);
  });
});
