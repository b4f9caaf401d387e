import { expect, it } from "vitest";
import { faultPages, servedFleet } from "./served-fleet.ts";

/** The times of two columns of a list, in Berlin, where it is 2026-11-20 10:00. */
async function times(spans: readonly (readonly [start: string, end?: string])[]) {
  const faults = spans.map(([startDate, endDate], at) => ({ code: `P${at}`, startDate, ...(endDate && { endDate }) }));
  const { text } = await servedFleet({
    script: { listLivePositions: () => ({ body: [] }), ...faultPages([{ id: "v1", faults }]) },
    env: { FLEET_TIME_ZONE: "Europe/Berlin" },
    options: { now: () => Date.UTC(2026, 10, 20, 9) },
  });
  const [, columns = "", ...rows] = (await text("list_vehicle_faults")).split("\n");
  const of = (row: string, column: string) => row.split(" | ")[columns.split(" | ").indexOf(column)];
  return new Map(rows.map((row) => [of(row, "code"), [of(row, "startDate"), of(row, "endDate")].filter((one) => one && one !== "-")]));
}

it("a list writes a time in few characters, in the user's zone", async () => {
  const expected: [instant: string, written: string][] = [
    ["2026-11-20T08:56:00Z", "4 min ago"],
    ["2026-11-20T09:00:00Z", "just now"],
    ["2026-11-20T08:00:01Z", "59 min ago"],
    ["2026-11-20T08:00:00Z", "20 Nov 09:00"],
    ["2026-11-19T23:30:00Z", "20 Nov 00:30"],
    ["2026-11-13T09:00:00Z", "13 Nov 10:00"],
    ["2026-12-03T08:30:00Z", "3 Dec 09:30"],
    ["2025-12-31T22:59:00Z", "31 Dec 2025"],
    ["2025-12-31T23:00:00Z", "1 Jan"],
  ];
  const written = await times(expected.map(([instant]) => [instant]));
  expect(expected.map(([instant], at) => [instant, ...(written.get(`P${at}`) ?? [])])).toEqual(expected);
});

it("and omits the day of a second time, if the first one has it", async () => {
  const written = await times([
    ["2026-11-19T06:00:00Z", "2026-11-19T07:00:00Z"],
    ["2026-11-18T06:00:00Z", "2026-11-19T07:00:00Z"],
    ["2026-11-20T06:00:00Z", "2026-11-20T08:30:00Z"],
    ["2026-11-20T08:30:00Z", "2026-11-20T09:30:00Z"],
  ]);
  expect([...written.values()].toSorted()).toEqual([
    ["18 Nov 07:00", "19 Nov 08:00"],
    ["19 Nov 07:00", "08:00"],
    ["20 Nov 07:00", "30 min ago"],
    ["30 min ago", "20 Nov 10:30"],
  ]);
});
