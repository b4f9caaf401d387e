import type { LivePosition, TachoActivity, TachoDriver } from "@fleetwire/core";
import { beforeAll, describe, expect, test } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 23);
const WEEKS = 24;
const iso = (at: number) => new Date(at).toISOString().slice(0, 19);

/** What an analyst sees of a fleet of 200 over plain HTTP, in half a year of ordinary weeks. */
const call = callSandbox({ rhythm: "week", vehicles: 200 });
const idsOfName = new Map<string, Set<string>>();
const towns = new Map<string, Set<string>>();
const topSpeed = new Map<string, number>();
const postCodes = new Map<string, Set<string>>();
const kmOfYear: number[] = [];
/** Lengths in ms. */
const seen = { driving: [] as number[], breaks: [] as number[], rests: [] as number[] };
const odd = { activities: 0, gaps: 0, overlaps: 0 };

const add = (sets: Map<string, Set<string>>, key = "", value = "") => sets.set(key, (sets.get(key) ?? new Set()).add(value));
const between = (lengths: readonly number[], from: number, to: number) => lengths.filter((ms) => ms >= from && ms < to).length;

/** Looks at a driver's activities in order; driving is added up from one full break to the next. */
function lookAt(activities: readonly TachoActivity[]): void {
  let drivenMs = 0;
  let previousEnd: number | undefined;
  for (const { activity, startTime = "", endTime } of activities) {
    if (endTime === undefined) return;
    const [start, end] = [Date.parse(startTime), Date.parse(endTime)];
    const ms = end - start;
    odd.activities++;
    if (previousEnd !== undefined && start > previousEnd) odd.gaps++;
    if (previousEnd !== undefined && start < previousEnd) odd.overlaps++;
    else if (activity === "DRIVING") drivenMs += ms;
    previousEnd = end;
    if (activity !== "REST") continue;
    (ms < 3 * HOUR ? seen.breaks : seen.rests).push(ms);
    if (ms < 45 * MINUTE) continue;
    if (drivenMs > 0) seen.driving.push(drivenMs);
    drivenMs = 0;
  }
}

beforeAll(async () => {
  for (let at = NOW - 14 * DAY; at < NOW; at += 53 * MINUTE) {
    call.setClock(at);
    for (const { assetId, assetType, driverId, driverName, city, postCode, speed = 0 } of (await call.live()) as LivePosition[]) {
      if (driverName !== undefined) add(idsOfName, driverName, driverId);
      if (city !== undefined) add(postCodes, city, postCode);
      if (assetType !== "VAN" || city === undefined) continue;
      add(towns, assetId, city);
      topSpeed.set(assetId ?? "", Math.max(topSpeed.get(assetId ?? "") ?? 0, speed));
    }
  }
  const odometers = async (at: number) => {
    call.setClock(at);
    const positions: LivePosition[] = await call.live();
    return positions.filter(({ assetType, energyType }) => assetType === "TRUCK" && energyType === "ICE");
  };
  const before = new Map((await odometers(NOW - 364 * DAY)).map(({ assetId, odometer = 0 }) => [assetId, odometer]));
  for (const { assetId, odometer = 0 } of await odometers(NOW)) kmOfYear.push(odometer - (before.get(assetId) ?? 0));
  const byDriver = new Map<string, Map<string, TachoActivity>>();
  for (let at = NOW - WEEKS * 7 * DAY; at < NOW; at += 28 * DAY) {
    const { body } = await call.tacho({ startTime: iso(at), endTime: iso(at + 28 * DAY), limit: 1000 });
    for (const { driverId = "", activities = [] } of body.data as TachoDriver[]) {
      const known = byDriver.get(driverId) ?? new Map();
      for (const activity of activities) known.set(`${activity.startTime} ${activity.endTime}`, activity);
      byDriver.set(driverId, known);
    }
  }
  for (const activities of byDriver.values()) lookAt([...activities.values()]);
}, 240_000);

describe("an analyst finds a plausible fleet", () => {
  test("with a handful of namesakes", () => {
    const namesakes = [...idsOfName.values()].filter(({ size }) => size > 1);
    expect(namesakes.length).toBeGreaterThan(2);
    expect(namesakes.length).toBeLessThan(idsOfName.size / 20);
  });

  test.each([
    ["driving without a break, at most four and a half hours", seen.driving, 4.25 * HOUR, 4.5 * HOUR, 50, 3000],
    ["driving without a break, narrowly too long", seen.driving, 4.5 * HOUR + 1, 5.5 * HOUR, 5, 100],
    ["breaks that are narrowly too short", seen.breaks, 40 * MINUTE, 45 * MINUTE, 10, 200],
    ["breaks that are just long enough", seen.breaks, 45 * MINUTE, 46 * MINUTE, 100, 3000],
    ["daily rests of less than nine hours", seen.rests, 8 * HOUR, 9 * HOUR, 10, 200],
    ["daily rests of just nine hours", seen.rests, 9 * HOUR, 9.5 * HOUR, 5, 200],
    ["daily rests of nearly eleven hours", seen.rests, 10.5 * HOUR, 11 * HOUR, 10, 500],
    ["daily rests of just eleven hours", seen.rests, 11 * HOUR, 11.5 * HOUR, 10, 500],
    ["days off of a week or more", seen.rests, 6 * DAY, 30 * DAY, 50, 1000],
  ])("with %s", (_, lengths, from, to, least, most) => {
    expect(between(lengths, from, to)).toBeGreaterThan(least);
    expect(between(lengths, from, to)).toBeLessThan(most);
  });

  test("whose short breaks and short rests are of all lengths", () => {
    for (const short of [seen.breaks.filter((ms) => ms < 45 * MINUTE), seen.rests.filter((ms) => ms > 6 * HOUR && ms < 9 * HOUR)])
      expect(new Set(short).size).toBeGreaterThan(short.length * 0.6);
  });

  test("of whose activities under one in a hundred is missing or there twice", () => {
    for (const count of [odd.gaps, odd.overlaps]) {
      expect(count).toBeGreaterThan(odd.activities / 5000);
      expect(count).toBeLessThan(odd.activities / 100);
    }
  });

  test("whose vans drive on main roads between towns", () => {
    const away = [...towns.entries()].filter(([id, { size }]) => size > 1 && (topSpeed.get(id) ?? 0) > 80);
    expect(away.length).toBeGreaterThan(towns.size * 0.8);
  });

  test("whose towns have several postcodes", () => {
    const several = [...postCodes.values()].filter(({ size }) => size > 1);
    expect(several.length).toBeGreaterThan(postCodes.size * 0.6);
  });

  test("whose trucks drive about 100,000 to 130,000 km a year", () => {
    const sorted = kmOfYear.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(share * sorted.length)];
    expect(at(0.05)).toBeGreaterThan(75_000);
    expect(at(0.5)).toBeGreaterThan(100_000);
    expect(at(0.5)).toBeLessThan(130_000);
    expect(sorted.at(-1)).toBeLessThan(175_000);
  });
});
