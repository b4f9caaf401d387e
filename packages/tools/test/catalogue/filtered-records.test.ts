import { describe, expect, it } from "vitest";
import { filteredRecords } from "../../src/catalogue/filtered-records.ts";
import type { NamedValue } from "../../src/catalogue/named-entities.ts";

const NOUN = ["trip", "trips"] as const;

const RECORDS = [
  { id: 0, vehicle: "AB 12", startTime: "2026-11-19T08:00:00Z" },
  { id: 1, vehicle: "CD 34", startTime: "2026-11-20T08:00:00Z", driver: "Truck 1" },
  { id: 2, vehicle: "AB-12", startTime: null },
];

const named = (called: string[], vehicles: NamedValue["vehicles"] = []): NamedValue => ({ id: undefined, label: "", called, vehicles });
const DAY = { start: Date.UTC(2026, 10, 20), end: Date.UTC(2026, 10, 21) };

type Inputs = Parameters<typeof filteredRecords>[1];

function filtered(inputs: Partial<Inputs>, records: readonly Record<string, unknown>[] = RECORDS) {
  const { records: kept, notes } = filteredRecords(records, { named: {}, ...inputs } as Inputs, NOUN);
  return [kept.map(({ id }) => id), notes];
}

describe("undocumented records are filtered", () => {
  it.each<[why: string, inputs: object, ids: number[], notes: string[]]>([
    ["by nothing", {}, [0, 1, 2], []],
    ["by a vehicle", { named: { vehicle: [named(["ab12"])] } }, [0, 2], ["Matched on vehicle."]],
    [
      "by a vehicle, not in a field of drivers",
      { named: { vehicle: [named(["truck 1"])] } },
      [],
      ["No field of the trips has this vehicle’s id or name."],
    ],
    ["by a driver", { named: { driver: [named(["truck 1"])] } }, [1], ["Matched on driver."]],
    [
      "by the vehicle of a driver",
      { named: { driver: [named(["Ana"], [{ assetId: "x", assetRegistration: "CD34" }])] } },
      [1],
      ["No trips name the driver; matched the vehicle they drive now, on vehicle."],
    ],
    [
      "by the vehicle's name",
      { named: { driver: [named(["Ana"], [{ assetName: "AB 12" }])] } },
      [0, 2],
      [expect.stringContaining("on vehicle.")],
    ],
    [
      "by the vehicle's id",
      { named: { driver: [named(["Ana"], [{ assetId: "AB 12" }])] } },
      [0, 2],
      [expect.stringContaining("on vehicle.")],
    ],
    ["by a period", { span: DAY }, [1], ["Period matched on startTime; 1 trip without it left out."]],
    [
      "by a vehicle and a period",
      { named: { vehicle: [named(["cd34"])] }, span: DAY },
      [1],
      ["Matched on vehicle.", "Period matched on startTime."],
    ],
    [
      "by two entities",
      { named: { vehicle: [named(["cd34"])], driver: [named(["truck 1"])] } },
      [1],
      ["Matched on vehicle.", "Matched on driver."],
    ],
    ["by an unknown vehicle, then no period", { named: { vehicle: [named(["x"])] }, span: DAY }, [], [expect.stringContaining("No field")]],
  ])("%s", (_, inputs, ids, notes) => expect(filtered(inputs)).toEqual([ids, notes]));

  it("unless there are none, or none has a time", () => {
    expect(filtered({ named: { vehicle: [named(["x"])] }, span: DAY }, [])).toEqual([[], []]);
    expect(filtered({ span: DAY }, [{ id: 7 }])).toEqual([[], ["No field of the trips has a date or time."]]);
  });
});
