import { isDeepStrictEqual } from "node:util";
import type { LivePosition, TachoDriver } from "@fleetwire/core";
import type { Infringement } from "@fleetwire/driving-time";
import type { SandboxOptions } from "@fleetwire/sandbox";
import { describe, expect, test } from "vitest";
import { broken, checkPair, hoursBetween, isMoving, kmBetween, tryRandomPolls } from "./laws.ts";
import { callSandbox, found } from "./sandbox-caller.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function fleetOf(options: SandboxOptions) {
  const call = callSandbox(options);
  const liveAt = (at: number): Promise<LivePosition[]> => {
    call.setClock(at);
    return call.live();
  };
  return { call, liveAt };
}

describe.each(["nonstop", "week"] as const)("a fleet of rhythm %s obeys physics", (rhythm) => {
  test("between polls seconds to days apart", () => tryRandomPolls(2, { rhythm }));

  test("minute by minute, forwards and backwards, with trailers behind their trucks", async () => {
    const start = Date.UTC(2026, 10, 19, 11);
    const { liveAt } = fleetOf({ rhythm, start });
    const minutes: LivePosition[][] = [];
    let together = 0;
    for (let at = start; at < start + 3 * HOUR; at += MINUTE) {
      const records = await liveAt(at);
      for (const [index, record] of records.entries()) {
        const before = minutes.at(-1)?.[index] ?? record;
        checkPair(before, record);
        // A vehicle's state is that of its latest report.
        if (before.date === record.date && !isDeepStrictEqual(before, record)) expect(record).toEqual(before);
      }
      const [truck, trailer] = ["Truck 1", "Trailer 1"].map((name) => found(records, ({ assetName }) => assetName === name));
      if (truck && trailer && Math.abs(hoursBetween(truck, trailer)) < 0.006) together = Math.max(together, kmBetween(truck, trailer));
      minutes.push(records);
    }
    expect(together).toBeGreaterThan(0);
    expect(together).toBeLessThan(0.8);
    for (const minute of [179, 90, 3]) expect(await liveAt(start + minute * MINUTE)).toEqual(minutes[minute]);
  });
});

test("a fleet is parked at home before its entry into service", async () => {
  const { liveAt } = fleetOf({});
  const before = await liveAt(Date.UTC(2015, 5, 5, 9));
  for (const [index, record] of (await liveAt(Date.UTC(2015, 7, 7, 9))).entries())
    expect(record).toMatchObject({ speed: 0, odometer: before[index]?.odometer, latitude: before[index]?.latitude });
});

const CHRISTMAS = Date.UTC(2026, 11, 25, 0, 30);
const nonstop = (start: number, options: SandboxOptions = {}) => fleetOf({ rhythm: "nonstop", start, ...options });
const moves = (record: LivePosition) => isMoving(record) || (record.assetType === "TRAILER" && (record.speed ?? 0) > 0);
const truck12 = (records: readonly LivePosition[]) => found(records, ({ assetName }) => assetName === "Truck 12");

describe("a fleet that never sleeps", () => {
  test.each<[string, number, SandboxOptions]>([
    ["a Sunday at three in the morning", Date.UTC(2026, 10, 22, 3, 0, 41), {}],
    ["Christmas night", CHRISTMAS, { seed: 5, vehicles: 20 }],
    ["a weekday at noon", Date.UTC(2027, 6, 14, 12, 7, 3, 250), { seed: 77 }],
  ])("from %s: truck 12 is under way, and at least a quarter moves throughout two weeks", async (_, start, options) => {
    const { liveAt } = nonstop(start, options);
    for (const minutes of [0, 1, 5, 15]) {
      const truck = truck12(await liveAt(start + minutes * MINUTE));
      expect(truck).toMatchObject({ eventType: "driving", ignitionStatus: "ON" });
      expect(truck.speed).toBeGreaterThan(20);
      expect(start + minutes * MINUTE - Date.parse(truck.date ?? "")).toBeLessThan(31_000);
    }
    // Eleven is no divisor of 24, so that every hour of the day comes up.
    for (let hour = 0; hour < 14 * 24; hour += 11) {
      const records = await liveAt(start + hour * HOUR);
      expect(records.filter(moves).length / records.length).toBeGreaterThanOrEqual(0.25);
    }
  });

  test("delivers in towns by day and rests there at night", async () => {
    const { liveAt } = nonstop(CHRISTMAS);
    const isOfTown = ({ energyType, assetType }: LivePosition) => energyType === "EV" || assetType === "CAR";
    const driven = async (from: number) => {
      let count = 0;
      for (let at = from; at < from + 4 * HOUR; at += 15 * MINUTE) count += (await liveAt(at)).filter(isOfTown).filter(isMoving).length;
      return count;
    };
    expect(await driven(CHRISTMAS)).toBeGreaterThan(3 * (await driven(CHRISTMAS + 13 * HOUR)));
  });

  test("is the default without a clock, and starts anew with each start", async () => {
    const live: LivePosition[] = await callSandbox({ clock: Date.now, start: Date.now() }).live();
    expect(truck12(live).eventType).toBe("driving");
    const [one, same, other] = [CHRISTMAS, CHRISTMAS, CHRISTMAS + HOUR].map((start) => nonstop(start).liveAt(CHRISTMAS + 5 * HOUR));
    expect(await same).toEqual(await one);
    expect(await other).not.toEqual(await one);
  });

  test("has four drivers for a truck, who keep the rules, are seen with it, belong to its group and get its jobs", async () => {
    const { call, liveAt } = nonstop(CHRISTMAS);
    const [now, from] = [CHRISTMAS + DAY, CHRISTMAS - 40 * DAY];
    const drivers = new Map<string, TachoDriver["activities"]>();
    call.setClock(now);
    for (let at = from; at < now; at += 30 * DAY) {
      const [startTime, endTime] = [at, Math.min(now, at + 30 * DAY)].map((time) => new Date(time).toISOString().slice(0, 19));
      for (const { driverId = "", activities = [] } of (await call.tacho({ startTime, endTime, limit: 1000 })).body.data)
        drivers.set(driverId, [...(drivers.get(driverId) ?? []), ...activities]);
    }
    for (const list of drivers.values()) {
      const isCertain = ({ certainty, article }: Infringement) => certainty === "certain" && article.startsWith("Regulation");
      expect(broken(list ?? [], now - 14 * DAY, now).filter(isCertain)).toEqual([]);
    }
    const moving = (await liveAt(now)).filter((record) => isMoving(record) && record.assetType === "TRUCK");
    expect(moving.length).toBeGreaterThan(5);
    for (const { assetId, driverId = "" } of moving) expect(drivers.get(driverId)?.at(-1)).toMatchObject({ activity: "DRIVING", assetId });

    const seen = new Map<string, string>();
    for (let hours = 0; hours < 8 * 24; hours += 6) {
      const { driverId = "", driverName = "" } = truck12(await liveAt(now + hours * HOUR));
      seen.set(driverId, driverName);
    }
    expect(seen.size).toBe(4);
    const live = await liveAt(now);
    const { driverGroupId, driverId } = truck12(live);
    expect((await call.updateGroup({ id: driverGroupId })).body.personIds).toEqual(expect.arrayContaining([...seen.keys()]));
    const job = async (personId?: string) => (await call.createJob({ address: "Lyon", vehicleName: "Truck 12", personId })).body;
    for (const [personId, personName] of seen) expect((await job(personId)).job).toMatchObject({ personId, personName });
    const other = found(live, ({ assetName }) => assetName === "Truck 1");
    expect((await job(other.driverId)).errors).toMatchObject([{ field: "personId" }]);
    expect((await job()).job.personId).toBe(driverId);
  });
});
