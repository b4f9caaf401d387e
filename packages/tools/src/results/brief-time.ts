import { ageInWords, type ZonedTimes } from "./time.ts";

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Formats an instant in a few tokens: its age within the last hour, such as "4 min ago", within a week its time in the user's zone, such as "19 Nov 06:12",
 * otherwise the day, with the year unless it is the current one.
 */
export function briefTime(instant: number, { now, text }: ZonedTimes): string {
  if (instant <= now && now - instant < HOUR) return ageInWords(instant, now);
  const [date = "", time = ""] = text(instant).split(" ");
  const [year = "", month, day] = date.split("-");
  const brief = `${Number(day)} ${MONTHS[Number(month) - 1]}${text(now).startsWith(year) ? "" : ` ${year}`}`;
  return Math.abs(now - instant) > WEEK ? brief : `${brief} ${time}`;
}
