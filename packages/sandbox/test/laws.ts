import type { LivePosition, TachoActivity } from "@fleetwire/core";
import { type Activity, type Infringement, infringements } from "@fleetwire/driving-time";
import type { SandboxOptions } from "@fleetwire/sandbox";
import fc from "fast-check";
import { expect } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

const EARTH_RADIUS_KM = 6371.0088;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

export function kmBetween(from: LivePosition, to: LivePosition): number {
  const [a, b] = [radians(from.latitude ?? 0), radians(to.latitude ?? 0)];
  const half =
    Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians((to.longitude ?? 0) - (from.longitude ?? 0)) / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(half));
}

function bearing(from: LivePosition, to: LivePosition): number {
  const [a, b] = [radians(from.latitude ?? 0), radians(to.latitude ?? 0)];
  const turn = radians((to.longitude ?? 0) - (from.longitude ?? 0));
  const angle = Math.atan2(Math.sin(turn) * Math.cos(b), Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(turn));
  return ((angle * 180) / Math.PI + 360) % 360;
}

const number = (value: number | undefined) => value ?? Number.NaN;
export const hoursBetween = (from: LivePosition, to: LivePosition) => (Date.parse(to.date ?? "") - Date.parse(from.date ?? "")) / 3_600_000;
export const isMoving = ({ eventType }: LivePosition) => eventType === "driving" || eventType === "defect";

type Laws = Readonly<Record<string, boolean>>;

/** Fails if a law is broken. One `expect` for each of the million comparisons would take longer than the sandbox does. */
function obeys(laws: Laws, records: readonly LivePosition[]): void {
  for (const [law, holds] of Object.entries(laws)) if (!holds) expect.fail(`${law}: ${JSON.stringify(records)}`);
}

/** Checks any two records of one vehicle, in order of time, and those of one drive. */
export function checkPair(before: LivePosition, after: LivePosition): void {
  const hours = hoursBetween(before, after);
  const km = number(after.odometer) - number(before.odometer);
  const engine = before.engineTotalHours === undefined ? 0 : number(after.engineTotalHours) - before.engineTotalHours;
  obeys(
    {
      "reports come in order": hours >= 0,
      "the odometer only grows": km >= 0,
      "the odometer counts at least the straight line": kmBetween(before, after) <= km + 0.02,
      "nothing is faster than 125 km/h": km <= hours * 125 + 0.01,
      "engine hours only grow": engine >= 0,
      "engine hours pass no faster than the clock": engine <= Math.max(hours, 0) + 0.002,
    },
    [before, after],
  );
  if (!isMoving(before) || !isMoving(after) || hours === 0 || hours >= 0.02) return;
  const [slower, faster] = [number(before.speed), number(after.speed)].toSorted((one, other) => one - other) as [number, number];
  const isStraight = kmBetween(before, after) > 0.3 && Math.abs(number(before.heading) - number(after.heading)) < 0.2;
  const off = isStraight ? Math.abs(bearing(before, after) - number(after.heading)) : 0;
  obeys(
    {
      "the way is as long as the speed says, at least": km >= hours * slower * 0.6 - 0.03,
      "the way is as long as the speed says, at most": km <= hours * Math.max(faster * 1.4, 60) + 0.1,
      "the heading is the way that was taken": Math.min(off, 360 - off) < 3,
      "fuel does not grow": (after.fuelLevelPercentage ?? 0) <= (before.fuelLevelPercentage ?? 0) + 0.1,
      "the battery does not grow": (after.electricBatteryLevelPercent ?? 0) <= (before.electricBatteryLevelPercent ?? 0) + 0.1,
    },
    [before, after],
  );
}

function checkRecord(record: LivePosition, now: number): void {
  const isShare = (share: number | undefined) => share === undefined || (share > 0 && share <= 100);
  obeys(
    {
      "no report is from the future": Date.parse(record.date ?? "") <= now,
      "the heading is an angle": number(record.heading) >= 0 && number(record.heading) < 360,
      "the latitude is in Europe": number(record.latitude) > 36 && number(record.latitude) < 60,
      "the longitude is in Europe": number(record.longitude) > -10 && number(record.longitude) < 22,
      "fuel is a share": isShare(record.fuelLevelPercentage),
      "the battery is a share": isShare(record.electricBatteryLevelPercent),
      "what charges stands": !record.electricCharging || (record.speed === 0 && record.eventType === "unknown"),
      "what does not drive stands": isMoving(record) || record.eventType === "ping" || record.speed === 0,
      "the ignition is on while it drives or idles":
        record.assetType === "TRAILER" || (record.ignitionStatus === "ON") === (isMoving(record) || record.eventType === "idling"),
    },
    [record],
  );
}

/** Polls fleets of random seeds at random instants, with seconds to days in between. */
export async function tryRandomPolls(numRuns: number, options: SandboxOptions = {}): Promise<void> {
  const poll = fc.integer({ min: 1, max: 5 }).chain((power) => fc.integer({ min: 1, max: 10 ** power }));
  const polls = fc.array(poll, { minLength: 2, maxLength: 6 });
  const instant = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2031, 0, 1) });
  const tryPolls = async (seed: number, start: number, gaps: number[]) => {
    const call = callSandbox({ seed, vehicles: 60, ...options });
    let now = start;
    let before = new Map<string | undefined, LivePosition>();
    for (const seconds of [0, ...gaps]) {
      now += seconds * 1000;
      call.setClock(now);
      const records: LivePosition[] = await call.live();
      for (const record of records) {
        checkRecord(record, now);
        const previous = before.get(record.assetId);
        if (previous) checkPair(previous, record);
      }
      before = new Map(records.map((record) => [record.assetId, record]));
    }
  };
  await fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), instant, polls, tryPolls), { numRuns });
}

const KINDS = { DRIVING: "driving", WORK: "work", AVAILABILITY: "availability", REST: "rest" } as const;

/** The rules of driving, rest and working time that a driver's activities break in a period before now. */
export function broken(list: readonly TachoActivity[], start: number, now: number): Infringement[] {
  const isTeam = list.some(({ driverCardSlot }) => driverCardSlot === 2);
  const activities = list.map(({ activity, startTime = "", endTime, flagManualEntry }): Activity => {
    const end = endTime === undefined ? {} : { end: Date.parse(endTime) };
    const kind = KINDS[activity as keyof typeof KINDS];
    return { kind, start: Date.parse(startTime), ...end, ...(isTeam && !flagManualEntry && { team: true }) };
  });
  return infringements(activities, { start, end: now }, now);
}
