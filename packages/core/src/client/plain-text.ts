const MAX_TEXT = 300;

/** Text of the service made fit for one line of a message: no control characters, no secrets, not too long. */
export function plain(text: string, redact: (text: string) => string): string {
  const line = redact(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}
