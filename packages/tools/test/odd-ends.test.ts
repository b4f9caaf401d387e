import { describe, expect, it } from "vitest";
import { driverHoursTool } from "../src/tools/driver-hours.ts";
import { listVehicleFaults } from "../src/tools/list-vehicle-faults.ts";
import { queryTachoActivity } from "../src/tools/query-tacho-activity.ts";
import { withStopLamp } from "../src/tools/stop-lamps.ts";
import { summarizeDriverActivity } from "../src/tools/summarize-driver-activity.ts";
import { cannedService, rowsOf, toolsOver } from "./canned-service.ts";

/** What services send in place of no end. NOW is 2026-11-20T08:34 UTC. */
const ODD_ENDS = [
  undefined,
  null,
  "",
  "0001-01-01T00:00:00",
  "1753-01-01T00:00:00",
  "1900-01-01T00:00:00Z",
  "1970-01-01T00:00:00Z",
  "2026-11-13T08:00:00Z",
  "2026-11-20T07:30:00Z",
  "2099-12-31T23:59:59Z",
];

/** A service with one fault, and one activity, that began today at seven. */
async function served(end: unknown, inProgress: boolean | undefined) {
  const span = inProgress === undefined ? {} : { inProgress };
  const service = await cannedService(({ operation }) => {
    if (operation === "listLivePositions") return [{ assetId: "v1", assetName: "Truck 1", driverId: "d1", driverName: "Ann Ash" }];
    const fault = { code: "P1", startDate: "2026-11-20T07:00:00Z", endDate: end, ...span, details: { lamps: ["STOP"] } };
    const activity = { activity: "DRIVING", startTime: "2026-11-20T07:00:00", endTime: end, ...span };
    return operation === "listVehicleFaults"
      ? { items: [{ id: "v1", assetName: "Truck 1", faults: [fault] }], pagination: { totalItems: 1, totalPages: 1 } }
      : { count: 1, data: [{ driverId: "d1", driverKey: "D000000000000100", activities: [activity] }] };
  });
  return toolsOver(service);
}

describe("what is in progress has no end, whatever the service sends as one:", () => {
  it.each(ODD_ENDS.map((end) => [end]))("%j", async (end) => {
    const { call, context } = await served(end, true);
    for (const period of ["today", "2026-11-20T08:00Z/2026-11-20T08:30Z"]) {
      const faults = await call(listVehicleFaults, { period });
      expect([period, rowsOf(faults.structured)]).toEqual([period, [expect.not.objectContaining({ endDate: expect.anything() })]]);
    }
    const { text } = await call(listVehicleFaults, { where: "endDate<2026-11-20T08:00Z" });
    expect(text).toMatch(/^0 faults of 0 vehicles/);
    const activities = await call(queryTachoActivity, { period: "today" });
    expect(rowsOf(activities.structured)).toEqual([expect.not.objectContaining({ endTime: expect.anything() })]);
    expect((await call(summarizeDriverActivity, { period: "today", driver: "Ann Ash" })).text).toMatch(/\b1:34\b/);
    expect([...(await withStopLamp(["v1"], context))]).toEqual(["v1"]);
  });
});

describe("without a word on progress", () => {
  it.each<[end: string | undefined, isOpen: boolean]>([
    [undefined, true],
    ["1753-01-01T00:00:00", true],
    ["1900-01-01T00:00:00Z", true],
    ["2026-11-13T08:00:00Z", true],
    ["2026-11-20T07:30:00Z", false],
  ])("a fault with the end %j is open: %j", async (end, isOpen) => {
    const { call, context } = await served(end, undefined);
    const { structured } = await call(listVehicleFaults, { period: "2026-11-20T08:00Z/2026-11-20T08:30Z" });
    expect(rowsOf(structured)).toHaveLength(isOpen ? 1 : 0);
    expect([...(await withStopLamp(["v1"], context))]).toEqual(isOpen ? ["v1"] : []);
  });

  it("an activity that ends before it begins has no readable end", async () => {
    const { call } = await served("1900-01-01T00:00:00Z", undefined);
    expect((await call(summarizeDriverActivity, { period: "today", driver: "Ann Ash" })).text).not.toMatch(/\b1:34\b/);
  });
});

it("what is over keeps its end", async () => {
  const { call } = await served("2026-11-20T07:30:00Z", false);
  expect(rowsOf((await call(listVehicleFaults, { fields: "endDate" })).structured)).toMatchObject([{ endDate: "2026-11-20T07:30:00Z" }]);
  expect(rowsOf((await call(queryTachoActivity, { period: "today", fields: "endTime" })).structured)).toMatchObject([
    { endTime: "2026-11-20T07:30:00Z" },
  ]);
});

describe("every tool has the same idea of when an activity ends:", () => {
  const at = (hour: number) => `2026-11-20T0${hour}:00:00Z`;
  const drove = (from: number, more: object = {}) => ({ activity: "DRIVING", startTime: at(from), ...more });
  it.each<[what: string, activities: object[], driven: string]>([
    [
      "one in progress, when the next begins",
      [drove(5, { inProgress: true }), { activity: "REST", startTime: at(6), endTime: at(8) }],
      "1:00",
    ],
    ["one with an end in the future, now", [drove(8, { endTime: "2026-11-20T20:00:00Z" })], "0:34"],
    ["one with an end in 9999, now", [drove(8, { endTime: "9999-12-31T23:59:59Z" })], "0:34"],
    ["one in the future, never", [drove(6, { endTime: at(7) }), drove(9, { inProgress: true })], "1:00"],
    ["one on two cards, once", [drove(6, { endTime: at(7) }), drove(6, { endTime: at(7) })], "1:00"],
  ])("%s", async (_, activities, driven) => {
    const service = await cannedService(({ operation }) =>
      operation === "listLivePositions"
        ? [{ assetId: "v1", assetName: "Truck 1", driverId: "d1", driverName: "Ann Ash" }]
        : {
            count: activities.length,
            data: activities.map((one, card) => ({ driverId: "d1", driverKey: `D00000000000010${card}`, activities: [one] })),
          },
    );
    const { call } = toolsOver(service);
    const summary = await call(summarizeDriverActivity, { period: "today", fields: ["driving", "breaks"] });
    const hours = await call(driverHoursTool, { fields: ["drivenWeek"] });
    expect(rowsOf(summary.structured)[0]?.["driving"]).toBe(driven);
    expect(rowsOf(hours.structured)[0]?.["drivenWeek"]).toMatch(new RegExp(`^${driven}`));
  });
});

describe("a time without an offset is read as UTC, and the result says so, with a blank as with a T:", () => {
  it.each<[args: Record<string, string>, remark: string]>([
    [{ period: "2026-11-20T06:00/2026-11-20T09:00" }, "times without an offset read as UTC"],
    [{ period: "2026-11-20 06:00/2026-11-20 09:00" }, "times without an offset read as UTC"],
    [{ period: "2026-11-20 06:00 to 2026-11-20 09:00:00" }, "times without an offset read as UTC"],
    [{ where: "startDate>2026-11-20T06:00" }, "2026-11-20T06:00 is read as UTC."],
    [{ where: "startDate>2026-11-20 06:00" }, "2026-11-20 06:00 is read as UTC."],
    [{ where: "startDate=2026-11-20 07:00" }, "2026-11-20 07:00 is read as UTC."],
  ])("%j", async (args, remark) => {
    const { call } = await served(undefined, true);
    const { text, structured } = await call(listVehicleFaults, args);
    expect(text).toContain(remark);
    expect(rowsOf(structured)).toHaveLength(1);
  });

  it("but not with one", async () => {
    const { call } = await served(undefined, true);
    expect((await call(listVehicleFaults, { period: "2026-11-20 06:00Z/2026-11-20 09:00+01:00" })).text).not.toContain("read as UTC");
  });
});
