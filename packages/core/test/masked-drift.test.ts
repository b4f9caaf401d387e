import { describe, expect, it } from "vitest";
import { maskedDrift, operations } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";

describe("drift for logs and messages", () => {
  it.each<[string, keyof typeof operations, string, string]>([
    ["a documented field", "listLivePositions", "$[*].speed", "$[*].speed"],
    ["a nested documented field", "listVehicleFaults", "$.items[*].faults[*].details.fmi", "$.items[*].faults[*].details.fmi"],
    ["a record", "listLivePositions", "$[*]", "$[*]"],
    ["a name", "listLivePositions", "$[*].Jane Doe", "$[*].(undocumented)"],
    ["a name like those of fields", "listLivePositions", "$[*].janeDoe", "$[*].(undocumented)"],
    ["a name with dots", "listVehicleFaults", "$.items[*].Jane.Doe", "$.items[*].(undocumented)"],
    ["a name that starts like a field", "listLivePositions", "$[*].date.Jane", "$[*].date.(undocumented)"],
    ["a name of brackets", "listVehicleFaults", "$.items[*][*].Jane", "$.items[*].(undocumented)"],
    ["a name from JavaScript", "listLivePositions", "$[*].constructor", "$[*].(undocumented)"],
    ["no path at all", "listLivePositions", "Jane", "(undocumented)"],
    ["a field of an operation without a schema", "listJobs", "$.jobs[*].Jane", "$.(undocumented)"],
  ])("shows %s", (_, operation, path, shown) => {
    expect(maskedDrift(operations[operation], [{ path, kind: "unknown field", count: 2 }])).toEqual([
      { path: shown, kind: "unknown field", count: 2 },
    ]);
  });

  it("counts the undocumented fields of one place together", () => {
    const drift = ["Jane", "John"].map((name) => ({ path: `$[*].${name}`, kind: "unknown field" as const, count: 3 }));
    expect(maskedDrift(operations.listLivePositions, drift)).toEqual([{ path: "$[*].(undocumented)", kind: "unknown field", count: 6 }]);
  });
});

it("strict validation masks the names of unknown fields, and the hook does not", async () => {
  const { fleet, drift } = await fleetUnderTest({
    api: [{ body: [{ assetId: "v1", "Jane Doe 0177 1234567": 1, speed: "fast" }] }],
    validation: "strict",
  });
  const error = await failure(fleet.listLivePositions());
  expect(error.message).toBe(
    "listLivePositions: the response differs from the contract: $[*].(undocumented) unknown field (1), $[*].speed wrong type (1)",
  );
  expect(drift[0]?.drift.map(({ path }) => path)).toContain("$[*].Jane Doe 0177 1234567");
});
