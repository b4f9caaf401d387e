const MAX_TEXT = 300;

/** The beginning of a text that is too long, marked as such; no letter is cut in two. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replace(/\p{Cs}$/u, "")}…` : text;
}

/** Text of the service made fit for one line of a message: no control characters, no secrets, not too long. */
export function plain(text: string, redact: (text: string) => string): string {
  const line = redact(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return shortened(line, MAX_TEXT);
}

/** The forms in which a service may repeat a secret: as it is, percent-encoded, within JSON. */
const writtenForms = (secret: string) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];

// Shorter ones stand in ordinary words.
const SHORTEST_SECRET = 4;

/** Replaces secrets by a mark wherever the service repeats them. The longest go first, for one may be part of another. */
export function redactor(secrets: () => readonly string[]): (text: string) => string {
  return (text) =>
    secrets()
      .flatMap(writtenForms)
      .filter(({ length }) => length >= SHORTEST_SECRET)
      .sort((a, b) => b.length - a.length)
      .reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}
