import { describe, expect, it } from "vitest";
import { did, entry, rowsOf, servePast, vehicle } from "./the-past.ts";

/** It is Friday, 2026-11-20 08:34 UTC. Ann (p1) rests until 09:00 of the day before, and then does this in Truck 1. */
const ann = (activities: string) => `p1: rest 15T00:00-09:00 lyon; ${activities}`;
const DROVE = ann("drive 09:00- lyon");

const at = (date: string | undefined, more: object = {}) =>
  vehicle("v1", { driverId: "p1", driverName: "Ann Lee", ...more, date: date && `2026-11-${date}:00Z` });
const STOPPED = { eventType: "stopped", ignitionStatus: "OFF" };
const LOST = [at("19T10:20")];
const NOW = "20T08:30";

const serve = (vehicles: readonly object[], entries: readonly (string | ReturnType<typeof entry>)[]) =>
  servePast(entries, { vehicles, sendsAll: true });

const [HOURLY, MOVING] = [[at("20T07:50", STOPPED)], [at(NOW, { eventType: "driving", speed: 80 })]];
const ELSEWHERE = [at("19T10:20", { driverId: "p2" })];

/** Of an activity without an end at 09:00: how long, and since when it is unknown. */
const [UNTIL_SEEN, NEVER_SEEN] = ["1:20, unknown since 19 Nov 10:20", "0:00, unknown since 19 Nov 09:00"];

describe("an activity that nobody ended lasts until the last sign of life:", () => {
  it.each<[why: string, positions: object[], entries: string[], text: string]>([
    ["a live position", LOST, [DROVE], UNTIL_SEEN],
    ["an end in the future tells nothing", LOST, [ann("drive 09:00-28T00:00")], UNTIL_SEEN],
    ["a stopped vehicle that reports a day later may have stopped at any time", [at(NOW, STOPPED)], [DROVE], NEVER_SEEN],
    ["a position that is older than the activity", [at("19T08:00")], [DROVE], NEVER_SEEN],
    ["the driver is in another vehicle", [at("19T10:20", { driverId: undefined }), vehicle("v2", { driverId: "p1" })], [DROVE], NEVER_SEEN],
    ["another takes the vehicle", [at(NOW, { driverId: undefined })], [DROVE, "p2: drive 11:00-12:00"], "2:00, unknown since 19 Nov 11:00"],
    ["a second driver beside is no other", [at(NOW)], [ann("drive 21:00-"), "p2: wait 22:00-23:00 slot2"], "11:34, goes on"],
    ["the driver changes the vehicle", LOST, [ann("drive 09:00-; drive 11:00-12:00 v2")], "3:00, 19 Nov 12:00"],
    ["a next activity a day later makes no day of driving", LOST, [ann("drive 09:00-; rest 20T06:00-20T07:00")], UNTIL_SEEN],
    ["it goes on", [at(NOW)], [ann("drive 21:00-")], "11:34, goes on"],
    ["the vehicle stands, and reports once an hour", HOURLY, [ann("drive 20T05:00-20T07:45; work 20T07:45-")], "2:45, work 0:49, goes on"],
    ["the vehicle moves during work", MOVING, [ann("work 20T06:00-")], "0:00, work 2:30, unknown since 20 Nov 08:30"],
    ["somebody else is in the vehicle now", [at(NOW, { driverId: "p2" })], [ann("drive 20T06:00-")], "2:30, unknown since 20 Nov 08:30"],
    ["a rest goes on wherever the vehicle is", ELSEWHERE, [ann("work 09:00-10:00; rest 10:00-")], "0:00, work 1:00, 19 Nov 10:00"],
  ])("%s", async (_, positions, entries, text) => {
    const { record } = await serve(positions, entries);
    // By driver, other drivers' activities are read only where they are needed.
    const driver = JSON.stringify(positions).includes("p1") ? { driver: "p1" } : {};
    const fields = ["driverId", "driving", "work", "availability", "shiftEnd"];
    const { items, note } = await record("summarize_driver_activity", { period: "2026-11-19/2026-11-20", ...driver, fields });
    const { driving, work, availability, shiftEnd } = items.find(({ driverId }: { driverId: string }) => driverId === "p1") ?? {};
    const said = [driving, work && `work ${work}`, availability && `available ${availability}`, shiftEnd];
    expect(said.filter(Boolean).join(", ")).toBe(text);
    expect(note.includes("Recorded as in progress, but unknown since the last sign of life: ")).toBe(text.includes("unknown"));
  });
});

describe("driving since yesterday, with a last position at 10:20,", () => {
  it("is a trip until then, and not known since", async () => {
    const { record, text } = await serve(LOST, [DROVE]);
    const { items } = await record("trips_and_stops", { vehicle: "truck 1", period: "2026-11-19", fields: "kind,start,end,remark" });
    expect(rowsOf(items).at(-1)).toBe("trip 09:00-10:20, its end was not recorded");
    const asked = { time: "2026-11-20T06:34:00Z" };
    const place = "at 45.758, 4.832 (45.75780, 4.83200) at 2026-11-19 09:00, nothing since.";
    expect(await text("where_was", { ...asked, vehicle: "truck 1" })).toContain(`Truck 1 at 2026-11-20 06:34: not recorded; last ${place}`);
    expect(await text("where_was", { ...asked, driver: "Ann" })).toContain(
      `Ann Lee at 2026-11-20 06:34: not recorded; last in Truck 1 ${place}`,
    );
  });

  it("breaks no rule for certain, may leave hours, and is listed as recorded", async () => {
    const { record } = await serve(LOST, [DROVE]);
    const since = "unknown since the last sign of life: Ann Lee 2026-11-19 10:20.";
    const broken = await record("driver_infringements", { period: "2026-11-19/2026-11-20" });
    expect(broken.items.filter(({ certainty }: { certainty: string }) => certainty === "certain")).toEqual([]);
    expect(broken.note).toContain(since);
    const hours = await record("driver_hours", { fields: "activity,leftNow,leftToday,drivenWeek" });
    expect(hours.items).toMatchObject([{ activity: "unknown", leftNow: "0:00–4:30", leftToday: "0:00–9:00", drivenWeek: "1:20–23:34" }]);
    const near = await record("find_nearest_vehicles", { to: "45.76, 4.83", driveHours: 2 });
    expect(near.note).not.toContain("with less than 2 h of driving left");
    const { items, note } = await record("query_tacho_activity", { period: "2026-11-19/2026-11-20", where: "activity=DRIVING" });
    expect([items.length, note]).toEqual([1, expect.stringContaining(since)]);
  });
});

it("what follows in the vehicle is told after a gap", async () => {
  const { record } = await serve([at(NOW, { driverId: "p2" })], [DROVE, "p2: drive 16:00-17:00 lyon; rest 17:00- lyon"]);
  const { items } = await record("trips_and_stops", { vehicle: "truck 1", period: "2026-11-19", fields: "kind,start,end,remark" });
  const rows = [
    "trip 09:00-09:00, its end was not recorded",
    "gap 09:00-16:00, nothing recorded",
    "trip 16:00-17:00",
    "stop 17:00-, goes on",
  ];
  expect(rowsOf(items).slice(1)).toEqual(rows);
});

it.each<[where: string, position: object, row: string]>([
  ["there", { latitude: 45.7578, longitude: 4.832 }, "stop 09:00-, goes on"],
  ["elsewhere", { latitude: 45.5255, longitude: 4.8748 }, "stop 09:00-10:20, ended then at the latest, seen elsewhere"],
  ["nowhere", {}, "stop 09:00-, goes on"],
])("a vehicle whose driver rests, and that is seen %s", async (_, position, row) => {
  const { record } = await serve([at("19T10:20", position)], ["p1: rest 15T00:00-07:00 lyon; drive 07:00-09:00 lyon; rest 09:00- lyon"]);
  const asked = { vehicle: "truck 1", period: "2026-11-19", where: "kind=stop", fields: "kind,start,end,remark" };
  expect(rowsOf((await record("trips_and_stops", asked)).items).at(-1)).toBe(row);
  expect((await record("driver_hours", { fields: "activity,rest" })).items).toMatchObject([{ activity: "rest", rest: "resting 23:34" }]);
});

it.each([
  ["driving", 0],
  ["stopped", 1],
])("the records of others since are read only where live positions do not settle it: %s, %d times", async (eventType, times) => {
  const { record, service } = await serve([at(NOW, { eventType })], [ann("drive 20T06:00-")]);
  await record("driver_hours", { driver: "Ann" });
  expect(service.of("queryTachoActivity").filter(({ body }) => body.startTime === "2026-11-20T06:00:00")).toHaveLength(times);
});

/** What services send in place of no end. */
const ODD_ENDS = [
  undefined,
  null,
  "",
  "0001-01-01T00:00:00",
  "1970-01-01T00:00:00Z",
  "2026-11-13T08:00:00Z",
  "2026-11-20T07:30:00Z",
  "2099-12-31T23:59:59Z",
];

/** A vehicle with one fault and one activity, that began today at seven. */
function oddlyEnded(end: unknown, inProgress: boolean | undefined) {
  const span = inProgress === undefined ? {} : { inProgress };
  const [activity] = did("drive 20T07:00- v-").map((one) => ({ ...one, inProgress: undefined, endTime: end, ...span }));
  const fault = { code: "P1", startDate: "2026-11-20T07:00:00Z", endDate: end, ...span, details: { lamps: ["STOP"] } };
  return servePast([entry("p1", activity as object)], {
    vehicles: [vehicle("v1", { driverId: "p1", driverName: "Ann Lee", latitude: 51, longitude: 9 })],
    sendsAll: true,
    faults: [{ id: "v1", assetName: "Truck 1", faults: [fault] }],
  });
}

type Served = Awaited<ReturnType<typeof oddlyEnded>>;
/** Whether the vehicle is left out of those that can take a job. */
const hasStopLamp = async ({ record }: Served) =>
  (await record("find_nearest_vehicles", { to: "51, 9", driveHours: 0 })).note.includes("1 with the red stop lamp lit");
const drivenToday = async ({ record }: Served) =>
  (await record("summarize_driver_activity", { period: "today", driver: "Ann" })).items[0]?.driving;

it.each(ODD_ENDS.map((end) => [end]))("what is in progress has no end, whatever the service sends as one: %j", async (end) => {
  const served = await oddlyEnded(end, true);
  const { record } = served;
  for (const period of ["today", "2026-11-20T08:00Z/2026-11-20T08:30Z"]) {
    const { items } = await record("list_vehicle_faults", { period });
    expect([period, items]).toEqual([period, [expect.not.objectContaining({ endDate: expect.anything() })]]);
  }
  expect((await record("list_vehicle_faults", { where: "endDate<2026-11-20T08:00Z" })).items).toEqual([]);
  const { items } = await record("query_tacho_activity", { period: "today" });
  expect(items).toEqual([expect.not.objectContaining({ endTime: expect.anything() })]);
  expect([await drivenToday(served), await hasStopLamp(served)]).toEqual(["1:34", true]);
});

it.each<[end: string | undefined, isOpen: boolean, inProgress?: boolean]>([
  [undefined, true],
  ["2026-11-13T08:00:00Z", true],
  ["2026-11-20T07:30:00Z", false],
  ["2026-11-20T07:30:00Z", false, false],
])("a fault with the end %j is open: %j, where inProgress is %j", async (end, isOpen, inProgress) => {
  const served = await oddlyEnded(end, inProgress);
  const { items } = await served.record("list_vehicle_faults", { period: "2026-11-20T08:00Z/2026-11-20T08:30Z" });
  expect([items.length, await hasStopLamp(served)]).toEqual([isOpen ? 1 : 0, isOpen]);
  const ended = isOpen ? {} : { endDate: end };
  expect((await served.record("list_vehicle_faults", { fields: "endDate" })).items).toMatchObject([ended]);
  if (inProgress === false)
    expect((await served.record("query_tacho_activity", { period: "today", fields: "endTime" })).items[0].endTime).toBe(end);
});

describe("every tool has the same idea of when an activity ends:", () => {
  it.each<[what: string, entries: string[], driving: string]>([
    ["one with an end in the future, now", ["p1: drive 20T08:00-20T20:00"], "0:34"],
    ["one on two cards, once", ["p1: drive 20T06:00-20T07:00", "p1: drive 20T06:00-20T07:00"], "1:00"],
    ["one that ends before it begins, never", ["p1: drive 20T06:00-20T07:00; drive 20T08:00-01-01T00:00"], "1:00"],
  ])("%s", async (_, entries, driving) => {
    const { record } = await serve(
      [at(NOW, { eventType: "driving" })],
      entries.map((one) => one.replaceAll(/(drive|rest) ([^\s;]+)/g, "$1 $2 v-")),
    );
    const summary = await record("summarize_driver_activity", { period: "today", fields: ["driving"] });
    const hours = await record("driver_hours", { fields: ["drivenWeek"] });
    expect([...summary.items, ...hours.items]).toMatchObject([{ driving }, { drivenWeek: expect.stringMatching(`^${driving}`) }]);
  });
});
