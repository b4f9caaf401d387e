import { type LivePosition, type TachoActivity, TachoActivityPage, type TachoDriver } from "@fleetwire/core";
import { drivingTime, LIMITS } from "@fleetwire/driving-time";
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
const seconds = (from: string | undefined, to: string | undefined) => (Date.parse(to ?? "") - Date.parse(from ?? "")) / 1000;

describe("responses", () => {
  test("documented 2.7: have only documented fields of the documented types", () => {
    expect(TachoActivityPage.parse(all)).toEqual(all);
    expect(all.count).toBe(all.data.length);
    expect(all.count).toBeGreaterThan(20);
  });

  test("documented 4.5: have driver keys of fourteen characters plus an issue number", () => {
    for (const { driverKey } of all.data) expect(driverKey).toMatch(/^[A-Z0-9]{14}\d+$/);
  });

  test("documented 2.7: fill every field", () => {
    const fields = new Set(all.data.flatMap((driver) => activities(driver).flatMap((activity) => Object.keys(activity))));
    expect(fields.size).toBe(19);
  });

  test("chosen S35: have activities without gaps that overlap the period", () => {
    for (const driver of all.data) {
      const list = activities(driver);
      for (const [at, activity] of list.entries()) {
        const next = list[at + 1];
        if (next) expect(next.startTime).toBe(activity.endTime);
        expect(`${SPAN.endTime}Z` > (activity.startTime ?? "")).toBe(true);
        expect((activity.endTime ?? "9") > `${SPAN.startTime}Z`).toBe(true);
        if (activity.endTime) expect(activity.duration).toBe(seconds(activity.startTime, activity.endTime));
      }
    }
  });

  test("chosen S39: end with an activity in progress, without an end", () => {
    for (const driver of all.data) {
      const running = activities(driver).filter(({ inProgress }) => inProgress);
      expect(running).toEqual([activities(driver).at(-1)]);
      expect(running[0]?.endTime).toBeUndefined();
    }
  });

  test("chosen S39: do not include the future", async () => {
    expect(await ask({ startTime: "2026-12-01T00:00:00", endTime: "2026-12-02T00:00:00" })).toEqual({ count: 0, data: [] });
  });
});

test("chosen S38: type and activity use the sandbox's own labels", () => {
  const labels = (field: "type" | "activity") =>
    [...new Set(all.data.flatMap((driver) => activities(driver).map((entry) => entry[field])))].sort();
  expect(labels("type")).toEqual(["CARD", "MANUAL"]);
  expect(labels("activity")).toEqual(["AVAILABILITY", "DRIVING", "REST", "WORK"]);
});

test("chosen S35: 100 records by default, up to 1,000 on request", async () => {
  const large = callSandbox({ vehicles: 3000 });
  const { body } = await large.tacho(SPAN);
  expect([body.count > 1000, body.data.length]).toEqual([true, 100]);
  expect((await large.tacho({ ...SPAN, endTime: "2026-11-16T01:00:00", limit: 5000 })).body.data).toHaveLength(1000);
});

describe("driving and rest", () => {
  const month = async () => (await ask({ startTime: "2026-10-21T00:00:00", limit: 1000 })).data;

  test("chosen S41: stay within the limits of driving, and take at least nine hours of rest between shifts", async () => {
    const kinds = { DRIVING: "driving", WORK: "work", AVAILABILITY: "availability", REST: "rest" } as const;
    const instant = (time: string | undefined) => Date.parse(`${time?.slice(0, 19)}Z`);
    for (const driver of await month()) {
      const list = activities(driver).map(({ activity, startTime, endTime }) => ({
        kind: kinds[activity as keyof typeof kinds],
        start: instant(startTime),
        end: endTime === undefined ? FRIDAY : instant(endTime),
      }));
      // The figures are largest before a break or rest.
      for (const [at, { end }] of list.entries()) {
        if (list[at + 1]?.kind !== "rest") continue;
        const { sinceBreak, day, week, fortnight } = drivingTime(list, end);
        expect(sinceBreak.driven.atLeast).toBeLessThanOrEqual(LIMITS.drivingBeforeBreak);
        expect(day.driven.atLeast).toBeLessThanOrEqual(LIMITS.dailyDriving);
        expect(week.driven.atLeast).toBeLessThanOrEqual(LIMITS.weeklyDriving);
        expect(fortnight.driven.atLeast).toBeLessThanOrEqual(LIMITS.fortnightlyDriving);
      }
      const rests = activities(driver).filter(({ flagManualEntry, inProgress }) => flagManualEntry && !inProgress);
      for (const { duration } of rests) expect(duration).toBeGreaterThanOrEqual(LIMITS.reducedDailyRest / 1000);
    }
  });

  test("chosen S38: drivers drive when and where their vehicles do", async () => {
    const states = { driving: "DRIVING", defect: "DRIVING", idling: "WORK" } as Record<string, string>;
    for (let hours = 0; hours < 48; hours += 5) {
      const at = FRIDAY + hours * 3_600_000;
      call.setClock(at);
      const now = new Date(at).toISOString().slice(0, 19);
      const { data } = await ask({ startTime: now, endTime: new Date(at + 1000).toISOString().slice(0, 19), limit: 1000 });
      for (const record of (await call.live()) as LivePosition[]) {
        const label = states[record.eventType ?? ""];
        const driver = data.find(({ driverId }) => driverId === record.driverId);
        if (!driver || !label) continue;
        expect([record.assetName, activities(driver).at(-1)?.activity]).toEqual([record.assetName, label]);
        expect(activities(driver).at(-1)?.assetId).toBe(record.assetId);
      }
    }
    call.setClock(FRIDAY);
  });

  test("chosen S37: the distance of a drive matches the odometer", async () => {
    const driver = found(all.data, (entry) => activities(entry).some(({ activity, inProgress }) => activity === "DRIVING" && !inProgress));
    const drive = found(activities(driver), ({ activity, inProgress }) => activity === "DRIVING" && !inProgress);
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

describe("filters", () => {
  const rows: [string, string, Record<string, unknown>, (driver: TachoDriver) => boolean][] = [
    ["documented 4.5", "a driver key", { driverKeys: [first?.driverKey] }, (driver) => driver === first],
    [
      "documented 4.5",
      "two driver keys",
      { driverKeys: [second?.driverKey, first?.driverKey] },
      (driver) => driver === first || driver === second,
    ],
    ["documented 4.5", "a part of a driver key", { driverKeys: [first?.driverKey?.slice(0, 14)] }, () => false],
    ["documented 4.5", "a registration", { registrations: [registrationOf(first)] }, (driver) => driver === first],
    ["documented 4.5", "a registration in lower case", { registrations: [registrationOf(first)?.toLowerCase()] }, () => false],
    [
      "chosen S11",
      "a driver key and another's registration",
      { driverKeys: [first?.driverKey], registrations: [registrationOf(second)] },
      () => false,
    ],
  ];
  test.each(rows)("%s: %s", async (_source, _name, query, fits) => {
    const expected = all.data.filter(fits);
    expect(await ask(query)).toEqual({ count: expected.length, data: expected });
  });

  test("chosen S40: dataContent separates live entries from those of files", async () => {
    const span = { startTime: "2026-11-01T00:00:00", driverKeys: [first?.driverKey] };
    const [whole, sent, read] = [await ask(span), await ask({ ...span, dataContent: "live" }), await ask({ ...span, dataContent: "DDD" })];
    expect(activities(read.data[0]).every(({ flagDDD }) => flagDDD)).toBe(true);
    expect([...activities(read.data[0]), ...activities(sent.data[0])]).toEqual(activities(whole.data[0]));
  });
});

describe("skip and limit", () => {
  const rows: [string, string, Record<string, number>, number, number][] = [
    ["documented 4.5", "skip", { skip: 3, limit: 1000 }, 3, 1003],
    ["documented 4.5", "limit", { limit: 2 }, 0, 2],
    ["documented 4.5", "both", { skip: 5, limit: 4 }, 5, 9],
    ["chosen S12", "beyond the end", { skip: 1000 }, 1000, 1100],
  ];
  test.each(rows)("%s: %s; count stays the total", async (_source, _name, query, from, to) => {
    expect(await ask(query)).toEqual({ count: all.count, data: all.data.slice(from, to) });
  });
});

const SORT_KEYS = [
  "driverId",
  "driverKey",
  "activities.assetId",
  "activities.startTime",
  "activities.type",
  "activities.activity",
  "activities.startLatitude",
  "activities.startLongitude",
  "activities.endTime",
  "activities.endLatitude",
  "activities.endLongitude",
  "activities.vehicleFriendlyName",
  "activities.driverCardSlot",
  "activities.isStartOfShift",
  "activities.isEndOfShift",
];

describe.each(SORT_KEYS)("documented 4.5: sorted by %s", (key) => {
  const field = key.replace("activities.", "");
  const inOrder = (values: unknown[], isDescending: boolean) => {
    const given = values.filter((value) => value !== undefined) as (string | number | boolean)[];
    const ordered = given.toSorted((one, other) => (one === other ? 0 : one < other === isDescending ? 1 : -1));
    expect(given).toEqual(ordered);
  };
  test.each(["ASC", "DESC"])("%s", async (direction) => {
    const { count, data } = await ask({ sort: { [key]: direction }, limit: 1000 });
    expect(count).toBe(all.count);
    const isDescending = direction === "DESC";
    if (key === field)
      return inOrder(
        data.map((driver) => driver[field as "driverId"]),
        isDescending,
      );
    inOrder(
      data.map((driver) => activities(driver)[0]?.[field as keyof TachoActivity]),
      isDescending,
    );
    for (const driver of data)
      inOrder(
        activities(driver).map((activity) => activity[field as keyof TachoActivity]),
        isDescending,
      );
  });
});

test("chosen S36: sorted by an activity field, drivers rank by their first activity, with absent values last", async () => {
  const { data } = await ask({ sort: { "activities.endTime": "DESC", driverId: "ASC" }, limit: 1000 });
  const ends = activities(data[0]).map(({ endTime }) => endTime);
  expect(ends.at(-1)).toBeUndefined();
  for (const [at, driver] of data.entries()) {
    const [one, other] = [activities(data[at - 1])[0]?.endTime, activities(driver)[0]?.endTime];
    if (at > 0 && one === other) expect(`${data[at - 1]?.driverId}` < `${driver.driverId}`).toBe(true);
  }
});

test("chosen S36: sorting by activities is refused if it would need too many driver days", async () => {
  const large = callSandbox({ vehicles: 6000 });
  const month = { startTime: "2026-10-21T00:00:00", endTime: "2026-11-20T00:00:00", limit: 1 };
  expect((await large.tacho(month)).status).toBe(200);
  const response = await large.tacho({ ...month, sort: { "activities.type": "ASC" } });
  expect(response).toMatchObject({ status: 400, body: { offendingFields: ["sort"] } });
});

const refused: [string, string, Record<string, unknown>, string[]][] = [
  ["documented 4.5", "no times", { startTime: undefined, endTime: undefined }, ["startTime", "endTime"]],
  ["documented 4.5", "a time with a suffix", { startTime: "2026-11-16T00:00:00Z" }, ["startTime"]],
  ["chosen S8", "an end before the start", { endTime: "2026-11-15T00:00:00" }, ["endTime"]],
  ["chosen S35", "more than 31 days", { startTime: "2026-10-01T00:00:00" }, ["endTime"]],
  ["documented 4.5", "keys that are not a list", { driverKeys: "x" }, ["driverKeys"]],
  ["documented 4.5", "a negative skip", { skip: -1 }, ["skip"]],
  ["documented 4.5", "a fractional limit", { limit: 1.5 }, ["limit"]],
  ["documented 4.5", "an unknown content", { dataContent: "ddd" }, ["dataContent"]],
  ["documented 4.5", "an unknown sort key", { sort: { distance: "ASC" } }, ["sort.distance"]],
  ["documented 4.5", "an unknown direction", { sort: { driverId: "up" } }, ["sort.driverId"]],
];
test.each(refused)("%s: %s is refused", async (_source, _name, body, offendingFields) => {
  expect(await call.tacho({ ...SPAN, ...body })).toMatchObject({ status: 400, body: { offendingFields } });
});
