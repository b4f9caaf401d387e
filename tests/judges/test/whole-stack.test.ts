import { createFleetClient, type DriftReport, fleetConfigFromEnv, type Operation, type OperationName, operations } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { expect, it, onTestFinished } from "vitest";

it("the client in strict mode calls every operation of the sandbox without drift", async () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const drift: DriftReport[] = [];
  const config = fleetConfigFromEnv((await sandbox.listen()).env);
  const fleet = createFleetClient({ ...config, validation: "strict", onDrift: (report) => drift.push(report) });

  const positions = await fleet.listLivePositions();
  expect(positions.map(({ assetName }) => assetName)).toEqual(expect.arrayContaining(["Truck 1", "Truck 121", "Van 15"]));
  const { assetId: vehicleId = "", driverId = "", assetGroupId: groupId = "" } = positions.find(({ driverId }) => driverId) ?? {};
  expect(await fleet.listLivePositions({ vehicleIds: [vehicleId] })).toMatchObject([{ assetId: vehicleId }]);

  const faults = new Set<string | undefined>();
  for await (const { id } of fleet.listVehicleFaults.iterate({ pageSize: 10 })) faults.add(id);
  expect(faults.size).toBe((await fleet.listVehicleFaults()).pagination?.totalItems);

  const { job } = await fleet.createJob({
    address: "Quai Perrache 10, Lyon",
    vehicleName: "Truck 12",
    scheduledStartDateTime: "2026-11-20T08:30Z",
  });
  expect(job).toMatchObject({ jobNumber: expect.stringMatching(/^FW-/), vehicleName: "Truck 12" });
  expect(JSON.stringify(await fleet.listJobs())).toContain(job?.jobNumber);
  expect(await fleet.updateGroup({ id: groupId, name: "Renamed" })).toMatchObject({ id: groupId, name: "Renamed" });
  expect(await fleet.requestAccessToken()).toMatchObject({ success: true, token_type: "bearer" });

  const called = new Set<string>(["createJob", "updateGroup", "requestAccessToken"]);
  for (const { name, probe } of Object.values<Operation>(operations)) {
    const input = probe?.({ now: new Date(), vehicleId, driverId, groupId });
    if (input === undefined) continue;
    called.add(name);
    await (fleet[name as OperationName] as (input: unknown) => Promise<unknown>)(input);
  }
  expect([...called].toSorted()).toEqual(Object.keys(operations).toSorted());
  expect(drift).toEqual([]);
});
