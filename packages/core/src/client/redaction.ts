/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

const REDACTED = "[redacted]";
/** Characters in a row that count as the secret itself: copies that are shortened hold them. */
const FRAGMENT = 8;
/** Shorter secrets stand in ordinary words, as do shorter encodings of short ones. */
const SHORTEST = { secret: 4, encoded: 6 };
/** Longer secrets are too many fragments to look for; nothing that the service says is shown beside them. */
const LONGEST_SECRET = 20_000;

/** Letters without case and both alphabets of base64 as one, each character in its place. */
const comparable = (text: string) => text.replace(/[A-Z_-]/g, (letter) => ({ "-": "+", _: "/" })[letter] ?? letter.toLowerCase());

function base64Of(bytes: Uint8Array, before: number): string {
  let binary = "\0".repeat(before);
  for (const byte of bytes) binary += String.fromCharCode(byte);
  // Without the characters that share bits with the bytes before and after.
  return btoa(binary).slice(before === 0 ? 0 : before + 1, Math.floor((binary.length * 8) / 6));
}

/** The forms in which a service may repeat a secret: as it is, percent-encoded, as a form's value, within JSON, and in hex or base64 wherever in it. */
function writtenForms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  // Well-formed: a lone half of a character cannot be percent-encoded.
  const text = new TextDecoder().decode(bytes);
  const encoded = [
    encodeURIComponent(text),
    new URLSearchParams({ "": text }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""),
    ...[0, 1, 2].map((before) => base64Of(bytes, before)),
  ];
  return [secret, ...encoded.filter(({ length }) => length >= SHORTEST.encoded)].map(comparable);
}

/** All fragments of texts, by their length; of a text that is shorter, the whole. */
function fragmentsOf(texts: readonly string[]): Map<number, Set<string>> {
  const fragments = new Map<number, Set<string>>();
  for (const text of texts) {
    const length = Math.min(FRAGMENT, text.length);
    const known = fragments.get(length) ?? new Set();
    fragments.set(length, known);
    for (let at = 0; at + length <= text.length; at++) known.add(text.slice(at, at + length));
  }
  return fragments;
}

const character = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

const percentDecoded = (run: string) =>
  new TextDecoder().decode(Uint8Array.from(run.slice(1).split("%"), (digits) => Number.parseInt(digits, 16)));

const ROUNDS = 3;

/** What is left of a text without encoding, case, spaces, marks and what cannot be seen: its letters and digits. */
function bare(text: string): string {
  let plain = text;
  for (let round = 0; round < ROUNDS; round++) {
    plain = plain
      .replace(/(?:%[0-9a-f]{2})+/gi, percentDecoded)
      .replace(/\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});/gi, (_, ...digits) =>
        character(Number.parseInt(digits.slice(0, 3).join(""), 16)),
      )
      .replace(/&#(\d{1,7});/g, (_, digits) => character(Number(digits)))
      .replace(/&[a-z]{2,6};|\\[a-z]/gi, " ");
  }
  return plain
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** What to look for, made once of the same secrets. */
interface Search {
  fragments: Map<number, Set<string>>;
  /** The beginnings of secrets that are too short for a fragment: they count where a text breaks off. */
  beginnings: Set<string>;
  bareFragments: Map<number, Set<string>>;
}

function searchFor(secrets: readonly string[]): Search {
  const forms = [...new Set(secrets.flatMap(writtenForms))];
  const lengths = Array.from({ length: FRAGMENT - SHORTEST.secret }, (_, more) => SHORTEST.secret + more);
  const long = secrets.map(comparable).filter(({ length }) => length > SHORTEST.secret);
  return {
    fragments: fragmentsOf(forms),
    beginnings: new Set(lengths.flatMap((length) => long.map((secret) => secret.slice(0, length)))),
    bareFragments: fragmentsOf([...secrets, ...forms].map(bare).filter(({ length }) => length >= FRAGMENT)),
  };
}

// Where a service breaks a text off: at its end, or as it says so itself.
const BREAKS_OFF = /\s*(?:…|\.{2,}|\*{2,}|$)/g;

/** Which characters belong to a secret. */
function hitsIn(text: string, { fragments, beginnings }: Search): boolean[] {
  const hits: boolean[] = new Array(text.length).fill(false);
  const same = comparable(text);
  for (const [length, known] of fragments) {
    for (let at = 0; at + length <= same.length; at++) if (known.has(same.slice(at, at + length))) hits.fill(true, at, at + length);
  }
  for (const { index } of same.matchAll(BREAKS_OFF)) {
    for (let at = Math.max(0, index - FRAGMENT); at < index; at++) if (beginnings.has(same.slice(at, index))) hits.fill(true, at, index);
  }
  return hits;
}

/** The parts of a text that belong to no secret. */
function partsBeside(text: string, hits: readonly boolean[]): string[] {
  const parts = [""];
  for (let at = 0; at < text.length; at++) {
    if (!hits[at]) parts.push(`${parts.pop()}${text[at]}`);
    else if (!hits[at - 1]) parts.push("");
  }
  return parts;
}

function holds(text: string, fragments: Map<number, Set<string>>): boolean {
  const same = bare(text);
  return [...fragments].some(([length, known]) => {
    for (let at = 0; at + length <= same.length; at++) if (known.has(same.slice(at, at + length))) return true;
    return false;
  });
}

/**
 * Replaces secrets by a mark wherever the service repeats them, shortened copies too. Where a fragment of one is left under another encoding, or broken
 * up by other characters, nothing of the text is kept.
 */
export function redactor(secrets: () => readonly string[]): Redact {
  let known: readonly string[] = [];
  let search: Search | undefined;
  return (text) => {
    const wanted = secrets().filter(({ length }) => length >= SHORTEST.secret);
    if (text === "" || wanted.length === 0) return text;
    if (wanted.some(({ length }) => length > LONGEST_SECRET)) return REDACTED;
    if (search === undefined || wanted.length !== known.length || wanted.some((secret, at) => secret !== known[at])) {
      known = wanted;
      search = searchFor(wanted);
    }
    const { bareFragments } = search;
    const parts = partsBeside(text, hitsIn(text, search));
    return parts.some((part) => holds(part, bareFragments)) ? REDACTED : parts.join(REDACTED);
  };
}
