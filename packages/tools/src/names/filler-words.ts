import { fold, rawWords } from "../text/spelling.ts";
import { kindOf } from "./word-meanings.ts";

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
