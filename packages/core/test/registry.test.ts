import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, fieldMetadata, Identifier, type Operation, operations } from "../src/index.ts";
import { measure, text, withheld } from "../src/schemas/field-metadata.ts";
import { upTo } from "../src/schemas/field-privacy.ts";
import { Count, DateTime, Double, GuardingFlag, Latitude, UtcInstant } from "../src/schemas/scalars.ts";
import { fieldFindings } from "./field-check.ts";

it.each(Object.values<Operation>(operations).map((operation) => [operation.name, operation] as const))(
  "%s: every field says what it holds, its unit, and what guards it",
  (_, operation) => {
    expect(fieldFindings(operation)).toEqual([]);
  },
);

const distance = measure(Double, upTo(50_000), "km").describe("Distance in km");

/** Fields of a trip, some of them replaced or left out. */
function listTrips(
  changes: Record<string, z.ZodType | undefined> = {},
  query: Record<string, z.ZodType> = {},
  params = { vehicleId: Identifier as z.ZodType },
) {
  const fields: Record<string, z.ZodType | undefined> = {
    tripId: text("id"),
    driverName: text("person").optional(),
    startDateTime: DateTime,
    distance,
    maxSpeed: withheld(measure(Double, upTo(500), "km/h")).describe("Highest speed in km/h"),
    startAddress: withheld(text("place")),
    latitude: withheld(Latitude).optional(),
    privacy: GuardingFlag.optional(),
    ...changes,
  };
  const present = Object.entries(fields).filter((entry): entry is [string, z.ZodType] => entry[1] !== undefined);
  return defineOperation({
    name: "listTrips",
    summary: "List the trips of a vehicle",
    source: "a test",
    method: "GET",
    path: "/v1/customer/{customerId}/vehicle/{vehicleId}/trips",
    servers: ["base"],
    auth: ["basic"],
    params,
    query: { startDate: UtcInstant.optional(), pageIndex: Count.optional(), ...query },
    output: z.object({ items: z.array(z.object(Object.fromEntries(present))).optional() }),
    effect: "read",
  }) as unknown as Operation;
}

describe("the check of fields", () => {
  it("finds nothing in an operation that says all", () => {
    expect(fieldFindings(listTrips())).toEqual([]);
    // Unlike the others this one says why.
    const shown = z.string().register(fieldMetadata, { holds: "place", shown: "the customer's own depot" });
    expect(fieldFindings(listTrips({ depotAddress: shown }))).toEqual([]);
  });

  const plain = { startAddress: undefined, latitude: undefined, maxSpeed: undefined };
  it.each<[string, Operation, string]>([
    ["a text that says nothing of itself", listTrips({ purpose: z.string().optional() }), "items.purpose: does not say what it holds"],
    ["a list of such texts", listTrips({ tags: z.array(z.string()) }), "items.tags: does not say what it holds"],
    ["such a text further down", listTrips({ stops: z.array(z.object({ note: z.string() })) }), "items.stops.note: does not say"],
    ["a number that says nothing of itself", listTrips({ fuel: z.number() }), "items.fuel: does not say what it holds"],
    ["such a text in the query", listTrips({}, { filter: z.string() }), "listTrips, query.filter: does not say what it holds"],
    ["such a text in the path", listTrips({}, {}, { vehicleId: z.string() }), "listTrips, path.vehicleId: does not say what it holds"],
    ["a plain privacy flag", listTrips({ privacy: z.boolean().optional() }), "items.privacy: is a flag that falls open"],
    ["its fields without a guard", listTrips({ privacy: undefined }), "items.latitude: is withheld, but no flag of its record guards it"],
    ["a privacy flag that withholds nothing", listTrips(plain), "items.privacy: guards no field"],
    [
      "an address that is not withheld",
      listTrips({ startAddress: text("place") }),
      "items.startAddress: tells a place or a journey beside a flag",
    ],
    [
      "a coordinate that is not withheld",
      listTrips({ latitude: Latitude }),
      "items.latitude: tells a place or a journey beside a flag that guards",
    ],
    [
      "a speed that is not withheld",
      listTrips({ maxSpeed: measure(Double, upTo(9), "km/h") }),
      "items.maxSpeed: tells a place or a journey",
    ],
    [
      "one that stands further down",
      listTrips({ end: z.object({ latitude: Latitude }) }),
      "items.end.latitude: tells a place or a journey beside",
    ],
    [
      "an address that passes for a label",
      listTrips({ startAddress: text("label") }),
      "items.startAddress: holds label while its name says place",
    ],
    [
      "a driver's name that passes for a label",
      listTrips({ driverName: text("label") }),
      "items.driverName: holds label while its name says person",
    ],
    [
      "a driver's name that passes for another",
      listTrips({ driverName: text("name") }),
      "items.driverName: holds name while its name says person",
    ],
    ["a driver's name that says nothing", listTrips({ driverName: z.string() }), "items.driverName: does not say what it holds"],
    [
      "a unit in the description alone",
      listTrips({ distance: measure(Double, upTo(9)).describe("Distance in km") }),
      "items.distance: is in km",
    ],
    [
      "another unit than in the description",
      listTrips({ distance: distance.describe("Distance in metres") }),
      "items.distance: is in m by",
    ],
    [
      "a unit that the description denies",
      listTrips({ distance: distance.describe("Distance; unit not stated") }),
      "items.distance: states the unit km",
    ],
    ["a contact that errors would repeat", listTrips({}, { contactEmail: text("email") }), "query.contactEmail: is somebody's contact"],
    [
      "an instant that says nothing of itself",
      listTrips({}, { startDate: z.string() }),
      "listTrips, query.startDate: does not say what it holds",
    ],
    ["an instant as a bare text", listTrips({}, { startDate: text("instant") }), "query.startDate: takes an instant as a bare text"],
    ["one that passes for a text", listTrips({}, { startDate: text("text") }), "query.startDate: holds text while its name says instant"],
  ])("names %s", (_, operation, finding) => {
    const findings = fieldFindings(operation);
    expect(findings.join("\n")).toContain(finding);
    for (const each of findings) expect(each).toMatch(/, in packages\/core\/src\/operations\/list-trips\.ts$/);
  });

  it("names the file of a shape that has a name", () => {
    const Position = z.object({ road: z.string() }).meta({ id: "LivePosition" });
    expect(fieldFindings({ ...listTrips(), output: z.array(Position) })).toEqual([
      expect.stringMatching(/^LivePosition\.road: .* in packages\/core\/src\/schemas\/live-position\.ts$/),
    ]);
  });
});
