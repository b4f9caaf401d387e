const UNITS = [
  ["day", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** Reads a date-time of the service; without a zone it is UTC. Undefined where it is none. */
export function readInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes("T") ? text : `${text}Z`;
  const instant = Date.parse(zoned);
  return Number.isNaN(instant) ? undefined : instant;
}

/** An age in words, such as "4 min ago". */
export function ageInWords(instant: number, now: number): string {
  const seconds = Math.floor((now - instant) / 1000);
  if (seconds < 0) return "just now";
  for (const [unit, length] of UNITS) {
    const count = Math.floor(seconds / length);
    if (count >= 1) return `${count} ${unit === "day" && count > 1 ? "days" : unit} ago`;
  }
  return seconds < 5 ? "just now" : `${seconds} s ago`;
}

/** An instant as UTC to the second, such as 2026-11-20 08:30:00 UTC. */
export function utc(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const COMPASS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/** A heading in degrees as a compass point. */
export function compassPoint(degrees: number): string {
  return COMPASS[Math.round((((degrees % 360) + 360) % 360) / 45) % 8] as string;
}
