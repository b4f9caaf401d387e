import { createFleetClient, FleetError, type FleetErrorCode } from "@fleetwire/core";
import { expect, it } from "vitest";
import { cachedClient } from "../../src/fleet/cached-client.ts";
import { ReadCache } from "../../src/fleet/read-cache.ts";

const client = createFleetClient({
  servers: { base: "http://127.0.0.1:9" },
  customerId: "c42",
  credentials: { clientId: "id", clientSecret: "secret" },
});

/** The records of a list that is streamed, and that fails after these with this code. */
async function* stream(records: readonly string[], code?: FleetErrorCode) {
  yield* records;
  if (code) throw new FleetError(code, "listLivePositions: failed");
}

/** Reads live positions whose stream has these records; read whole, the list is `["whole"]`. */
function read(records: readonly string[], code?: FleetErrorCode): Promise<unknown> {
  const listLivePositions = Object.assign(async () => ["whole"], { iterate: () => stream(records, code) });
  const cache = new ReadCache({ seconds: 0, now: () => 0 });
  const uncached = { ...client, listLivePositions: listLivePositions as unknown as typeof client.listLivePositions };
  return cachedClient(uncached, cache, { maxVehicles: 2, onWrite: () => {} }).listLivePositions();
}

it("a list is streamed, and read whole if the stream breaks", async () => {
  expect(await read(["a", "b"])).toEqual(["a", "b"]);
  expect(await read([])).toEqual([]);
  for (const code of ["network", "timeout"] as const) expect(await read(["a"], code)).toEqual(["whole"]);
});

it("a stream that fails at its beginning, or for another reason, is not repeated", async () => {
  await expect(read([], "network")).rejects.toMatchObject({ code: "network" });
  await expect(read(["a"], "contract")).rejects.toMatchObject({ code: "contract" });
  await expect(read(["a", "b", "c"])).rejects.toMatchObject({ code: "config", message: expect.stringContaining("more than 2 vehicles") });
});
