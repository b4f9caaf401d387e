import type { Activity, ActivityKind } from "../src/index.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Monday, 2 November 2026, 06:00 UTC. */
export const MONDAY = "2026-11-02T06:00";
export const START = Date.parse(`${MONDAY}Z`);

const LENGTHS: Record<string, number> = { d: DAY, h: HOUR, m: MINUTE, s: 1000 };

/** Reads a duration such as "4h30m". */
export const duration = (text: string): number =>
  [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (LENGTHS[unit] ?? Number.NaN), 0);

export const instant = (text: string): number => Date.parse(`${text}Z`);

/** Writes a duration, such as 4h30. */
export const hours = (ms: number) => `${Math.floor(ms / HOUR)}h${String((ms % HOUR) / MINUTE).padStart(2, "0")}`;

/** The cells of a table with a row a line. */
export const table = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));

/** Reads activities that follow each other, such as "2x(driving 4h30m, break 45m), rest 12h". A `gap` is left out. */
export function activitiesFrom(start: number, text: string): { activities: Activity[]; end: number } {
  const group = /(\d+)x\(([^()]*)\)/;
  const [whole, times, part = ""] = group.exec(text) ?? [];
  if (whole) return activitiesFrom(start, text.replace(whole, Array(Number(times)).fill(part).join(", ")));
  let end = start;
  const activities = text.split(", ").flatMap((one): Activity[] => {
    const [kind = "", length = ""] = one.split(" ");
    const begin = end;
    end += duration(length);
    return kind === "gap" ? [] : [{ kind: kind as ActivityKind, start: begin, end }];
  });
  return { activities, end };
}

/** A weekly rest of 46 hours that ends at `start`, and then the activities, with what `change` says of them. */
export function afterWeeklyRest(start: string, text: string, change: Partial<Activity> = {}): { activities: Activity[]; at: number } {
  const { activities, end } = activitiesFrom(instant(start) - 46 * HOUR, `rest 46h, ${text}`);
  return { activities: activities.map((one) => ({ ...one, ...change })), at: end };
}
