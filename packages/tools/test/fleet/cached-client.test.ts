import { createFleetClient, FleetError, type FleetErrorCode } from "@fleetwire/core";
import { expect, it } from "vitest";
import { cachedClient } from "../../src/fleet/cached-client.ts";
import { ReadCache } from "../../src/fleet/read-cache.ts";

const client = createFleetClient({
  servers: { base: "http://127.0.0.1:9" },
  customerId: "c42",
  credentials: { clientId: "id", clientSecret: "secret" },
});

interface Failure {
  code: FleetErrorCode;
  /** That of the response, if it had begun. */
  status?: number;
}

/** The records of a list that is streamed, and that fails after these. */
async function* stream(records: readonly string[], failure?: Failure) {
  yield* records;
  if (failure) throw new FleetError(failure.code, "listLivePositions: failed", failure);
}

/** Reads live positions whose stream has these records; read whole, the list is `["whole"]`. */
function read(records: readonly string[], failure?: Failure): Promise<unknown> {
  const listLivePositions = Object.assign(async () => ["whole"], { iterate: () => stream(records, failure) });
  const cache = new ReadCache({ seconds: 0, now: () => 0 });
  const uncached = { ...client, listLivePositions: listLivePositions as unknown as typeof client.listLivePositions };
  return cachedClient(uncached, cache, { maxVehicles: 2, onWrite: () => {} }).listLivePositions();
}

it("a list is streamed, and read whole if the stream breaks", async () => {
  expect(await read(["a", "b"])).toEqual(["a", "b"]);
  expect(await read([])).toEqual([]);
  for (const code of ["network", "timeout"] as const) {
    expect(await read(["a"], { code, status: 200 })).toEqual(["whole"]);
    expect(await read([], { code, status: 200 })).toEqual(["whole"]);
  }
});

it("a write drops what was read before and during it, and says so", async () => {
  const asked: string[] = [];
  const listJobs = async () => asked.push("read");
  const updateGroup = async () => {
    asked.push("write");
    await cached.listJobs();
  };
  const cache = new ReadCache({ seconds: 60, now: () => 0 });
  const uncached = { ...client, ...({ listJobs, updateGroup } as unknown as Pick<typeof client, "listJobs" | "updateGroup">) };
  const onWrite = () => void asked.push("said");
  const cached = cachedClient(uncached, cache, { maxVehicles: 2, onWrite });
  for (let count = 0; count < 2; count++) await cached.listJobs();
  await cached.updateGroup({ id: "g1", name: "North" });
  await cached.listJobs();
  expect(asked).toEqual(["read", "said", "write", "read", "said", "read"]);
});

it("a stream that fails before its response, or for another reason, is not repeated", async () => {
  await expect(read([], { code: "network" })).rejects.toMatchObject({ code: "network" });
  await expect(read(["a"], { code: "contract", status: 200 })).rejects.toMatchObject({ code: "contract" });
  await expect(read(["a", "b", "c"])).rejects.toMatchObject({ code: "config", message: expect.stringContaining("more than 2 vehicles") });
});
