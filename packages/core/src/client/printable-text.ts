import { inOneLine } from "../unsafe-text.ts";
import type { Redact } from "./redaction.ts";

const MAX_TEXT = 300;
// Enough for MAX_TEXT even if half of it is blank, and short enough to search for secrets.
const MAX_READ = 2_000;

/** Truncates text that is too long and marks the cut with an ellipsis; never splits a character. */
export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/\p{Cs}$/u, "")}…` : text;
}

/** Makes text from the service safe for one line of a message: no control characters, no secrets, bounded length. */
export function printable(text: string, redact: Redact): string {
  return truncate(inOneLine(redact(text.slice(0, MAX_READ))), MAX_TEXT);
}
