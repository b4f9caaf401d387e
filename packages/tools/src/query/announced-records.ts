import { isRecord } from "@fleetwire/core/internal";

/** What the values alongside a list say about records that it lacks. */
export interface Announced {
  /** The number of all records, if it is stated and larger than the list. */
  total: number | undefined;
}

/** Splits a name such as `x-total-count` or `totalElements` into lower-case words. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");

const COUNTING = /^(?:total|totals|count|counts|found|hits|num|nb)$/;
/** The other words in names of totals, besides those for the records. */
const BESIDE =
  /^(?:x|odata|grand|overall|full|all|of|number|size|available|match(?:ing|ed|es)|filtered|in|data|list|items?|elements?|records?|results?|rows?|entry|entries|objects?|documents?|docs?)$/;
const PAGES = /^(?:x )?(?:(?:total|num|nb|number of|all) pages|pages(?: (?:total|count))?|(?:total )?page count|last page)$/;
const MORE = /^(?:(?:has|have|is|are) )?(?:there )?(?:more|next)(?: (?:page|pages|items|records|results|rows|data|available|exists?))?$/;
const CUT = /^(?:is )?(?:truncated|incomplete|partial)(?: results?)?$/;
const LAST = /^(?:is )?(?:last|final|complete|end|done|finished|exhausted)(?: page)?$/;
const NEXT =
  /^(?:odata )?next(?: (?:page|records?|results?|items?|links?|url|uri|href|cursor|token|offset|skip|start|index|marker|key|id|batch|number))*$|^(?:page )?(?:end )?cursor$|^(?:continuation|scroll|resume)(?: (?:token|key|id))?$/;

/** How deep in the values alongside the list totals and links are looked for. */
const MAX_DEPTH = 4;

const integerIn = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
};

const isNextLink = (value: unknown): boolean =>
  isRecord(value) ? Object.values(value).some((one) => typeof one === "string" && one !== "") : Boolean(value) && value !== true;

/** Every value alongside a list, with the words of its name. `total: {value: 9}` is a total too. */
function* namedValues(rest: unknown, depth = MAX_DEPTH, parent = ""): Generator<[words: string[], value: unknown]> {
  if (depth === 0 || !isRecord(rest)) return;
  for (const [name, value] of Object.entries(rest)) {
    const words = wordsOf(/^value$/i.test(name) ? parent : name);
    yield [words, value];
    if (Array.isArray(value)) {
      for (const link of value) if (isRecord(link) && link["rel"] === "next") yield [["next"], link];
    } else yield* namedValues(value, depth - 1, name);
  }
}

/**
 * Finds out whether a service has more records than the `listed` ones, from the values alongside them: totals, numbers of pages, flags, links and cursors under
 * any of their usual names. Returns undefined if nothing says so. `nouns` are what the records may be called.
 */
export function announcedIn(rest: unknown, listed: number, nouns: readonly string[]): Announced | undefined {
  const called = new Set(nouns.flatMap(wordsOf));
  const totals: number[] = [];
  const flags = new Set<boolean>();
  let [hasPages, hasLink] = [false, false];
  for (const [words, value] of namedValues(rest)) {
    const name = words.join(" ");
    const number = integerIn(value);
    if (number !== undefined) {
      const isTotal = words.some((word) => COUNTING.test(word)) || name.startsWith("number of ");
      if (isTotal && words.every((word) => COUNTING.test(word) || BESIDE.test(word) || called.has(word))) totals.push(number);
      if (PAGES.test(name) && number > 1) hasPages = true;
    }
    if (typeof value === "boolean") {
      if (MORE.test(name) || CUT.test(name)) flags.add(value);
      if (LAST.test(name)) flags.add(!value);
    } else if (NEXT.test(name) ? isNextLink(value) : typeof value === "string" && /rel="?next/.test(value)) hasLink = true;
  }
  const total = totals.find((one) => one > listed);
  const hasMore = total !== undefined || hasPages || flags.has(true) || (hasLink && !flags.has(false));
  return hasMore ? { total } : undefined;
}

/** Returns the query of a link to the next records, if a service states one: `/jobs?$skip=3`. */
export function nextQueryIn(rest: unknown): Record<string, string> | undefined {
  for (const [words, value] of namedValues(rest)) {
    if (!NEXT.test(words.join(" "))) continue;
    const link = [value, ...(isRecord(value) ? Object.values(value) : [])].find((one) => typeof one === "string" && /\?[^=]+=/.test(one));
    if (typeof link === "string") return Object.fromEntries(new URLSearchParams(link.slice(link.indexOf("?") + 1).replace(/#.*/, "")));
  }
  return undefined;
}
