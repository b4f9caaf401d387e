/** Formats a duration in milliseconds as hours and minutes, such as 4:30. */
export function hours(duration: number): string {
  const minutes = Math.max(0, Math.round(duration / 60_000));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

const clockTime = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY_AND_TIME = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
const dayAndTime = new Intl.DateTimeFormat(undefined, DAY_AND_TIME);
const exactly = new Intl.DateTimeFormat(undefined, { ...DAY_AND_TIME, second: "2-digit", timeZoneName: "short" });

/** The time of day in the browser's zone. */
export const timeOfDay = (at: number): string => clockTime.format(at);

const hourOnly = new Intl.DateTimeFormat(undefined, { hour: "numeric" });
/** Whether the browser's language counts hours to twelve: their names are longer. */
export const isTwelveHour = hourOnly.resolvedOptions().hour12 === true;

/** A full hour for the axis of a chart, in the browser's zone: 3 PM or 15:00. */
export const hourOfDay = (at: number): string => (isTwelveHour ? hourOnly : clockTime).format(at);

/** From one time to another, with the day only once if it is the same. */
export const timeSpan = (from: number, to: number | undefined): string =>
  to === undefined ? `from ${dateAndTime(from)}` : dayAndTime.formatRange(from, to);

/** The day and the time in the browser's zone. */
export const dateAndTime = (at: number): string => dayAndTime.format(at);

/** The same with seconds, and the zone. */
export const exactTime = (at: number): string => exactly.format(at);
