/** Words for streets: those that stand before a name, all, and those that end a name in one word. A name that begins with St is a saint's. */
const BEFORE =
  "avenue|ave|av|boulevard|blvd|rue|chemin|quai|place|cours|impasse|via|viale|corso|piazza|calle|avenida|plaza|carrer|rua|praça|ulica|ul|aleja|al|plac|strada|allee|platz|str";
const WORDS = `${BEFORE}|street|st|road|rd|lane|ln|drive|route|square|weg`;
const ENDINGS =
  "stra(?:ß|ss)e|str\\.?|gasse|allee|weg|ufer|(?<!park|stell|lager|rast|lade|wende)platz|straat|laan|plein|gracht|gatan|vägen|gade|gaden|vej|vejen|veien|katu|utca";
const NUMBER = "\\d{1,5}\\s?[a-z]?(?:\\s?[-/]\\s?\\d{1,5}[a-z]?)?";

const STREETS = [
  // 12 Rue de Lyon; 24, Trafford Road
  new RegExp(`(?:^|,)\\s*${NUMBER},?\\s(?:[^\\d,]*\\s)?(?:${WORDS})\\.?(?=[\\s,]|$)`, "iu"),
  // Calle Mayor 5
  new RegExp(`(?:^|[\\s,])(?:${BEFORE})\\.?\\s[^\\d,]+,?\\s${NUMBER}(?=[\\s,]|$)`, "iu"),
  // Industriestraße 5
  new RegExp(`[\\p{L}\\s](?:${ENDINGS})\\s${NUMBER}(?=[\\s,]|$)`, "iu"),
];

/** A whole postcode, with or without a town: those of Britain, the Netherlands, and five digits. */
const POSTCODE =
  /^(?:[a-z]{1,2}\d[a-z\d]?\s?\d[a-z]{2}|\d{4}\s?[a-z]{2}|(?:[a-z]{1,2}[-\s])?\d{5}|[a-z]{1,2}-\d{4})(?:[\s,]+\p{L}[\p{L}\s,'.-]*)?$/iu;

/** Whether a text is an address or a postcode, which no record states where a location has a name. */
export const isAddress = (text: string): boolean => POSTCODE.test(text.trim()) || STREETS.some((street) => street.test(text));
