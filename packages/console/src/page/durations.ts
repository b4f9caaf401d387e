const MINUTE = 60_000;

/** Formats a duration in milliseconds as hours and minutes, such as 4:30. */
export function hours(duration: number): string {
  const minutes = Math.max(0, Math.round(duration / MINUTE));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

const clockTime = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** The time of day in the browser's zone. */
export const timeOfDay = (at: number): string => clockTime.format(at);

/** The day and the time in the browser's zone. */
export const dateAndTime = (at: number): string => dayAndTime.format(at);
