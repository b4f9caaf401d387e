import { ageInWords, type ZonedTimes } from "./time.ts";

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats the day in the user's zone, such as "19 Nov", with the year unless it is the current one, and the time of day. */
export function dayAndTime(instant: number, { now, text }: ZonedTimes): readonly [day: string, time: string] {
  const [date = "", time = ""] = text(instant).split(" ");
  const [year = "", month, day] = date.split("-");
  return [`${Number(day)} ${MONTHS[Number(month) - 1]}${text(now).startsWith(year) ? "" : ` ${year}`}`, time];
}

/**
 * Formats an instant in a few tokens: within the last hour, its age, such as "4 min ago"; in the future or the last week, its time in the
 * user's zone, such as "19 Nov 06:12"; otherwise the day, with the year unless it is the current one. The day is omitted if the preceding instant in
 * the row has the same one.
 */
export function briefTime(instant: number, times: ZonedTimes, before?: number): string {
  const { now } = times;
  if (instant <= now && now - instant < HOUR) return ageInWords(instant, now);
  const [day, time] = dayAndTime(instant, times);
  if (now - instant > WEEK) return day;
  const isSaid = before !== undefined && now - before >= HOUR && dayAndTime(before, times)[0] === day;
  return isSaid ? time : `${day} ${time}`;
}
