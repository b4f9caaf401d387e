import { describe, expect, it } from "vitest";
import { FleetView } from "../../src/fleet/fleet-view.ts";
import type { Position } from "../../src/fleet/position.ts";

async function update(view: FleetView, records: Position[], most?: number, changesOnly?: boolean): Promise<string> {
  const { add, end } = view.update(most, changesOnly);
  for (const record of records) add(record);
  await end();
  return idsOf(view.positions);
}

const idsOf = (positions: readonly Position[]) => positions.map(({ assetId, assetName }) => assetId || assetName).join(" ");

const A: Position = {
  assetId: "a",
  assetName: "Truck 1",
  date: "2026-11-20T08:00:00Z",
  driverId: "d1",
  driverName: "Ana",
  locationName: "Yard",
};
const B: Position = { assetId: "b", assetName: "Truck 2", date: "2026-11-20T08:00:00Z", assetGroupId: "g1", assetGroupName: "Lyon" };

describe("a whole list", () => {
  it("keeps the energy and the condition of a vehicle, which a summary shows", async () => {
    const energy = { energyType: "PHEV", fuelType: ["PETROL"], fuelLevelPercentage: 60, electricBatteryLevelPercent: 80 };
    const charging = { electricCharging: true, electricChargingTimeRemainingMins: 40 };
    const condition = { ...energy, ...charging, ignitionStatus: "OFF", activeFaultCodes: ["P0420"] };
    const view = new FleetView();
    await update(view, [{ ...A, ...condition }]);
    expect(view.positions).toMatchObject([condition]);
  });

  it("replaces the one before", async () => {
    const view = new FleetView();
    expect(await update(view, [A, B])).toBe("a b");
    const before = view.positions[0];
    expect(await update(view, [{ ...A }, { assetId: "c" }])).toBe("a c");
    expect(view.positions[0]).toBe(before);
    expect([view.vehicles.get("b"), view.vehicles.hasWord("2")]).toEqual([undefined, false]);
    await update(view, [{ ...A, assetName: "Crane" }]);
    expect([view.positions[0]?.assetName, view.vehicles.hasWord("crane"), view.vehicles.hasWord("truck")]).toEqual(["Crane", true, false]);
  });

  it("may contain a vehicle twice, of which the later report counts, and several without an id", async () => {
    const view = new FleetView();
    const later = { ...A, assetName: "Later", date: "2026-11-20T09:00:00Z" };
    await update(view, [A, later, B]);
    expect(view.positions.map(({ assetName }) => assetName)).toEqual(["Later", "Truck 2"]);
    await update(view, [later, A, { assetName: "x" }, { assetName: "y" }]);
    expect(view.positions.map(({ assetName }) => assetName)).toEqual(["Later", "x", "y"]);
    await update(view, [{ ...A, assetName: "Same" }]);
    await update(view, [A, { ...A, assetName: "Same" }]);
    expect(view.positions[0]?.assetName).toBe("Truck 1");
  });

  it("replaces a vehicle if a list in it differs", async () => {
    const view = new FleetView();
    await update(view, [{ ...A, activeFaultCodes: ["P1", "P2"] }]);
    const [before] = view.positions;
    await update(view, [{ ...A, activeFaultCodes: ["P1", "P2"] }]);
    expect(view.positions[0]).toBe(before);
    for (const activeFaultCodes of [["P1", "P3"], ["P1"], undefined, []]) {
      await update(view, [{ ...A, ...(activeFaultCodes && { activeFaultCodes }) }]);
      expect(view.positions[0]?.activeFaultCodes).toEqual(activeFaultCodes);
    }
  });

  it("may not be larger than allowed, counting each vehicle once", async () => {
    expect(await update(new FleetView(), [A, A, B], 2)).toBe("a b");
    await expect(update(new FleetView(), [A, B], 1)).rejects.toMatchObject({
      code: "config",
      message: "the fleet has more than 1 vehicles, the most that is held in memory",
    });
  });
});

describe("a list of changes", () => {
  it("keeps the other vehicles, and ignores those without an id", async () => {
    const view = new FleetView();
    await update(view, [A, B], 3);
    expect(await update(view, [{ ...B, assetName: "Crane" }, { assetName: "x" }, { assetId: "c" }], 3, true)).toBe("a b c");
    expect(view.positions[1]?.assetName).toBe("Crane");
    await expect(update(view, [{ assetId: "d" }], 3, true)).rejects.toMatchObject({ code: "config" });
  });
});

describe("a result is computed once", () => {
  it("until the next list, unless it failed", async () => {
    const view = new FleetView();
    let count = 0;
    const compute = async () => ++count;
    expect([await view.once("x", compute), await view.once("x", compute), await view.once("y", compute)]).toEqual([1, 1, 2]);
    await update(view, [A]);
    expect(await view.once("x", compute)).toBe(3);
    await expect(view.once("z", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await view.once("z", compute)).toBe(4);
  });

  it("as are indexes, which follow the list", async () => {
    const view = new FleetView();
    await update(view, [A, B, { assetName: "x" }, { assetName: "y" }]);
    const drivers = await view.drivers();
    const keysOf = async () => [
      [...(await view.drivers()).keyed()].map(([key]) => key),
      [...(await view.groups()).keyed()].map(([key]) => key),
      [...(await view.locations()).keyed()].map(([key]) => key),
      [...(await view.vehiclesAndLocations()).keyed()].map(([key]) => key),
    ];
    const all = ["location Yard", "vehicle a", "vehicle b", "vehicle 0", "vehicle 1"];
    expect(await keysOf()).toEqual([["d1"], ["g1"], ["Yard"], all]);
    await update(view, [B]);
    expect(await keysOf()).toEqual([[], ["g1"], [], ["vehicle b"]]);
    expect(await view.drivers()).toBe(drivers);
  });
});
