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
  it.each<[finding: string, Operation]>([
    ["items.stops.note: does not state what it holds", listTrips({ stops: z.array(z.object({ note: z.string() })) })],
    ["listTrips, query.filter: does not state what it holds", listTrips({}, { filter: z.string() })],
    ["items.privacy: is a flag that fails open", listTrips({ privacy: z.boolean().optional() })],
    ["items.latitude: is withheld, but its record has no guard", listTrips({ privacy: undefined })],
    ["items.privacy: guards no field", listTrips(plain)],
    ["items.startAddress: reveals a place or a journey in a record with a guard", listTrips({ startAddress: text("place") })],
    ["items.driverName: holds label, but its name suggests person", listTrips({ driverName: text("label") })],
    ["items.distance: is in m according to its description", listTrips({ distance: distance.describe("Distance in metres") })],
    ["query.contactEmail: is contact data", listTrips({}, { contactEmail: text("email") })],
    ["query.startDate: takes an instant as a plain string", listTrips({}, { startDate: text("instant") })],
  ])("reports %s", (finding, operation) => {
    expect(fieldFindings(operation).join("\n")).toContain(finding);
  });
});
