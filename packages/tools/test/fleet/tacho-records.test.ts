import { expect, it } from "vitest";
import { recordsByDriver } from "../../src/fleet/tacho-records.ts";

const [OLD, NEW, OTHER] = ["DF000000000001" + "00", "DF000000000001" + "01", "DF000000000002" + "00"];

/** The records as the numbers of the entries that each has. */
const joined = (...entries: [driverId: string | undefined, driverKey: string | undefined][]) =>
  recordsByDriver(
    entries.map(([driverId, driverKey], at) => ({
      ...(driverId && { driverId }),
      ...(driverKey && { driverKey }),
      activities: [{ distance: at }],
    })),
  ).map(({ activities }) => activities.map(({ distance }) => distance).join(" "));

it.each<[why: string, entries: Parameters<typeof joined>, records: string[]]>([
  [
    "the same id",
    [
      ["d1", OLD],
      ["d2", OTHER],
      ["d1", undefined],
    ],
    ["0 2", "1"],
  ],
  [
    "the same id and another card",
    [
      ["d1", OLD],
      ["d1", OTHER],
    ],
    ["0 1"],
  ],
  [
    "a renewed card",
    [
      [undefined, OLD],
      [undefined, NEW],
      [undefined, OTHER],
    ],
    ["0 1", "2"],
  ],
  [
    "nothing, if their ids differ,",
    [
      ["d1", OLD],
      ["d2", NEW],
    ],
    ["0", "1"],
  ],
  [
    "an entry that connects two others",
    [
      ["d1", OTHER],
      [undefined, OLD],
      ["d1", NEW],
    ],
    ["0 1 2"],
  ],
  [
    "keys that are no full ones, if equal",
    [
      [undefined, "k1"],
      [undefined, "k2"],
      [undefined, "k1"],
    ],
    ["0 2", "1"],
  ],
  [
    "neither id nor key",
    [
      [undefined, undefined],
      ["d1", undefined],
      [undefined, undefined],
    ],
    ["0 2", "1"],
  ],
])("entries are of one driver by %s", (_, entries, records) => expect(joined(...entries)).toEqual(records));

it("a record has the id and all keys, and leaves the entries unchanged", () => {
  const entries = [{ driverKey: OLD, activities: [{ activity: "A" }] }, { driverId: "d1", driverKey: NEW }, { driverId: "d1" }];
  expect(recordsByDriver(entries)).toEqual([
    { driverId: "d1", driverKey: OLD, driverKeys: [OLD, NEW], lacksKey: true, activities: [{ activity: "A" }] },
  ]);
  expect(entries[0]?.activities).toHaveLength(1);
});
