import { fold, isNumber, rawWords } from "./spelling.ts";

const words = (text: string) => text.split(/\s+/);

/** Words around a name that people say and nothing is told by: questions, articles, courtesies, generic nouns. None is a single letter: that may be an initial. */
const FILLERS = new Set(
  words(
    "the an vehicle vehicles unit asset no nr num number reg registration registered plate licence license driver drivers where wheres is are was what " +
      "whats which who whos how find locate show me tell give us please pls kindly thanks thank you can could would do does doing know want need looking " +
      "look for of to at in on with by my our your right now currently moment today located location position whereabouts status info hi hey hello ok " +
      "called named name id vin it there going driven drives driving drive has got have that this ending ends starting starts begins beginning " +
      "wo ist sind der die das den dem des ein eine einen bitte danke mir zeig zeige finde such suche gerade jetzt aktuell fahrzeug wagen nummer " +
      "kennzeichen fahrer fahrerin von vom mit steht stehen befindet sich fahrt faehrt unser unsere unseren mein meine meinen und ich hat was macht wer im " +
      "ou est sont le la les un une des du de svp stp vous te plait merci moi montre montrez trouve trouver cherche vehicule plaque immatriculation " +
      "immatricule numero conducteur chauffeur avec actuellement maintenant notre nos mon ma se qui conduit que fait localise localiser peux pouvez dis dites " +
      "donde esta estan el los las una del favor por gracias muestra muestrame busca buscar vehiculo matricula conductor chofer ahora nuestro nuestra mi " +
      "dime encuentra con hace quien conduce al dove si trova sono il lo gli dei della dello di per grazie prego mostrami veicolo targa autista " +
      "conducente adesso ora nostro mio che fa chi guida waar het een alsjeblieft alstublieft aub bedankt voertuig kenteken bestuurder toon zoek vind " +
      "mij nu momenteel staat rijdt ons mijn wie bestuurt wat doet gdzie jest sa prosze dziekuje pokaz znajdz pojazd numer rejestracja rejestracyjny " +
      "kierowca teraz nasz sie znajduje co robi kto prowadzi var ar finns det en ett tack snalla visa hitta fordon registreringsnummer forare min " +
      "just ligger befinner sig hvor er vis mig kde je jsou prosim ukaz najdi vozidlo cislo spz ridic ted nachazi onde os as veiculo motorista agora " +
      "obrigado nosso",
  ),
);

/** What kinds of vehicle are called, by the English word. */
const KINDS: Record<string, string> = {
  truck:
    "truck lorry lkw lastwagen lastkraftwagen laster camion autocarro vrachtwagen vrachtauto ciezarowka ciagnik lastbil nakladak kamion hgv caminhao грузовик вантажівка",
  van:
    "van lieferwagen transporter kleintransporter kastenwagen fourgon fourgonnette camionnette furgone furgoncino furgoneta furgon bestelwagen bestelbus " +
    "bestelauto busje furgonetka dostawczak skapbil varebil varevogn dodavka carrinha фургон",
  trailer:
    "trailer anhanger auflieger remorque semiremorque rimorchio semirimorchio remolque semirremolque aanhanger aanhangwagen oplegger przyczepa naczepa " +
    "slap slapvagn prives naves reboque прицеп",
  car: "car auto pkw voiture macchina automobile coche samochod osobowka personbil",
};

const KIND_OF = new Map(Object.entries(KINDS).flatMap(([kind, names]) => words(names).map((name) => [name, kind])));

const ELECTRIC = new Set(words("electric elektro elektrisch electrique electrico electrica elettrico elettrica elektrische elektryczny e"));

/** One to twenty. */
const COUNTS = [
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
  "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
  "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
  "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte",
  "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti",
  "een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig",
];

const NUMBER_OF = new Map(COUNTS.flatMap((list) => words(list).map((name, at) => [name, String(at + 1)])));

// An umlaut that is spelt out and one that is left out come to the same.
const plainVowels = (word: string) => word.replace(/([aou])e/g, "$1").replaceAll("aa", "a");

const kindOf = (word: string) => KIND_OF.get(word) ?? KIND_OF.get(plainVowels(word)) ?? KIND_OF.get(word.replace(/s$/, ""));

/** A word as it means the same in other spellings and languages: "camion" and "trucks" are truck, "zwölf" is 12, "Mueller" is Muller. */
export function meaning(word: string): string {
  if (isNumber(word)) return word;
  const electric = /^(?:elektro|e)(?=\p{L}{2})/u.exec(word)?.[0];
  const kind = kindOf(word);
  if (kind !== undefined) return kind;
  const rest = electric === undefined ? undefined : kindOf(word.slice(electric.length));
  return rest === undefined ? (NUMBER_OF.get(word) ?? plainVowels(word)) : `e${rest}`;
}

/** The meanings of what was said; an electric van is an eVan. */
export function meanings(tokens: readonly string[]): string[] {
  const meant = tokens.map(meaning);
  const kind = meant.findIndex((word) => KINDS[word] !== undefined);
  const electric = tokens.findIndex((word) => ELECTRIC.has(word));
  if (kind === -1 || electric === -1) return meant;
  return meant.flatMap((word, at) => (at === electric ? [] : [at === kind ? `e${word}` : word]));
}

// Elided articles, the possessive, "s'il vous plaît", "dov'è", "n° 12".
const ELISIONS = /['’]s(?!\p{L})|(?<!\p{L})(?:s['’]il|dov['’]\s?e|[ld]['’]|n[.°]\s*(?=\p{N}))/gu;

/** The words of a text without those that people put around a name, but for those that `isName` keeps; all of them where nothing would be left. */
export function withoutFillers(text: string, isName: (word: string) => boolean = () => false): string[] {
  const all = rawWords(fold(text));
  const kept = rawWords(fold(text).replace(ELISIONS, " ")).filter((word) => !FILLERS.has(word) || isName(word));
  return kept.length > 0 ? kept : all;
}
