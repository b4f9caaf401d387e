import type { Rule } from "../packages/driving-time/src/index.ts";
import { brokenRules, type Minute } from "../packages/driving-time/test/infringements-minute-by-minute.ts";
import { activitiesOf, rests } from "./drivers-work.ts";
import { type Activity, MINUTE, type World } from "./world.ts";

export interface Broken {
  rule: string;
  driver: string;
  /** When it was broken. */
  at: number;
  /** The driving, or the rest, in ms; for a late weekly rest, the time until it. */
  actual: number;
}

const nearestMinute = (time: number) => Math.ceil(time / MINUTE - 0.5);
const LETTERS: Readonly<Record<string, Minute>> = { DRIVING: "d", WORK: "w", AVAILABILITY: "a" };

/** Judged in the whole minutes that a tachograph records; records have no gaps in this world. */
export function brokenBy(world: World, driver: string): Broken[] {
  const activities = activitiesOf(world, driver);
  const first = nearestMinute(activities[0]?.start ?? world.now);
  const isTeam = activities.some((one) => one["driverCardSlot"] === 2);
  const minutes = new Array<Minute>(nearestMinute(world.now) - first).fill("r");
  for (const { activity, start, end } of activities) {
    const letter = LETTERS[activity] ?? "r";
    minutes.fill(isTeam ? (letter.toUpperCase() as Minute) : letter, nearestMinute(start) - first, nearestMinute(end) - first);
  }
  return brokenRules(minutes, first).map(({ rule, at, actual }) => ({ rule, driver, at: at * MINUTE, actual: actual * MINUTE }));
}

/** What the drivers whose names are known broke in a period, in order. */
export const brokenIn = (world: World, [from, to]: readonly [number, number], ...rules: readonly Rule[]) =>
  world.vehicles
    .filter(({ driverId }) => world.activities.has(driverId))
    .flatMap(({ driverName }) => brokenBy(world, driverName))
    .filter(({ rule, at }) => at < world.now && (rules.length === 0 || rules.includes(rule as Rule)) && at >= from && at < to)
    .sort((a, b) => a.at - b.at);

/** The rest between the shift that ended last before an instant and the next. */
export function restAround(world: World, driver: string, time: number): Activity {
  const rest = rests(activitiesOf(world, driver)).find(({ start, end }) => start <= time && time < end);
  if (!rest) throw new Error(`${driver} did not rest then`);
  return rest;
}
