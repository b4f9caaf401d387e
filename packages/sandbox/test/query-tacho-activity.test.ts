import { type LivePosition, type TachoActivity, TachoActivityPage, type TachoDriver } from "@fleetwire/core";
import { describe, expect, test } from "vitest";
import { callSandbox, FRIDAY, found } from "./sandbox-caller.ts";

const call = callSandbox();
const SPAN = { startTime: "2026-11-16T00:00:00", endTime: "2026-11-20T10:31:00" };
const ask = async (body: Record<string, unknown>) =>
  (await call.tacho({ ...SPAN, ...body })).body as { count: number; data: TachoDriver[] };
const all = await ask({ limit: 1000 });
const [first, second] = all.data;
const activities = (driver: TachoDriver | undefined) => driver?.activities ?? [];
const registrationOf = (driver: TachoDriver | undefined) => activities(driver)[0]?.assetRegistration;
const every = all.data.flatMap(activities);

describe("responses", () => {
  test("have only documented fields of the documented types, fill each, and driver keys of 14 characters and an issue number", () => {
    expect(TachoActivityPage.parse(all)).toEqual(all);
    expect(all.count).toBe(all.data.length);
    expect(all.count).toBeGreaterThan(20);
    expect(new Set(every.flatMap((activity) => Object.keys(activity))).size).toBe(19);
    for (const { driverKey } of all.data) expect(driverKey).toMatch(/^[A-Z0-9]{14}\d+$/);
  });

  test("have activities without gaps that overlap the period, of which the last is in progress", async () => {
    const nonstop = callSandbox({ rhythm: "nonstop" });
    const { data }: { data: TachoDriver[] } = (await nonstop.tacho({ ...SPAN, limit: 1000 })).body;
    for (const list of data.map(activities)) {
      for (const [at, { startTime = "", endTime = "9", duration, inProgress }] of list.entries()) {
        const next = list[at + 1];
        expect([endTime, inProgress]).toEqual(next ? [next.startTime, false] : ["9", true]);
        expect(`${SPAN.endTime}Z` > startTime && endTime > `${SPAN.startTime}Z`).toBe(true);
        if (next) expect(duration).toBe((Date.parse(endTime) - Date.parse(startTime)) / 1000);
      }
    }
    expect(await ask({ startTime: "2026-12-01T00:00:00", endTime: "2026-12-02T00:00:00" })).toEqual({ count: 0, data: [] });
  });

  test("use the sandbox's own labels", () => {
    const labels = (field: "type" | "activity") => [...new Set(every.map((entry) => entry[field]))].sort().join();
    expect([labels("type"), labels("activity")]).toEqual(["CARD,MANUAL", "AVAILABILITY,DRIVING,REST,WORK"]);
  });

  test("have 100 records by default, up to 1,000 on request, and are not sorted by too many activities", async () => {
    const large = callSandbox({ vehicles: 6000, rhythm: "nonstop" });
    const hour = { ...SPAN, endTime: "2026-11-16T01:00:00" };
    const { body } = await large.tacho(hour);
    expect([body.count > 1000, body.data.length]).toEqual([true, 100]);
    expect((await large.tacho({ ...hour, limit: 5000 })).body.data).toHaveLength(1000);
    const month = { startTime: "2026-10-21T00:00:00", endTime: "2026-11-20T00:00:00", limit: 1, sort: { "activities.type": "ASC" } };
    expect(await large.tacho(month)).toMatchObject({ status: 400, body: { offendingFields: ["sort"] } });
  });

  test("say that drivers drive when and where their vehicles do, and as far", async () => {
    const states = { driving: "DRIVING", defect: "DRIVING", idling: "WORK" } as Record<string, string>;
    for (let at = FRIDAY; at < FRIDAY + 48 * 3_600_000; at += 9 * 3_600_000) {
      call.setClock(at);
      const [startTime, endTime] = [at, at + 1000].map((time) => new Date(time).toISOString().slice(0, 19));
      const { data } = await ask({ startTime, endTime, limit: 1000 });
      for (const { assetId, assetName, eventType = "", driverId } of (await call.live()) as LivePosition[]) {
        const latest = activities(data.find((driver) => driver.driverId === driverId)).at(-1);
        if (!latest || !states[eventType]) continue;
        expect([assetName, latest.activity, latest.assetId]).toEqual([assetName, states[eventType], assetId]);
      }
    }
    const isDrive = ({ activity, inProgress }: TachoActivity) => activity === "DRIVING" && !inProgress;
    const driver = found(all.data, (entry) => activities(entry).some(isDrive));
    const drive = found(activities(driver), isDrive);
    const positionAt = async (time: string | undefined): Promise<LivePosition> => {
      call.setClock(Date.parse(time ?? ""));
      return (await call.live({ driverIds: driver.driverId ?? "" }))[0];
    };
    const [start, end] = [await positionAt(drive.startTime), await positionAt(drive.endTime)];
    call.setClock(FRIDAY);
    expect((end.odometer ?? 0) - (start.odometer ?? 0)).toBeCloseTo(drive.distance ?? -1, 0);
    expect(start.latitude).toBeCloseTo(drive.startLatitude ?? 0, 2);
    expect(end.longitude).toBeCloseTo(drive.endLongitude ?? 0, 2);
  });
});

describe("selects", () => {
  test.each<[string, Record<string, unknown>, TachoDriver[]]>([
    ["two driver keys", { driverKeys: [second?.driverKey, first?.driverKey] }, all.data.slice(0, 2)],
    ["another issue of a driver key", { driverKeys: [`${first?.driverKey?.slice(0, 14)}99`] }, []],
    ["a registration in lower case", { registrations: [registrationOf(first)?.toLowerCase()] }, []],
    ["a key and another's registration", { driverKeys: [first?.driverKey], registrations: [registrationOf(second)] }, []],
  ])("%s", async (_name, query, data) => {
    expect(await ask(query)).toEqual({ count: data.length, data });
  });

  test("live entries or those of files", async () => {
    const span = { startTime: "2026-11-01T00:00:00", driverKeys: [first?.driverKey] };
    const [whole, sent, read] = [await ask(span), await ask({ ...span, dataContent: "live" }), await ask({ ...span, dataContent: "DDD" })];
    expect(activities(read.data[0]).every(({ flagDDD }) => flagDDD)).toBe(true);
    expect([...activities(read.data[0]), ...activities(sent.data[0])]).toEqual(activities(whole.data[0]));
  });

  test.each<[string, Record<string, number>, number, number]>([
    ["both", { skip: 5, limit: 4 }, 5, 9],
    ["skip beyond the end", { skip: 1000 }, 1000, 1100],
  ])("a page by %s; count stays the total", async (_name, query, from, to) => {
    expect(await ask(query)).toEqual({ count: all.count, data: all.data.slice(from, to) });
  });
});

describe("sorts", () => {
  const expectOrder = (list: readonly object[], field: string, isDescending: boolean) => {
    const given = list.map((entry) => (entry as Record<string, string>)[field]).filter((value) => value !== undefined);
    const ordered = given.toSorted((one, other) => (one === other ? 0 : one < other === isDescending ? 1 : -1));
    expect(given).toEqual(ordered);
  };

  test.each([
    ...["driverId", "driverKey", "activities.assetId", "activities.startTime", "activities.type", "activities.activity"],
    ...["activities.startLatitude", "activities.startLongitude", "activities.endTime", "activities.endLatitude"],
    ...["activities.endLongitude", "activities.vehicleFriendlyName", "activities.driverCardSlot"],
    ...["activities.isStartOfShift", "activities.isEndOfShift"],
  ])("by %s", async (key) => {
    const field = key.replace("activities.", "");
    for (const direction of ["ASC", "DESC"]) {
      const { count, data } = await ask({ sort: { [key]: direction }, limit: 1000 });
      expect(count).toBe(all.count);
      const lists = key === field ? [data] : [data.map((driver) => activities(driver)[0] ?? {}), ...data.map(activities)];
      for (const list of lists) expectOrder(list, field, direction === "DESC");
    }
  });

  test("by an activity field: drivers rank by their first activity, with absent values last, and then by the next key", async () => {
    const { data } = await ask({ sort: { "activities.endTime": "DESC", driverId: "ASC" }, limit: 1000 });
    expect(activities(data[0]).at(-1)?.endTime).toBeUndefined();
    for (const [at, driver] of data.entries()) {
      const [one, other] = [activities(data[at - 1])[0]?.endTime, activities(driver)[0]?.endTime];
      if (at > 0 && one === other) expect(`${data[at - 1]?.driverId}` < `${driver.driverId}`).toBe(true);
    }
  });
});

test.each<[string, Record<string, unknown>, string[]]>([
  ["no times", { startTime: undefined, endTime: undefined }, ["startTime", "endTime"]],
  ["a time with a suffix", { startTime: "2026-11-16T00:00:00Z" }, ["startTime"]],
  ["an end before the start", { endTime: "2026-11-15T00:00:00" }, ["endTime"]],
  ["more than 31 days", { startTime: "2026-10-01T00:00:00" }, ["endTime"]],
  ["a part of a driver key", { driverKeys: [first?.driverKey?.slice(0, 14)] }, ["driverKeys"]],
  ["keys that are not a list", { driverKeys: "x" }, ["driverKeys"]],
  ["a negative skip", { skip: -1 }, ["skip"]],
  ["a fractional limit", { limit: 1.5 }, ["limit"]],
  ["an unknown content", { dataContent: "ddd" }, ["dataContent"]],
  ["an unknown sort key", { sort: { distance: "ASC" } }, ["sort.distance"]],
  ["an unknown direction", { sort: { driverId: "up" } }, ["sort.driverId"]],
])("%s is refused", async (_name, body, offendingFields) => {
  expect(await call.tacho({ ...SPAN, ...body })).toMatchObject({ status: 400, body: { offendingFields } });
});
