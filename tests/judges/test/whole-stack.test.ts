import {
  createFleetClient,
  type DriftReport,
  type FleetClient,
  fleetConfigFromEnv,
  type Operation,
  type OperationName,
  operations,
} from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const sandbox = createSandbox();
const drift: DriftReport[] = [];
const called = new Set<OperationName>();
let fleet: FleetClient;

beforeAll(async () => {
  await sandbox.listen();
  const config = fleetConfigFromEnv(sandbox.env);
  const client = createFleetClient({ ...config, validation: "strict", onDrift: (report) => drift.push(report) });
  const watched = (Object.entries(client) as [OperationName, (...call: unknown[]) => unknown][]).map(([name, method]) => {
    const recorded = (...call: unknown[]) => {
      called.add(name);
      return method(...call);
    };
    return [name, recorded];
  });
  fleet = Object.fromEntries(watched) as FleetClient;
});

afterAll(() => sandbox.close());

describe("the client in strict mode over the sandbox", () => {
  it("requestAccessToken", async () => {
    expect(await fleet.requestAccessToken()).toMatchObject({
      success: true,
      token_type: "bearer",
      accessToken: expect.any(String),
      expires_in: expect.any(Number),
    });
  });

  it("listLivePositions, unfiltered and filtered", async () => {
    const all = await fleet.listLivePositions();
    expect(all.map(({ assetName }) => assetName)).toEqual(
      expect.arrayContaining(["Truck 1", "Truck 20", "Truck 112", "Truck 121", "Van 1", "Van 15"]),
    );
    const [first, second] = all;
    const two = await fleet.listLivePositions({ vehicleIds: [first?.assetId ?? "", second?.assetId ?? ""] });
    expect(two.map(({ assetId }) => assetId).toSorted()).toEqual([first?.assetId, second?.assetId].toSorted());
    expect((await fleet.listLivePositions({ showAllVehicleStatus: true })).length).toBeGreaterThanOrEqual(50);
  });

  it("listVehicleFaults, page by page", async () => {
    const first = await fleet.listVehicleFaults({ pageSize: 10, pageIndex: 0 });
    const { totalPages = 0, totalItems } = first.pagination ?? {};
    const ids = new Set<string | undefined>();
    for (let pageIndex = 0; pageIndex < totalPages; pageIndex++) {
      const { items = [] } = await fleet.listVehicleFaults({ pageSize: 10, pageIndex });
      for (const { id } of items) ids.add(id);
    }
    expect(ids.size).toBe(totalItems);
  });

  it("createJob, which shows in listJobs", async () => {
    const { job } = await fleet.createJob({
      address: "Quai Perrache 10, 69002 Lyon, France",
      vehicleName: "Truck 12",
      scheduledStartDateTime: "2026-11-20T08:30Z",
    });
    expect(job).toMatchObject({ jobNumber: expect.stringMatching(/^FW-/), vehicleName: "Truck 12" });
    expect(JSON.stringify(await fleet.listJobs())).toContain(job?.jobNumber);
  });

  it("queryTachoActivity", async () => {
    const now = Date.now();
    const { count, data } = await fleet.queryTachoActivity({ startTime: new Date(now - 2 * 86_400_000), endTime: new Date(now), limit: 5 });
    expect(data).toHaveLength(5);
    expect(count).toBeGreaterThan(5);
  });

  it("listTireEvents", async () => {
    expect(JSON.stringify(await fleet.listTireEvents()).length).toBeGreaterThan(2);
  });

  it("updateGroup", async () => {
    const [{ assetGroupId: id = "" } = {}] = await fleet.listLivePositions();
    expect(await fleet.updateGroup({ id, name: "Renamed" })).toMatchObject({ id, name: "Renamed", path: expect.stringContaining(id) });
  });

  it("the probe of every other read", async () => {
    const [{ assetId: vehicleId = "", driverId = "", assetGroupId: groupId = "" } = {}] = (await fleet.listLivePositions()).filter(
      ({ driverId }) => driverId !== undefined,
    );
    for (const { name, probe } of Object.values<Operation>(operations)) {
      const input = probe?.({ now: new Date(), vehicleId, driverId, groupId });
      if (input !== undefined) await (fleet[name as OperationName] as (input: unknown) => Promise<unknown>)(input);
    }
  });

  it("calls every operation without drift", () => {
    expect([...called].toSorted()).toEqual((Object.keys(operations) as OperationName[]).toSorted());
    expect(drift).toEqual([]);
  });
});
