import { describe, expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

/** It is Friday, 2026-11-20 08:34 UTC. */
const HOME = { startLatitude: 45.7578, startLongitude: 4.832 };

const activity = (activity: string, start: string, end: string | undefined, more: object = {}) => ({
  ...{ assetId: "v1", assetRegistration: "AB 1", activity, startTime: `2026-11-${start}:00Z`, ...HOME },
  ...(end === undefined ? { inProgress: true } : { endTime: `2026-11-${end}:00Z` }),
  ...more,
});
const of = (driverId: string, ...activities: object[]) => ({ driverId, driverKey: `DRIVERCARD0${driverId}00`, activities });

const RESTED = activity("REST", "15T00:00", "19T09:00");
/** What Ann (p1) does in Truck 1 (v1), and what others do. */
const ann = (...activities: object[]) => of("p1", RESTED, ...activities);
const DROVE = activity("DRIVING", "19T09:00", undefined);
const WORKED = activity("WORK", "19T09:00", undefined);
const WAITED = activity("AVAILABILITY", "19T09:00", undefined);

const at = (date: string | undefined, more: object = {}) => ({
  ...{ assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", driverId: "p1", driverName: "Ann Lee", ...more },
  ...(date !== undefined && { date: `2026-11-${date}:00Z` }),
});
const STOPPED = { eventType: "stopped", ignitionStatus: "OFF" };

function serve(positions: readonly object[], entries: readonly object[]) {
  const body = { count: entries.length, data: entries };
  return servedFleet({ script: { listLivePositions: () => ({ body: positions }), queryTachoActivity: () => ({ body }) } });
}

/** What the tools say of Ann: the last shift's driving, whether it goes on, and until when she certainly did what she did. */
async function said(positions: readonly object[], entries: readonly object[]) {
  const { record } = await serve(positions, entries);
  const fields = ["driverId", "driving", "work", "availability", "shiftEnd"];
  // By driver, other drivers' activities are read only where they are needed.
  const driver = JSON.stringify(positions).includes("p1") ? { driver: "p1" } : {};
  const { items, note } = await record("summarize_driver_activity", { period: "2026-11-19/2026-11-20", ...driver, fields });
  const { driving, work, availability, shiftEnd } = items.find(({ driverId }: { driverId: string }) => driverId === "p1") ?? {};
  return {
    text: [driving, work && `work ${work}`, availability && `available ${availability}`, shiftEnd].filter(Boolean).join(", "),
    note,
  };
}

describe("an activity that nobody ended lasts until the last sign of life:", () => {
  it.each<[why: string, positions: object[], entries: object[], text: string]>([
    ["a live position", [at("19T10:20")], [ann(DROVE)], "1:20, unknown since 19 Nov 10:20"],
    ["a live position, for work", [at("19T10:20")], [ann(WORKED)], "0:00, work 1:20, unknown since 19 Nov 10:20"],
    ["a live position, for availability", [at("19T10:20")], [ann(WAITED)], "0:00, available 1:20, unknown since 19 Nov 10:20"],
    ["an odd end tells nothing", [at("19T10:20")], [ann({ ...DROVE, endTime: "1753-01-01T00:00:00" })], "1:20, unknown since 19 Nov 10:20"],
    [
      "an end in the future tells nothing",
      [at("19T10:20")],
      [ann({ ...DROVE, endTime: "2099-12-31T00:00:00", inProgress: undefined })],
      "1:20, unknown since 19 Nov 10:20",
    ],
    ["the vehicle stopped", [at("19T10:20", STOPPED)], [ann(DROVE)], "1:20, unknown since 19 Nov 10:20"],
    [
      "a stopped vehicle that reports a day later has stopped at any time",
      [at("20T08:30", STOPPED)],
      [ann(DROVE)],
      "0:00, unknown since 19 Nov 09:00",
    ],
    ["a position that is older than the activity", [at("19T08:00")], [ann(DROVE)], "0:00, unknown since 19 Nov 09:00"],
    ["a clock that is a day ahead is no witness", [at("21T08:30")], [ann(DROVE)], "0:00, unknown since 19 Nov 09:00"],
    [
      "a vehicle without a position",
      [{ ...at("20T08:30"), assetId: "v2", assetRegistration: "CD 2", driverId: "p2" }],
      [ann(DROVE)],
      "0:00, unknown since 19 Nov 09:00",
    ],
    [
      "the driver is in another vehicle",
      [at("19T10:20", { driverId: undefined }), { ...at("20T08:30"), assetId: "v2", assetRegistration: "CD 2" }],
      [ann(DROVE)],
      "0:00, unknown since 19 Nov 09:00",
    ],
    [
      "another driver takes the vehicle",
      [at("20T08:30", { driverId: undefined })],
      [ann(DROVE), of("p2", activity("DRIVING", "19T11:00", "19T12:00"))],
      "2:00, unknown since 19 Nov 11:00",
    ],
    [
      "another driver takes the vehicle, though it still reports the first",
      [at("20T08:30")],
      [ann(DROVE), of("p2", activity("DRIVING", "19T11:00", "19T12:00"))],
      "2:00, unknown since 19 Nov 11:00",
    ],
    [
      "another driver takes the vehicle much later",
      [at("20T08:30")],
      [ann(DROVE), of("p2", activity("DRIVING", "20T06:00", "20T07:00"))],
      "0:00, unknown since 19 Nov 09:00",
    ],
    [
      "a second driver beside is no other",
      [at("20T08:30")],
      [ann(activity("DRIVING", "19T21:00", undefined)), of("p2", activity("AVAILABILITY", "19T22:00", "19T23:00", { driverCardSlot: 2 }))],
      "11:34, goes on",
    ],
    [
      "the driver changes the vehicle",
      [at("19T10:20")],
      [ann(DROVE, activity("DRIVING", "19T11:00", "19T12:00", { assetId: "v2", assetRegistration: "CD 2" }))],
      "3:00, 19 Nov 12:00",
    ],
    [
      "of two in progress, the first ends where the second begins",
      [at("19T10:20")],
      [ann(DROVE, activity("WORK", "19T10:00", undefined))],
      "1:00, work 0:20, unknown since 19 Nov 10:20",
    ],
    [
      "a next activity a day later does not make a day of driving",
      [at("19T10:20")],
      [ann(DROVE, activity("REST", "20T06:00", "20T07:00"))],
      "1:20, unknown since 19 Nov 10:20",
    ],
    ["it goes on", [at("20T08:30")], [ann(activity("DRIVING", "19T21:00", undefined))], "11:34, goes on"],
    ["it goes on, if the live position has no date", [at(undefined)], [ann(activity("DRIVING", "19T21:00", undefined))], "11:34, goes on"],
    ["nobody drives for a day, though the vehicle moves now", [at("20T08:30")], [ann(DROVE)], "0:00, unknown since 19 Nov 09:00"],
    ["nobody works for a day", [at("20T08:30")], [ann(WORKED)], "0:00, unknown since 19 Nov 09:00"],
    [
      "the vehicle stands, and reports once an hour",
      [at("20T07:50", STOPPED)],
      [ann(activity("DRIVING", "20T05:00", "20T07:45"), activity("WORK", "20T07:45", undefined))],
      "2:45, work 0:49, goes on",
    ],
    [
      "the vehicle moves while its driver is said to work",
      [at("20T08:30", { eventType: "driving", speed: 80 })],
      [ann(activity("WORK", "20T06:00", undefined))],
      "0:00, work 2:30, unknown since 20 Nov 08:30",
    ],
    [
      "a rest goes on wherever the vehicle is",
      [at("19T10:20", { driverId: "p2" })],
      [ann(activity("WORK", "19T09:00", "19T10:00"), activity("REST", "19T10:00", undefined))],
      "0:00, work 1:00, 19 Nov 10:00",
    ],
  ])("%s", async (_, positions, entries, text) => {
    const { text: found, note } = await said(positions, entries);
    expect(found).toBe(text);
    expect(note.includes("Recorded as in progress, but unknown since the last sign of life: ")).toBe(text.includes("unknown"));
  });
});

describe("driving since yesterday, with a last position at 10:20,", () => {
  const lost = () => serve([at("19T10:20")], [ann(DROVE)]);

  it("is a trip until then, and not known since", async () => {
    const { record, text } = await lost();
    const { items } = await record("trips_and_stops", {
      vehicle: "truck 1",
      period: "2026-11-19",
      fields: "kind,start,end,duration,remark",
    });
    expect(items.at(-1)).toEqual({
      ...{ kind: "trip", start: "2026-11-19T09:00:00Z", end: "2026-11-19T10:20:00Z", duration: "1:20" },
      remark: "its end was not recorded",
    });
    const asked = { time: "2026-11-20T06:34:00Z" };
    const place = "at 45.758, 4.832 (45.75780, 4.83200) at 2026-11-19 09:00, nothing since.";
    expect(await text("where_was", { ...asked, vehicle: "truck 1" })).toContain(`Truck 1 at 2026-11-20 06:34: not recorded; last ${place}`);
    expect(await text("where_was", { ...asked, driver: "Ann" })).toContain(
      `Ann Lee at 2026-11-20 06:34: not recorded; last in Truck 1 ${place}`,
    );
  });

  it("breaks no rule for certain, and may leave hours", async () => {
    const { record } = await lost();
    const broken = await record("driver_infringements", { period: "2026-11-19/2026-11-20" });
    expect(broken.items.filter(({ certainty }: { certainty: string }) => certainty === "certain")).toEqual([]);
    expect(broken.note).toContain("unknown since the last sign of life: Ann Lee 2026-11-19 10:20.");
    const hours = await record("driver_hours", { fields: "activity,leftNow,leftToday,drivenWeek" });
    expect(hours.items).toMatchObject([{ activity: "unknown", leftNow: "0:00–4:30", leftToday: "0:00–9:00", drivenWeek: "1:20–23:34" }]);
    const near = await record("find_nearest_vehicles", { to: "45.76, 4.83", driveHours: 2 });
    expect(near.note).not.toContain("with less than 2 h of driving left");
  });

  it("is listed as recorded, with since when it is unknown", async () => {
    const { record } = await lost();
    const { items, note } = await record("query_tacho_activity", { period: "2026-11-19/2026-11-20", where: "activity=DRIVING" });
    expect(items).toHaveLength(1);
    expect(note).toContain("unknown since the last sign of life: Ann Lee 2026-11-19 10:20.");
  });
});

it("what follows in the vehicle is told after a gap", async () => {
  const later = of("p2", activity("DRIVING", "19T16:00", "19T17:00"), activity("REST", "19T17:00", undefined));
  const { record } = await serve([at("20T08:30", { driverId: "p2" })], [ann(DROVE), later]);
  const { items } = await record("trips_and_stops", { vehicle: "truck 1", period: "2026-11-19", fields: "kind,start,end,remark" });
  const clock = (time = "") => time.slice(11, 16);
  expect(
    items
      .slice(1)
      .map((row: Record<string, string>) => `${row["kind"]} ${clock(row["start"])}-${clock(row["end"])} ${row["remark"] ?? ""}`.trim()),
  ).toEqual(["trip 09:00-09:00 its end was not recorded", "gap 09:00-16:00 nothing recorded", "trip 16:00-17:00", "stop 17:00- goes on"]);
});

it.each<[where: string, position: object, row: string]>([
  ["there", { latitude: 45.7578, longitude: 4.832 }, "stop 09:00- goes on"],
  ["elsewhere", { latitude: 45.5255, longitude: 4.8748 }, "stop 09:00-10:20 ended then at the latest, seen elsewhere"],
  ["nowhere", {}, "stop 09:00- goes on"],
])("a vehicle whose driver rests, and that is seen %s", async (_, position, row) => {
  const served = await serve(
    [at("19T10:20", position)],
    [ann(activity("DRIVING", "19T07:00", "19T09:00"), activity("REST", "19T09:00", undefined))],
  );
  const asked = { vehicle: "truck 1", period: "2026-11-19", where: "kind=stop", fields: "kind,start,end,remark" };
  const { items } = await served.record("trips_and_stops", asked);
  const last = items.at(-1);
  expect(`${last.kind} ${last.start.slice(11, 16)}-${(last.end ?? "").slice(11, 16)} ${last.remark}`).toBe(row);
  const hours = await served.record("driver_hours", { fields: "activity,rest" });
  expect(hours.items).toMatchObject([{ activity: "rest", rest: "resting 23:34" }]);
});

it("the records of others since are read only where live positions do not settle it", async () => {
  const requests = async (position: object, start: string) => {
    const { record, service } = await serve([position], [ann(activity("DRIVING", start, undefined))]);
    await record("driver_hours", { driver: "Ann" });
    return service.of("queryTachoActivity").filter(({ body }) => body.startTime === `2026-11-${start}:00`).length;
  };
  expect(await requests(at("20T08:30", { eventType: "driving" }), "20T06:00")).toBe(0);
  expect(await requests(at("20T08:30", STOPPED), "20T06:00")).toBe(1);
});
