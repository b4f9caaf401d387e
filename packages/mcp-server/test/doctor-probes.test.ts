import { createFleetClient, defineOperation, fleetConfigFromEnv, Identifier, type Operation, operations } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { probeInputs } from "../src/cli/diagnose.ts";

const NOW = new Date("2026-11-20T10:30:00Z");

const listTrips: Operation = defineOperation({
  name: "listTrips",
  summary: "List the trips of a vehicle",
  source: "our own notes",
  method: "GET",
  path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips",
  servers: ["base"],
  auth: ["basic"],
  params: { vehicleId: Identifier },
  output: z.unknown(),
  effect: "read",
  probe: ({ vehicleId }) => (vehicleId === undefined ? undefined : { vehicleId }),
});

function examine(fetch?: typeof globalThis.fetch) {
  const sandbox = createSandbox({ vehicles: 3, clock: () => NOW.getTime() });
  const asked: string[] = [];
  const fleet = createFleetClient({
    ...fleetConfigFromEnv(sandbox.env),
    fetch: async (url, init) => {
      asked.push(new URL(String(url)).pathname);
      return (fetch ?? sandbox.fetch)(url as string, init);
    },
  });
  return { inputOf: probeInputs(fleet, NOW), fleet, asked };
}

describe("doctor's requests", () => {
  it("use an id from the live positions, which are read once and only if needed", async () => {
    const { inputOf, fleet, asked } = examine();
    for (const operation of Object.values<Operation>(operations)) await inputOf(operation);
    expect(asked).toEqual([]);
    const input = await inputOf(listTrips);
    await inputOf({ ...listTrips, probe: ({ driverId }) => (driverId === undefined ? undefined : { driverId }) });
    expect(asked).toHaveLength(1);
    const ids = (await fleet.listLivePositions()).map(({ assetId }) => assetId);
    expect(ids).toContain((input as { vehicleId: string }).vehicleId);
  });

  it("are skipped without live positions, or if an operation writes", async () => {
    const { inputOf } = examine(async () => new Response("", { status: 503 }));
    expect(await inputOf(listTrips)).toBeUndefined();
    expect(await inputOf(operations.createJob)).toBeUndefined();
  });
});
