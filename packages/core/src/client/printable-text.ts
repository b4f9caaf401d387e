import type { Redact } from "./redaction.ts";

const MAX_TEXT = 300;
// More than is shown even of a text that is half blank, and little enough to search for secrets.
const MAX_READ = 2_000;

/** The beginning of a text that is too long, marked as such; no letter is cut in two. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replace(/\p{Cs}$/u, "")}…` : text;
}

/** Text of the service made fit for one line of a message: no control characters, no secrets, not too long. */
export function plain(text: string, redact: Redact): string {
  const line = redact(text.slice(0, MAX_READ))
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return shortened(line, MAX_TEXT);
}
