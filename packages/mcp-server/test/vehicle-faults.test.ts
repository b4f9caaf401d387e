import { describe, expect, it } from "vitest";
import { faultPages } from "../../tools/test/fleet-service.ts";
import { errorOf, serverUnderTest, textOf } from "./server-under-test.ts";

const faults = [{ code: "P0117" }];

describe("list_vehicle_faults", () => {
  it("never returns all faults for a vehicle without an id", async () => {
    const { call, service } = await serverUnderTest({
      script: { listLivePositions: () => ({ body: [{ assetName: "Lorry 8" }] }), ...faultPages([{ id: "v1", faults }]) },
    });
    const error = errorOf(await call("list_vehicle_faults", { vehicle: "lorry 8" }));
    expect(error).toMatch(/^input: vehicle: the live positions have no id for “Lorry 8”/);
    expect(service.of("listVehicleFaults")).toEqual([]);
  });

  it("counts vehicles without a fault apart", async () => {
    const { call } = await serverUnderTest({ script: faultPages([{ id: "v1", faults }, { id: "v2" }]) });
    expect(textOf(await call("list_vehicle_faults"))).toBe("1 fault of 1 vehicle. Also listed, without any fault: 1 vehicle.\ncode\nP0117");
  });
});
