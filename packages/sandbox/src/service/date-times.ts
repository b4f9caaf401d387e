import { parseDateTime } from "@fleetwire/core";

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

/** Formats an instant as UTC with a Z, to the second. */
export function writeInstant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
