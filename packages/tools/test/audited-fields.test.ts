import { fieldMetadata, type Operation, operations, type Sensitivity } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { auditedFields } from "../src/writes/audited-fields.ts";

describe("what an audit shows of a write", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      "ids, times and documented words",
      { jobNumber: "J1", vehicleId: "v12", scheduledStartDateTime: "2026-11-20T08:00Z", status: "NEW" },
      {},
    ],
    ["numbers with bounds", { jobRadius: 200 }, {}],
    ["no address or coordinates", { address: "canary-street 10", lat: 45.7, lng: 4.8 }, { address: 1, lat: 1, lng: 1 }],
    [
      "no names",
      { personName: "canary-person", vehicleName: "Truck 12", groupName: "North" },
      { personName: 1, vehicleName: 1, groupName: 1 },
    ],
    ["no notes or contacts", { notes: "canary-note", contactPhone: "canary-phone" }, { notes: 1, contactPhone: 1 }],
    ["no undocumented field", { more: "canary-more" }, { more: 1 }],
  ])("%s", (_, input, withheld) => {
    const expected = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, name in withheld ? "(withheld)" : value]));
    expect(auditedFields(operations.createJob, input)).toEqual(expected);
  });

  it("cuts long values", () => {
    expect(String(auditedFields(operations.createJob, { jobNumber: "J".repeat(500) })["jobNumber"]).length).toBeLessThan(70);
    expect(auditedFields(operations.updateGroup, { id: "north", vehicleIds: ["v1", "v2"], name: "North" })).toEqual({
      id: "north",
      vehicleIds: ["v1", "v2"],
      name: "(withheld)",
    });
  });

  it.each<[Sensitivity, boolean]>([
    ...(["id", "flag", "instant", "duration", "country", "language", "make", "faultCode", "fileType", "field", "label"] as const).map(
      (kind): [Sensitivity, boolean] => [kind, true],
    ),
    ...(["person", "place", "name", "text"] as const).map((kind): [Sensitivity, boolean] => [kind, false]),
  ])("is decided by what a field holds: %s", (holds, isShown) => {
    const operation: Operation = { ...operations.createJob, body: { field: z.string().register(fieldMetadata, { holds }) } };
    expect(auditedFields(operation, { field: "value" })).toEqual({ field: isShown ? "value" : "(withheld)" });
  });
});
