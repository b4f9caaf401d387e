import type { Activity, ActivityKind } from "../src/index.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const LENGTHS: Record<string, number> = { d: DAY, h: HOUR, m: MINUTE, s: 1000 };

/** Reads a duration such as "4h30m". */
export const duration = (text: string): number =>
  [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (LENGTHS[unit] ?? Number.NaN), 0);

export const instant = (text: string): number => Date.parse(`${text}Z`);

/** Reads activities that follow each other, such as "driving 4h30m, break 45m". A `gap` is left out. */
export function activitiesFrom(start: number, text: string): { activities: Activity[]; end: number } {
  let end = start;
  const activities = text.split(", ").flatMap((part): Activity[] => {
    const [kind = "", length = ""] = part.split(" ");
    const begin = end;
    end += duration(length);
    return kind === "gap" ? [] : [{ kind: kind as ActivityKind, start: begin, end }];
  });
  return { activities, end };
}

/** A weekly rest of 46 hours that ends at `start`, and then the activities. */
export function afterWeeklyRest(start: string, text: string): { activities: Activity[]; at: number } {
  const { activities, end } = activitiesFrom(instant(start) - 46 * HOUR, `rest 46h, ${text}`);
  return { activities, at: end };
}
