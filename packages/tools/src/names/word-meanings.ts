import { townOf } from "../places/towns.ts";
import { fold, isNumber, plainSounds, rawWords } from "../text/spelling.ts";

const UNITS =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

const values = new Map([
  ...UNITS.map((word, at): [string, number] => [word, at + 1]),
  ...TENS.map((word, at): [string, number] => [word, (at + 2) * 10]),
  ["hundred", 100] as const,
]);

/** Adds a number word to the number before it; returns undefined if they are two numbers. */
function plus(sum: number, value: number): number | undefined {
  if (value === 100) return Math.max(sum, 1) * 100;
  const rest = sum % 100;
  return rest === 0 || (rest % 10 === 0 && value < 10) ? sum + value : undefined;
}

/** Converts number words to digits. The words are added up if they form one number, and otherwise concatenated ("one twelve" is 112). */
function digitsOf(words: readonly string[]): string {
  const done: number[] = [];
  let current = 0;
  for (const word of words) {
    const value = values.get(word);
    if (value === undefined) continue;
    const sum = plus(current, value);
    if (sum === undefined) done.push(current);
    current = sum ?? value;
  }
  return [...done, current].join("");
}

/** Whether a word is a spoken English number or part of one. */
const isNumberWord = (word: string): boolean => values.has(word);

/** Replaces spoken numbers with digits: the words of "truck two hundred and five" become truck, 205. */
export function withDigits(words: readonly string[]): string[] {
  const result: string[] = [];
  for (let at = 0; at < words.length; at++) {
    let end = at;
    for (let next = at; next < words.length; next++) {
      if (isNumberWord(words[next] as string)) end = next + 1;
      else if (next === at || words[next] !== "and") break;
    }
    if (end === at) result.push(words[at] as string);
    else {
      result.push(digitsOf(words.slice(at, end)));
      at = end - 1;
    }
  }
  return result;
}

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

/**
 * Words around a name that add no information, by language: question words, articles, courtesies and generic nouns. Single letters are
 * excluded, because they may be initials.
 */
const FILLERS = new Set(
  [
    "the an vehicle vehicles no nr num number reg registration registered plate licence license driver drivers where wheres is are was what whats " +
      "which who whos how find locate show me tell give us please pls thanks thank you can could would do does know want need looking look for of to at in on with by and or my our your " +
      "right now currently moment today located location position whereabouts status info hi hey hello ok called named name id vin teh group team mr mrs ms miss it driven drives driving " +
      "drive has have that much ending ends starting starts fuel battery charge charging level ignition fault faults sold chassis",
    "wo ist sind der die das den dem des ein eine einen bitte danke mir zeig zeige finde such suche gerade jetzt aktuell fahrzeug wagen nummer kennzeichen fahrer fahrerin von vom mit steht " +
      "stehen befindet sich fahrt faehrt gruppe herr frau unser unsere unseren mein meine meinen und ich hat wer im wie viel macht fin fahrgestellnummer tank akku",
    "ou est sont le la les un une du de svp stp vous te plait merci moi montre montrez trouve trouver cherche vehicule plaque immatriculation immatricule numero conducteur chauffeur avec " +
      "actuellement maintenant notre nos mon ma se qui conduit que fait localise localiser groupe monsieur madame mme peux pouvez combien carburant",
    "donde esta estan el los las una del favor por gracias muestra muestrame busca buscar vehiculo matricula conductor chofer ahora nuestro nuestra mi dime encuentra grupo senor senora con " +
      "hace quien conduce bastidor",
    "al dove si trova sono il lo gli dei della dello di per grazie prego mostrami veicolo targa autista conducente adesso ora nostro mio che fa chi guida gruppo signor signora telaio",
    "waar het een alsjeblieft alstublieft aub bedankt voertuig kenteken bestuurder toon zoek vind mij nu momenteel staat rijdt ons mijn wie bestuurt wat doet groep meneer mevrouw",
    "gdzie jest sa prosze dziekuje pokaz znajdz pojazd numer rejestracja rejestracyjny kierowca grupa pan pani teraz nasz sie znajduje co robi kto prowadzi ile paliwa podwozia",
    "var ar finns det en ett tack snalla visa hitta fordon registreringsnummer forare min just ligger befinner sig hvor er vis mig",
    "kde je jsou prosim ukaz najdi vozidlo cislo spz ridic ted nachazi",
    "onde os as veiculo motorista agora obrigado nosso",
  ].flatMap((words) => words.split(" ")),
);

// Elided articles, the English possessive, "s'il" of "s'il vous plaît", "dov'è", "n°" of "n° 12", and "the one".
const AFFIXES = /['’]s(?!\p{L})|(?<!\p{L})(?:s['’]il|dov['’]\s?e|[ld]['’]|n[.°]\s*(?=\p{N})|(?:the|that) one(?!\p{L}))/gu;

export const isFiller = (word: string) => FILLERS.has(word);

// "Van" is Dutch for "of" if another word names a kind of vehicle, but not before a number or at the end: "Truck 1, Van 1" are two vehicles.
const isDutchOf = (at: number, all: readonly string[]) =>
  all[at] === "van" && /^\p{L}/u.test(all[at + 1] ?? "") && all.some((other) => other !== "van" && kindOf(other) !== undefined);

/** Returns the words of a string without filler words, unless they satisfy `isName`; returns all words if none would be left. */
export function withoutFillers(text: string, isName: (word: string) => boolean = () => false): string[] {
  const all = rawWords(fold(text));
  const cleaned = rawWords(fold(text).replace(AFFIXES, " "));
  const remaining = cleaned.filter((word, at) => isName(word) || !(isFiller(word) || isDutchOf(at, cleaned)));
  return remaining.length > 0 ? remaining : all;
}
