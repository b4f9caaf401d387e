import { withoutFillers } from "../names/filler-words.ts";
import { countryCodeOf } from "../places/geography.ts";
import { townWords } from "../places/towns.ts";

/** An area as someone describes it: a town, a country, or both. */
export interface AreaQuery {
  /** The words of the town's name; empty if only a country is named. */
  words: readonly string[];
  /** ISO 3166 code. */
  country: string | undefined;
}

const MAX_LENGTH = 100;
const MAX_COUNTRY_WORDS = 3;

/** Words that may precede a town's name. */
const TOWN_WORDS = new Set(
  "city town stadt ville ciudad citta cidade stad miasto mesto area region near around bei pres cerca vicino perto bij kolo nara".split(
    " ",
  ),
);

const withoutTownWords = (text: string) => withoutFillers(text).filter((word) => !TOWN_WORDS.has(word));

/** The words of a town's name: all of them, and those without filler words. Some names contain such words: Den Haag, Monaco di Baviera. */
function wordings(text: string): string[][] {
  const [all, fewer] = [townWords(text), townWords(withoutTownWords(text).join(" "))];
  return fewer.length === 0 || all.join(" ") === fewer.join(" ") ? [all] : [all, fewer];
}

/** Returns what a text may mean, most likely first: "Lyon", "Lyon, France", "Lyon France" or "France". */
export function readArea(text: string): AreaQuery[] {
  const clipped = text.slice(0, MAX_LENGTH);
  const whole = countryCodeOf(clipped) ?? countryCodeOf(withoutTownWords(clipped).join(" "));
  const queries: AreaQuery[] = whole === undefined ? [] : [{ words: [], country: whole }];
  for (const words of wordings(clipped)) if (words.length > 0) queries.push({ words, country: undefined });
  const words = clipped.split(/[\s,()]+/).filter(Boolean);
  for (let count = Math.min(MAX_COUNTRY_WORDS, words.length - 1); count > 0; count--) {
    const last = words.slice(-count).join(" ");
    // A code such as IN or DE may be a word of a name, unless it is written like a code.
    const country = last.length > 2 || last === last.toUpperCase() ? countryCodeOf(last) : undefined;
    if (country === undefined) continue;
    for (const town of wordings(words.slice(0, -count).join(" "))) queries.push({ words: town, country });
  }
  return queries;
}
