import { fieldMetadata } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { rowColumns } from "../../src/query/row-columns.ts";

const Instant = z.string().meta({ format: "date-time" }).register(fieldMetadata, { holds: "instant" });
const Undocumented = z.string().register(fieldMetadata, { holds: "instant" });
const Degrees = z.number().register(fieldMetadata, { holds: { min: 0, max: 360 }, unit: "degrees" });
const Km = z.number().register(fieldMetadata, { holds: { min: 0, max: 360 }, unit: "km" });
const Place = z.string().register(fieldMetadata, { holds: "place", withheld: true });
const guard = (withholds: boolean) => z.boolean().register(fieldMetadata, { holds: "flag", guard: withholds });

describe("beside a field", () => {
  it.each<[string, z.ZodType, string[]]>([
    ["date", Instant, ["age"]],
    ["startDate", Instant, ["startAge"]],
    ["endDateTime", Instant, ["endAge"]],
    ["time", Instant, ["age"]],
    ["seen", Instant, ["seenAge"]],
    ["heading", Degrees, ["direction"]],
    ["gpsHeading", Degrees, ["gpsDirection"]],
    ["date", Undocumented, []],
    ["odometer", Km, []],
  ])("%s is shown %j", (field, schema, beside) => expect(rowColumns({ [field]: schema }).beside).toEqual(beside));

  it("are added fields in the order of the fields, under names that are not taken", () => {
    const fields = { heading: Degrees, date: Instant, age: z.string(), startDate: Instant };
    expect(rowColumns(fields).beside).toEqual(["direction", "dateAge", "startAge"]);
  });
});

it("columns have units, ages and directions", () => {
  const now = Date.UTC(2026, 10, 20, 9);
  const columns = rowColumns({ date: Instant, seen: Undocumented, heading: Degrees, odometer: Km, name: z.string() }).shown(now);
  expect(columns).toEqual({
    date: { isInstant: true, meaning: { field: "age", of: expect.any(Function) } },
    seen: { isInstant: true },
    heading: { unit: "degrees", meaning: { field: "direction", of: expect.any(Function) } },
    odometer: { unit: "km" },
  });
  expect([columns["date"]?.meaning?.of("2026-11-20T08:56:00Z"), columns["heading"]?.meaning?.of(90)]).toEqual(["4 min ago", "E"]);
});

it.each([
  [
    { privacy: guard(true), place: Place },
    { field: "privacy", withholds: true },
  ],
  [
    { place: Place, isPublic: guard(false) },
    { field: "isPublic", withholds: false },
  ],
  [{ privacy: guard(true) }, undefined],
  [{ place: Place }, undefined],
])("whereabouts are withheld by %#", (fields, expected) => expect(rowColumns(fields).guard).toEqual(expected));
