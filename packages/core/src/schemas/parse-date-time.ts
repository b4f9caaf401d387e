const ISO_8601 = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Returns how many minutes an offset such as `+01:00` is ahead of UTC, or undefined if no such offset exists. */
function offsetOf(zone: string): number | undefined {
  if (/^(z|)$/i.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Parses an ISO 8601 date or date-time into milliseconds since 1970. Without an offset it is in UTC; a date alone means midnight. Returns undefined for any
 * other value, for a date or time that does not exist, such as 30 February, and for years before 100, which services send in place of a missing date.
 */
export function parseDateTime(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const parts = ISO_8601.exec(value);
  if (!parts) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = ""] = parts;
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  if (Number(year) < 100 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), milliseconds));
  // Date.UTC rolls over a day or month that does not exist.
  if (at.getUTCDate() !== Number(day) || at.getUTCMonth() !== Number(month) - 1) return undefined;
  const offset = offsetOf(zone);
  return offset === undefined ? undefined : at.getTime() - offset * 60_000;
}

/** Whether a string is a valid date in the format `YYYY-DD-MM`, with the day first (interface 2.5). */
export function isDayFirstDate(text: string): boolean {
  const [, year, day, month] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  return parseDateTime(`${year}-${month}-${day}`) !== undefined;
}
