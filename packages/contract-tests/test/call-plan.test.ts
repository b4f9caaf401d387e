import { defineOperation, Identifier, type LivePosition, type Operation, operations } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { callPlanOf } from "../src/deployment/call-plan.ts";

const callPlan = callPlanOf(operations);
const NOW = new Date("2026-11-20T08:30:00Z");

const listStops: Operation = defineOperation({
  name: "listStops",
  summary: "List the stops of a vehicle",
  source: "our own notes",
  method: "GET",
  path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/stops",
  servers: ["base"],
  auth: ["basic"],
  params: { vehicleId: Identifier },
  query: { endDate: z.date().optional(), pageSize: z.int().optional() },
  output: z.unknown(),
  effect: "read",
  probe: ({ now, vehicleId }) => (vehicleId === undefined ? undefined : { vehicleId, endDate: now, pageSize: 1 }),
});

describe("the calls of verify and record", () => {
  it("include every read operation, with writes last", () => {
    const reads = Object.values<Operation>(operations).filter(({ effect }) => effect === "read");
    const called = [...new Set(callPlan.filter(({ writes }) => !writes).map(({ operation }) => operation))];
    expect(called.toSorted()).toEqual(reads.map(({ name }) => name).toSorted());
    expect(called.slice(0, 2)).toEqual(["requestAccessToken", "listLivePositions"]);
    expect(callPlan.findIndex(({ writes }) => writes)).toBe(callPlan.filter(({ writes }) => !writes).length);
    expect(callPlan.every(({ operation, writes }) => (operations[operation].effect !== "read") === (writes ?? false))).toBe(true);
  });

  it("probe a new read operation without further code, with ids from live positions", () => {
    const plan = callPlanOf({ listStops, ...operations });
    expect(plan.filter(({ operation }) => (operation as string) !== "listStops")).toHaveLength(callPlan.length);
    const at = plan.findIndex(({ operation }) => (operation as string) === "listStops");
    expect(at).toBeGreaterThan(plan.findIndex(({ name }) => name === "list-live-positions"));
    expect(plan[at]).toMatchObject({ name: "list-stops", title: "List the stops of a vehicle" });
    const positions: LivePosition[] = [{ assetName: "Truck 1" }, { assetId: "v,1" }, { assetId: "v1" }, { assetId: "v2" }];
    const seen = (positions: LivePosition[]) => new Map([["list-live-positions", positions]]);
    expect(plan[at]?.input(seen(positions), NOW)).toEqual({ vehicleId: "v1", endDate: "2026-11-20T08:30:00.000Z", pageSize: 1 });
    expect(plan[at]?.input(seen([]), NOW)).toBeUndefined();
    expect(plan[at]?.input(new Map(), NOW)).toBeUndefined();
  });
});
