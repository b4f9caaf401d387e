const FORMS = {
  /** UTC without a suffix (interface 4.2, 4.5). */
  seconds: /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})$/,
  /** UTC with a Z and without seconds (interface 2.5). */
  minutes: /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})Z$/,
  /** Any ISO 8601 date-time (interface 4.3); no suffix means UTC. */
  any: /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/,
} as const;

export type InstantForm = keyof typeof FORMS;

/** How a form is written, for error messages. */
export const FORM_TEXT: Record<InstantForm, string> = {
  seconds: "YYYY-MM-DDThh:mm:ss in UTC",
  minutes: "YYYY-MM-DDTHH:mmZ",
  any: "an ISO 8601 date-time",
};

function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** The instant, in epoch ms, that a text of a form names; undefined for other forms and for dates that do not exist. */
export function readInstant(text: string, form: InstantForm): number | undefined {
  const [, day = "", hour = "", minute = "", second = "00", zone = "Z"] = FORMS[form].exec(text) ?? [];
  if (!isDay(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const utc = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  if (zone === "Z") return utc;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 14 || minutes > 59) return undefined;
  return utc + (zone.startsWith("-") ? 1 : -1) * (hours * 60 + minutes) * 60_000;
}

/** Whether a text is a day written `YYYY-DD-MM`, the other documented form of a scheduled start (interface 2.5). */
export function isDayFirst(text: string): boolean {
  const [, year = "", day = "", month = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  return isDay(`${year}-${month}-${day}`);
}

/** An instant as the sandbox writes it: UTC with a Z, to the second. */
export function writeInstant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
