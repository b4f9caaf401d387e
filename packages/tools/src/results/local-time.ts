/** Formats instants in a time zone, without its name. */
export interface LocalTime {
  zone: string;
  /** Such as 06:10. */
  time: (instant: number) => string;
  /** Such as 2026-11-20 06:10. */
  dateTime: (instant: number) => string;
}

/** @param timeZone - an IANA zone; the host's if undefined */
export function localTime(timeZone: string | undefined): LocalTime {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  const dateTime = (instant: number) => format.format(instant).replace(/[\s\u202f]+/g, " ");
  return {
    zone: timeZone ?? format.resolvedOptions().timeZone,
    time: (instant) => dateTime(instant).slice(-5),
    dateTime,
  };
}

/** Formats a duration in hours and minutes, such as 4:30, without rounding up. */
export function hoursAndMinutes(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}
