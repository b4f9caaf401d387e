import { townOf } from "../places/towns.ts";
import { isNumber, plainSounds } from "../text/spelling.ts";
import { isNumberWord, withDigits } from "./number-words.ts";

/** Words for kinds of vehicles and places, by English word. */
const NOUNS: Record<string, string> = {
  truck:
    "truck lorry lorries lkw lastwagen lastkraftwagen laster camion autocarro vrachtwagen vrachtauto ciezarowka ciezarowy ciagnik lastbil nakladak kamion hgv " +
    "caminhao грузовик вантажівка",
  van:
    "van lieferwagen transporter kleintransporter kastenwagen fourgon fourgonnette camionnette furgone furgoncino furgoneta furgon bestelwagen bestelbus " +
    "bestelauto busje furgonetka dostawczak dostawczy skapbil varebil varevogn dodavka carrinha фургон",
  trailer:
    "trailer anhanger auflieger remorque semiremorque rimorchio semirimorchio remolque semirremolque aanhanger aanhangwagen oplegger przyczepa naczepa " +
    "slap slapvagn prives naves reboque прицеп",
  car: "car auto pkw voiture macchina automobile coche samochod osobowka osobowy personbil",
  depot: "depot deposito entrepot almacen magazzino magazijn zajezdnia",
};

const VEHICLES = new Set(["truck", "van", "trailer", "car"]);

/** Strips a plural or case ending from a noun. */
const stem = (word: string) => (word.length >= 5 ? word.replace(/(?:[aeiouy]?s|[aeiouy])$/, "") : word);

const byWord = new Map(Object.entries(NOUNS).flatMap(([noun, names]) => names.split(" ").map((name) => [name, noun])));

const byStem = new Map([...byWord].map(([name, noun]) => [stem(plainSounds(name)), noun]));

const nounOf = (word: string) => byWord.get(word.replace(/s$/, "")) ?? byStem.get(stem(plainSounds(word)));

/** Returns the English word for the kind of vehicle that a word refers to; undefined if it refers to none. */
export function kindOf(word: string): string | undefined {
  const noun = nounOf(word);
  return noun !== undefined && VEHICLES.has(noun) ? noun : undefined;
}

/** Returns the word for the electric version of a kind of vehicle. */
export const electric = (kind: string) => `e${kind}`;

const isKind = (meaning: string) => VEHICLES.has(meaning);

const ELECTRIC = new Set(
  "electric elektro elektrisch electrique electrico electrica elettrico elettrica elektrische elektryczny e".split(" "),
);

/**
 * Normalizes a word across spellings and languages: "camion" and "trucks" become truck, "mueller" becomes muller, and "lione" becomes lyon.
 */
export function meaning(word: string): string {
  if (isNumber(word)) return word;
  const noun = nounOf(word);
  if (noun !== undefined) return noun;
  const prefix = /^(?:elektro|e)(?=\p{L}{2})/u.exec(word)?.[0];
  const kind = prefix === undefined ? undefined : kindOf(word.slice(prefix.length));
  return kind === undefined ? plainSounds(townOf(word)) : electric(kind);
}

/** Whether a word has its literal meaning, whatever the words around it. */
export function isPlain(word: string): boolean {
  if (isNumber(word)) return true;
  return meaning(word) === word && word !== "car" && !ELECTRIC.has(word) && !isNumberWord(word);
}

/** Normalizes the words of a query: "electric van" becomes evan, "samochod ciezarowy" becomes truck, and number words become digits. */
export function meanings(tokens: readonly string[]): string[] {
  const meant = withDigits(tokens).map((word) => (ELECTRIC.has(word) ? "e" : meaning(word)));
  const exact = meant.filter((word, at) => !(word === "car" && meant.slice(at + 1, at + 2).some(isKind)));
  const kind = exact.findIndex(isKind);
  if (kind === -1 || !exact.includes("e")) return exact;
  return exact.flatMap((word, at) => (word === "e" ? [] : [at === kind ? electric(word) : word]));
}

/** Returns each word that precedes a number, with that number. */
export const numberedWords = (tokens: readonly string[]) =>
  tokens.flatMap((token, at): [string, string][] => {
    const word = tokens[at - 1];
    return word !== undefined && isNumber(token) && !isNumber(word) ? [[word, token]] : [];
  });

/** Whether each word with a number, as {@link numberedWords} returns them, has the same number in the name: "truck 4" does not match "Truck 12 Trailer 4". */
export function agreesOnNumbers(
  numbered: readonly (readonly [string, string])[],
  name: readonly string[],
  same: (a: string, b: string) => boolean,
): boolean {
  if (numbered.length === 0) return true;
  const there = numberedWords(name);
  return numbered.every(([word, number]) => {
    const numbers = there.filter(([other]) => same(word, other)).map(([, other]) => other);
    return numbers.length === 0 || numbers.includes(number);
  });
}
