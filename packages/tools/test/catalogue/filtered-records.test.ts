import { describe, expect, it } from "vitest";
import { filteredRecords } from "../../src/query/filtered-records.ts";
import type { NamedValue } from "../../src/query/named-entities.ts";

const NOUN = ["trip", "trips"] as const;

const RECORDS = [
  { id: 0, vehicle: "AB 12", startTime: "2026-11-19T08:00:00Z" },
  { id: 1, vehicle: "CD 34", startTime: "2026-11-20T08:00:00Z", driver: "Truck 1" },
  { id: 2, vehicle: "AB-12", startTime: null },
];

const named = (called: string[], vehicles: NamedValue["vehicles"] = []): NamedValue => ({
  id: undefined,
  label: "",
  called,
  vehicles,
  isSold: false,
});
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
    ["by a period", { span: DAY }, [1], ["Period matched on startTime; 1 trip without a readable one left out."]],
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
    [
      "by a number, only in fields that may name a vehicle",
      { named: { vehicle: [named(["200"])] } },
      [],
      ["No field of the trips has this vehicle’s id or name."],
    ],
    ["by an unknown vehicle, then no period", { named: { vehicle: [named(["x"])] }, span: DAY }, [], [expect.stringContaining("No field")]],
  ])("%s", (_, inputs, ids, notes) => expect(filtered(inputs)).toEqual([ids, notes]));

  it("by a vehicle that is called a number, which other fields may have too", () => {
    const jobs = [
      { id: 0, vehicleName: "200", jobRadius: 60 },
      { id: 1, vehicle: { id: 60 }, jobRadius: 200 },
      { id: 2, personName: "Jo", jobNumber: "60" },
    ];
    expect(filtered({ named: { vehicle: [named(["200"])] } }, jobs)).toEqual([[0], ["Matched on vehicleName."]]);
    expect(filtered({ named: { vehicle: [named(["60"])] } }, jobs)).toEqual([[1], ["Matched on vehicle.id."]]);
  });

  it("by a period, which counts dates that cannot be read", () => {
    const jobs = ["2026-11-20T08:00:00Z", "2026-11-12 (day or month first)", undefined].map((date, id) => ({ id, date }));
    expect(filtered({ span: DAY }, jobs)).toEqual([[0], ["Period matched on date; 2 trips without a readable one left out."]]);
  });

  it("unless there are none, or none has a time", () => {
    expect(filtered({ named: { vehicle: [named(["x"])] }, span: DAY }, [])).toEqual([[], []]);
    expect(filtered({ span: DAY }, [{ id: 7 }])).toEqual([[], ["No field of the trips has a date or time."]]);
  });
});
