import { DAY, HOUR } from "./world.ts";

/** The user's time zone in every question. */
export const ZONE = "Europe/Berlin";

const wall = new Intl.DateTimeFormat("sv", { timeZone: ZONE, dateStyle: "short", timeStyle: "medium" });

/** Milliseconds by which the zone is ahead of UTC. */
const offset = (time: number) => Date.parse(`${wall.format(time).replace(" ", "T")}Z`) - Math.floor(time / 1000) * 1000;

/** HH:MM for the user. */
export const clockOf = (time: number) => wall.format(time).slice(11, 16);

const midnight = (time: number) => {
  const start = Date.parse(`${wall.format(time).slice(0, 10)}T00:00:00Z`);
  return start - offset(start);
};

export type Period = readonly [start: number, end: number];

/** A day in the user's zone: 0 is today up to now, -1 yesterday. */
export function day(now: number, days = 0): Period {
  const start = midnight(midnight(now) + days * DAY + 12 * HOUR);
  return [start, Math.min(now, midnight(start + 36 * HOUR))];
}

/** The user's week since Monday, up to now. */
export function week(now: number): Period {
  const weekday = (new Date(day(now)[0] + 12 * HOUR).getUTCDay() + 6) % 7;
  return [day(now, -weekday)[0], now];
}

export const isIn = (time: number, [start, end]: Period) => time >= start && time < end;
