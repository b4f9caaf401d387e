import { parseDateTime } from "@fleetwire/core";

const UNITS = [
  ["day", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

const CLOCKS_DIFFER_SECONDS = 300;

/** Formats an age, such as "4 min ago". */
export function ageInWords(instant: number, now: number): string {
  const seconds = Math.floor((now - instant) / 1000);
  if (seconds < -CLOCKS_DIFFER_SECONDS) return "in the future";
  for (const [unit, length] of UNITS) {
    const count = Math.floor(seconds / length);
    if (count >= 1) return `${count} ${unit === "day" && count > 1 ? "days" : unit} ago`;
  }
  return seconds < 5 ? "just now" : `${seconds} s ago`;
}

/** Formats a duration, such as "7 h 05 min". */
export function durationInWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours === 0 ? `${rest} min` : `${hours} h ${String(rest).padStart(2, "0")} min`;
}

/** Formats an instant in UTC, to the second, such as 2026-11-20 08:30:00 UTC. */
export function utc(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const COMPASS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/** Converts a heading in degrees to a compass point. */
export function compassPoint(degrees: number): string {
  return COMPASS.at(Math.round(degrees / 45) % 8) as string;
}

/** Returns a function that formats the age of a date-time from the service; undefined if the date-time is invalid. */
export function ageOf(now: number): (value: unknown) => string | undefined {
  return (value) => {
    const instant = parseDateTime(value);
    return instant === undefined ? undefined : ageInWords(instant, now);
  };
}

/** Like {@link compassPoint}, but returns undefined for anything that is not a number. */
export const directionOf = (value: unknown) => (typeof value === "number" ? compassPoint(value) : undefined);
