import type { LivePosition, TachoActivity, TachoDriver } from "@fleetwire/core";
import { describe, expect, test } from "vitest";
import { checkPair, isMoving, tryRandomPolls } from "./physics.ts";
import { callSandbox, found } from "./sandbox-caller.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A fleet that starts at an instant, with the rhythm of `--sandbox` and the demo. */
function startedAt(start: number, options: { seed?: number; vehicles?: number } = {}) {
  const call = callSandbox({ rhythm: "nonstop", start, ...options });
  const liveAt = async (at: number): Promise<LivePosition[]> => {
    call.setClock(at);
    return call.live();
  };
  return { call, liveAt };
}

const moves = (record: LivePosition) => isMoving(record) || (record.assetType === "TRAILER" && (record.speed ?? 0) > 0);

/** The least share of a fleet that moves at any of the hours of a period, as vehicles of all. */
async function leastMoving({ liveAt }: ReturnType<typeof startedAt>, start: number, hours: number, step: number): Promise<number> {
  let least = 1;
  for (let hour = 0; hour <= hours; hour += step) {
    const records = await liveAt(start + hour * HOUR);
    least = Math.min(least, records.filter(moves).length / records.length);
  }
  return least;
}

const STARTS: [string, number][] = [
  ["a Sunday at three in the morning", Date.UTC(2026, 10, 22, 3, 0, 41)],
  ["Christmas night", Date.UTC(2026, 11, 25, 0, 30)],
  ["a weekday at noon", Date.UTC(2027, 6, 14, 12, 7, 3, 250)],
];

describe.each(STARTS)("chosen S48: a fleet that starts on %s", (_name, start) => {
  test("has truck 12 under way, seconds ago and for the next minutes", async () => {
    const { liveAt } = startedAt(start);
    for (const minutes of [0, 1, 5, 10, 15]) {
      const now = start + minutes * MINUTE;
      const truck = found(await liveAt(now), ({ assetName }) => assetName === "Truck 12");
      expect(truck).toMatchObject({ eventType: "driving", ignitionStatus: "ON" });
      expect(truck.speed).toBeGreaterThan(20);
      expect(now - Date.parse(truck.date ?? "")).toBeLessThan(31_000);
    }
  });

  test("has at least a quarter of its vehicles moving throughout two weeks", async () => {
    // Five is no divisor of 24, so that every hour of the day comes up.
    expect(await leastMoving(startedAt(start), start, 14 * 24, 5)).toBeGreaterThanOrEqual(0.25);
  });

  test("has town vehicles that deliver by day and rest at night", async () => {
    const { liveAt } = startedAt(start);
    const inTown = async (at: number) =>
      (await liveAt(at)).filter(({ energyType, assetType }) => energyType === "EV" || assetType === "CAR");
    const driven = async (from: number) => {
      let count = 0;
      for (let minutes = 0; minutes < 240; minutes += 10) count += (await inTown(from + minutes * MINUTE)).filter(isMoving).length;
      return count;
    };
    expect(await driven(start)).toBeGreaterThan(3 * (await driven(start + 13 * HOUR)));
  });
});

const [, [, CHRISTMAS] = ["", 0]] = STARTS;

describe("chosen S48: at least a quarter moves", () => {
  test.each([{ seed: 2 }, { seed: 3 }, { seed: 77 }, { vehicles: 20 }, { seed: 5, vehicles: 20 }, { vehicles: 200 }])(
    "in the fleet of %j",
    async (options) => {
      const fleet = startedAt(CHRISTMAS, options);
      expect(found(await fleet.liveAt(CHRISTMAS), ({ assetName }) => assetName === "Truck 12").eventType).toBe("driving");
      expect(await leastMoving(fleet, CHRISTMAS, options.vehicles === 200 ? 48 : 14 * 24, 5)).toBeGreaterThanOrEqual(0.25);
    },
  );

  test("whatever the seed, truck 12 is under way at the start", async () => {
    for (let seed = 100; seed < 110; seed++) {
      const [truck] = (await startedAt(CHRISTMAS, { seed }).liveAt(CHRISTMAS)).filter(({ assetName }) => assetName === "Truck 12");
      expect([seed, truck?.eventType]).toEqual([seed, "driving"]);
    }
  });
});

describe("chosen S48: the rhythm", () => {
  test("is nonstop from the first moment without a clock", async () => {
    const live: LivePosition[] = await callSandbox({ clock: Date.now, start: Date.now() }).live();
    expect(found(live, ({ assetName }) => assetName === "Truck 12").eventType).toBe("driving");
    expect(live.filter(moves).length / live.length).toBeGreaterThanOrEqual(0.25);
  });

  test("is the ordinary week with a clock, so that most vehicles are parked on a Sunday at three", async () => {
    const call = callSandbox();
    call.setClock(STARTS[0]?.[1] ?? 0);
    const live: LivePosition[] = await call.live();
    expect(live.filter(moves).length / live.length).toBeLessThan(0.1);
  });

  test("starts anew with each start: the same fleet for the same seed, start and instant, another for another start", async () => {
    const later = CHRISTMAS + 5 * HOUR;
    const live = await startedAt(CHRISTMAS).liveAt(later);
    expect(await startedAt(CHRISTMAS).liveAt(later)).toEqual(live);
    expect(await startedAt(CHRISTMAS + HOUR).liveAt(later)).not.toEqual(live);
  });

  test("obeys physics, also between the shifts of two drivers", async () => {
    await tryRandomPolls(4, { rhythm: "nonstop" });
    const { liveAt } = startedAt(CHRISTMAS);
    let before = await liveAt(CHRISTMAS);
    for (let at = CHRISTMAS; at < CHRISTMAS + DAY; at += 5 * MINUTE) {
      const records = await liveAt(at);
      for (const [index, record] of records.entries()) checkPair(before[index] as LivePosition, record);
      before = records;
    }
  }, 120_000);
});

describe("chosen S48: four drivers take turns", () => {
  const { call, liveAt } = startedAt(CHRISTMAS);
  const now = CHRISTMAS + DAY;
  const iso = (at: number) => new Date(at).toISOString().slice(0, 19);
  const activities = async (from: number, to: number): Promise<TachoDriver[]> => {
    call.setClock(now);
    return (await call.tacho({ startTime: iso(from), endTime: iso(to), pagination: { skip: 0, limit: 1000 } })).body.data;
  };
  const seconds = (list: TachoActivity[], activity: string) =>
    list.reduce((sum, entry) => sum + (entry.activity === activity ? (entry.duration ?? 0) : 0), 0);

  test("and keep to the driving times of a shift, a week and a fortnight", async () => {
    for (const { driverId, activities: list = [] } of await activities(now - 30 * DAY, now)) {
      const begin = list.findIndex(({ isStartOfShift }) => isStartOfShift);
      let [sinceBreak, inShift, sinceWeeklyRest] = [0, 0, list[begin]?.startTime ?? ""];
      for (const { activity, duration = 0, isStartOfShift, flagManualEntry, inProgress, endTime = "" } of list.slice(begin)) {
        if (isStartOfShift) inShift = 0;
        if (activity === "DRIVING") {
          sinceBreak += duration;
          inShift += duration;
        }
        if (activity === "REST" && duration >= 45 * 60) sinceBreak = 0;
        const isDailyRest = flagManualEntry && !inProgress;
        if (isDailyRest && duration >= 45 * 3600) sinceWeeklyRest = endTime;
        expect([driverId, sinceBreak <= 4.5 * 3600, inShift <= 9 * 3600]).toEqual([driverId, true, true]);
        if (isDailyRest) expect(duration).toBeGreaterThanOrEqual(11 * 3600);
        if (endTime) expect(Date.parse(endTime) - Date.parse(sinceWeeklyRest)).toBeLessThanOrEqual(6 * DAY);
      }
    }
    for (const { driverId, activities: list = [] } of await activities(now - 14 * DAY, now))
      expect([driverId, seconds(list, "DRIVING") <= 90 * 3600]).toEqual([driverId, true]);
    for (const { driverId, activities: list = [] } of await activities(now - 7 * DAY, now))
      expect([driverId, seconds(list, "DRIVING") <= 56 * 3600]).toEqual([driverId, true]);
  });

  test("so that a live position names the one whose card records the drive", async () => {
    const drivers = await activities(now, now + 1000);
    let compared = 0;
    for (const { assetId, assetType, driverId } of (await liveAt(now)).filter(isMoving)) {
      if (assetType !== "TRUCK") continue;
      const driver = found(drivers, (candidate) => candidate.driverId === driverId);
      expect(driver.activities?.at(-1)).toMatchObject({ activity: "DRIVING", assetId });
      compared++;
    }
    expect(compared).toBeGreaterThan(5);
  });

  test("and all of them are seen on the truck within eight days, belong to its group and are accepted for its jobs", async () => {
    const seen = new Map<string, string>();
    let groupId = "";
    for (let hours = 0; hours < 8 * 24; hours += 6) {
      const truck = found(await liveAt(now + hours * HOUR), ({ assetName }) => assetName === "Truck 12");
      seen.set(truck.driverId ?? "", truck.driverName ?? "");
      groupId = truck.driverGroupId ?? "";
    }
    expect(seen.size).toBe(4);
    const { body } = await call.updateGroup({ id: groupId });
    expect(body.personIds).toEqual(expect.arrayContaining([...seen.keys()]));
    for (const [personId, personName] of seen) {
      const { body: created } = await call.createJob({ address: "Lyon", vehicleName: "Truck 12", personId });
      expect(created.job).toMatchObject({ vehicleName: "Truck 12", personId, personName });
    }
    const other = found(await liveAt(now), ({ assetName }) => assetName === "Truck 1");
    const { body: refused } = await call.createJob({ address: "Lyon", vehicleName: "Truck 12", personId: other.driverId });
    expect(refused.errors).toMatchObject([{ field: "personId" }]);
  });

  test("and a job for the truck alone goes to the one who has it", async () => {
    const truck = found(await liveAt(now), ({ assetName }) => assetName === "Truck 12");
    const { body } = await call.createJob({ address: "Lyon", vehicleName: "Truck 12" });
    expect(body.job.personId).toBe(truck.driverId);
  });
});
