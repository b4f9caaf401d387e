import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, fieldMetadata, Identifier, type Operation, operations } from "../src/index.ts";
import { measure, text, withheld } from "../src/schemas/field-metadata.ts";
import { upTo } from "../src/schemas/field-privacy.ts";
import { Count, DateTime, Double, GuardingFlag, Latitude, UtcInstant } from "../src/schemas/scalars.ts";
import { fieldFindings } from "./field-check.ts";

it.each(Object.values<Operation>(operations).map((operation) => [operation.name, operation] as const))(
  "%s: every field states its kind, its unit and its guard",
  (_, operation) => {
    expect(fieldFindings(operation)).toEqual([]);
  },
);

const distance = measure(Double, upTo(50_000), "km").describe("Distance in km");

/** Fields of a trip, some replaced or omitted. */
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
  it("finds nothing in a complete operation", () => {
    expect(fieldFindings(listTrips())).toEqual([]);
    // Unlike the others, this one states why.
    const shown = z.string().register(fieldMetadata, { holds: "place", shown: "the customer's own depot" });
    expect(fieldFindings(listTrips({ depotAddress: shown }))).toEqual([]);
  });

  const plain = { startAddress: undefined, latitude: undefined, maxSpeed: undefined };
  it.each<[string, Operation, string]>([
    ["a string without metadata", listTrips({ purpose: z.string().optional() }), "items.purpose: does not state what it holds"],
    ["a list of such strings", listTrips({ tags: z.array(z.string()) }), "items.tags: does not state what it holds"],
    ["such a string at a deeper level", listTrips({ stops: z.array(z.object({ note: z.string() })) }), "items.stops.note: does not state"],
    ["a number without metadata", listTrips({ fuel: z.number() }), "items.fuel: does not state what it holds"],
    ["such a string in the query", listTrips({}, { filter: z.string() }), "listTrips, query.filter: does not state what it holds"],
    ["such a string in the path", listTrips({}, {}, { vehicleId: z.string() }), "listTrips, path.vehicleId: does not state what it holds"],
    ["a plain privacy flag", listTrips({ privacy: z.boolean().optional() }), "items.privacy: is a flag that fails open"],
    ["its fields without a guard", listTrips({ privacy: undefined }), "items.latitude: is withheld, but its record has no guard"],
    ["a privacy flag that withholds nothing", listTrips(plain), "items.privacy: guards no field"],
    [
      "an address that is not withheld",
      listTrips({ startAddress: text("place") }),
      "items.startAddress: reveals a place or a journey in a record",
    ],
    [
      "a coordinate that is not withheld",
      listTrips({ latitude: Latitude }),
      "items.latitude: reveals a place or a journey in a record with a guard",
    ],
    [
      "a speed that is not withheld",
      listTrips({ maxSpeed: measure(Double, upTo(9), "km/h") }),
      "items.maxSpeed: reveals a place or a journey",
    ],
    ["one at a deeper level", listTrips({ end: z.object({ latitude: Latitude }) }), "items.end.latitude: reveals a place or a journey in"],
    [
      "an address that passes for a label",
      listTrips({ startAddress: text("label") }),
      "items.startAddress: holds label, but its name suggests place",
    ],
    [
      "a driver's name that passes for a label",
      listTrips({ driverName: text("label") }),
      "items.driverName: holds label, but its name suggests person",
    ],
    [
      "a driver's name declared as another kind",
      listTrips({ driverName: text("name") }),
      "items.driverName: holds name, but its name suggests person",
    ],
    ["a driver's name without metadata", listTrips({ driverName: z.string() }), "items.driverName: does not state what it holds"],
    [
      "a unit in the description alone",
      listTrips({ distance: measure(Double, upTo(9)).describe("Distance in km") }),
      "items.distance: is in km",
    ],
    [
      "a unit that differs from the description",
      listTrips({ distance: distance.describe("Distance in metres") }),
      "items.distance: is in m according to its description",
    ],
    [
      "a unit that the description denies",
      listTrips({ distance: distance.describe("Distance; unit not stated") }),
      "items.distance: states the unit km",
    ],
    ["a contact that errors would repeat", listTrips({}, { contactEmail: text("email") }), "query.contactEmail: is contact data"],
    ["an instant without metadata", listTrips({}, { startDate: z.string() }), "listTrips, query.startDate: does not state what it holds"],
    ["an instant as a plain string", listTrips({}, { startDate: text("instant") }), "query.startDate: takes an instant as a plain string"],
    ["one declared as text", listTrips({}, { startDate: text("text") }), "query.startDate: holds text, but its name suggests instant"],
  ])("reports %s", (_, operation, finding) => {
    const findings = fieldFindings(operation);
    expect(findings.join("\n")).toContain(finding);
    for (const each of findings) expect(each).toMatch(/, in packages\/core\/src\/operations\/list-trips\.ts$/);
  });

  it("reports the file of a named shape", () => {
    const Position = z.object({ road: z.string() }).meta({ id: "LivePosition" });
    expect(fieldFindings({ ...listTrips(), output: z.array(Position) })).toEqual([
      expect.stringMatching(/^LivePosition\.road: .* in packages\/core\/src\/schemas\/live-position\.ts$/),
    ]);
  });
});
