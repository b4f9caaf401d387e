import { describe, expect, it } from "vitest";
import { servedFleet } from "./served-fleet.ts";

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

const FLEET = [{ assetId: "v1", assetName: "Truck 1", driverId: "d1", driverName: "Ann Ash", latitude: 51, longitude: 9 }];
const entryOf = (activity: object, card = 0) => ({ driverId: "d1", driverKey: `D00000000000010${card}`, activities: [activity] });

/** A service with one fault, and one activity, that began today at seven. */
function serve(endDate: unknown, inProgress: boolean | undefined) {
  const span = inProgress === undefined ? {} : { inProgress };
  const fault = { code: "P1", startDate: "2026-11-20T07:00:00Z", endDate, ...span, details: { lamps: ["STOP"] } };
  const activity = { activity: "DRIVING", startTime: "2026-11-20T07:00:00", endTime: endDate, ...span };
  const faults = [{ id: "v1", assetName: "Truck 1", faults: [fault] }];
  return servedFleet({
    script: {
      listLivePositions: () => ({ body: FLEET }),
      listVehicleFaults: () => ({ body: { items: faults, pagination: { totalItems: 1, totalPages: 1 } } }),
      queryTachoActivity: () => ({ body: { count: 1, data: [entryOf(activity)] } }),
    },
  });
}
type Served = Awaited<ReturnType<typeof serve>>;

/** Whether the vehicle is left out of those that can take a job. */
const hasStopLamp = async ({ record }: Served) =>
  (await record("find_nearest_vehicles", { to: "51, 9", driveHours: 0 })).note.includes("1 with the red stop lamp lit");
const driven = async ({ record }: Served) =>
  (await record("summarize_driver_activity", { period: "today", driver: "Ann Ash" })).items[0]?.driving;

describe("what is in progress has no end, whatever the service sends as one:", () => {
  it.each(ODD_ENDS.map((end) => [end]))("%j", async (end) => {
    const served = await serve(end, true);
    const { record } = served;
    for (const period of ["today", "2026-11-20T08:00Z/2026-11-20T08:30Z"]) {
      const { items } = await record("list_vehicle_faults", { period });
      expect([period, items]).toEqual([period, [expect.not.objectContaining({ endDate: expect.anything() })]]);
    }
    expect((await record("list_vehicle_faults", { where: "endDate<2026-11-20T08:00Z" })).items).toEqual([]);
    const { items } = await record("query_tacho_activity", { period: "today" });
    expect(items).toEqual([expect.not.objectContaining({ endTime: expect.anything() })]);
    expect([await driven(served), await hasStopLamp(served)]).toEqual(["1:34", true]);
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
    const served = await serve(end, undefined);
    const { items } = await served.record("list_vehicle_faults", { period: "2026-11-20T08:00Z/2026-11-20T08:30Z" });
    expect([items.length, await hasStopLamp(served)]).toEqual([isOpen ? 1 : 0, isOpen]);
  });

  it("an activity that ends before it begins has no readable end", async () => {
    expect(await driven(await serve("1900-01-01T00:00:00Z", undefined))).not.toBe("1:34");
  });
});

it("what is over keeps its end", async () => {
  const { record } = await serve("2026-11-20T07:30:00Z", false);
  expect((await record("list_vehicle_faults", { fields: "endDate" })).items).toMatchObject([{ endDate: "2026-11-20T07:30:00Z" }]);
  const { items } = await record("query_tacho_activity", { period: "today", fields: "endTime" });
  expect(items).toMatchObject([{ endTime: "2026-11-20T07:30:00Z" }]);
});

describe("every tool has the same idea of when an activity ends:", () => {
  const at = (hour: number) => `2026-11-20T0${hour}:00:00Z`;
  const drove = (from: number, more: object = {}) => ({ activity: "DRIVING", startTime: at(from), ...more });
  const rest = { activity: "REST", startTime: at(6), endTime: at(8) };
  it.each<[what: string, activities: object[], driving: string]>([
    ["one in progress, when the next begins", [drove(5, { inProgress: true }), rest], "1:00"],
    ["one with an end in the future, now", [drove(8, { endTime: "2026-11-20T20:00:00Z" })], "0:34"],
    ["one with an end in 9999, now", [drove(8, { endTime: "9999-12-31T23:59:59Z" })], "0:34"],
    ["one in the future, never", [drove(6, { endTime: at(7) }), drove(9, { inProgress: true })], "1:00"],
    ["one on two cards, once", [drove(6, { endTime: at(7) }), drove(6, { endTime: at(7) })], "1:00"],
  ])("%s", async (_, activities, driving) => {
    const { record, service } = await serve(undefined, undefined);
    service.script.queryTachoActivity = () => ({ body: { count: activities.length, data: activities.map(entryOf) } });
    const summary = await record("summarize_driver_activity", { period: "today", fields: ["driving"] });
    const hours = await record("driver_hours", { fields: ["drivenWeek"] });
    expect([...summary.items, ...hours.items]).toMatchObject([{ driving }, { drivenWeek: expect.stringMatching(`^${driving}`) }]);
  });
});

describe("a time without an offset is read in the user's zone, and the result says so, with a blank as with a T:", () => {
  it.each<[args: Record<string, string>, remark: string]>([
    [{ period: "2026-11-20T06:00/2026-11-20T09:00" }, "times without an offset read in UTC"],
    [{ period: "2026-11-20 06:00/2026-11-20 09:00" }, "times without an offset read in UTC"],
    [{ period: "2026-11-20 06:00 to 2026-11-20 09:00:00" }, "times without an offset read in UTC"],
    [{ where: "startDate>2026-11-20T06:00" }, "2026-11-20T06:00: read in UTC."],
    [{ where: "startDate>2026-11-20 06:00" }, "2026-11-20 06:00: read in UTC."],
    [{ where: "startDate=2026-11-20 07:00" }, "2026-11-20 07:00: read in UTC."],
  ])("%j", async (args, remark) => {
    const { items, note } = await (await serve(undefined, true)).record("list_vehicle_faults", args);
    expect([items.length, note]).toEqual([1, expect.stringContaining(remark)]);
  });

  it("but not with one", async () => {
    const { text } = await serve(undefined, true);
    expect(await text("list_vehicle_faults", { period: "2026-11-20 06:00Z/2026-11-20 09:00+01:00" })).not.toContain("read in");
  });
});
