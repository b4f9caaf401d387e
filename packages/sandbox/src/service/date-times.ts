import { parseDateTime } from "@fleetwire/core/internal";

const FORMS = {
  /** UTC without a suffix (interface 4.2, 4.5). */
  seconds: /^\S{10}T\d{2}:\d{2}:\d{2}$/,
  /** UTC with a Z and without seconds (interface 2.5). */
  minutes: /^\S{10}T\d{2}:\d{2}Z$/,
  /** Any ISO 8601 date-time (interface 4.3); no suffix means UTC. */
  any: /^\S{10}T\S+$/,
} as const;

export type InstantForm = keyof typeof FORMS;

/** Names of the formats, for error messages. */
export const FORM_TEXT: Record<InstantForm, string> = {
  seconds: "YYYY-MM-DDThh:mm:ss in UTC",
  minutes: "YYYY-MM-DDTHH:mmZ",
  any: "an ISO 8601 date-time",
};

/** The instant that a string represents, in epoch ms; undefined for other formats and nonexistent dates. */
export const readForm = (text: string, form: InstantForm): number | undefined => (FORMS[form].test(text) ? parseDateTime(text) : undefined);

const DAY_MS = 86_400_000;
const MAX_DAYS = 1000;
const days = new Map<number, string>();
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

/** The date of a day since the epoch. A list has few different ones, and `toISOString` is slow. */
function writeDay(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size >= MAX_DAYS) days.clear();
  const text = new Date(day * DAY_MS).toISOString().slice(0, -"00:00:00.000Z".length);
  days.set(day, text);
  return text;
}

/** Formats an instant as UTC with a Z, to the second. */
export function writeInstant(at: number): string {
  const day = Math.floor(at / DAY_MS);
  const seconds = Math.floor((at - day * DAY_MS) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${writeDay(day)}${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}Z`;
}
