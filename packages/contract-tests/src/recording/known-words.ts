import { openApiDocument } from "@fleetwire/core";

/** Vehicle makers as vehicle registers spell them, in lowercase. Anything else is replaced, as it may be personal. */
export const MAKERS: ReadonlySet<string> = new Set(
  `abarth|acura|aixam|alfa romeo|ashok leyland|aston martin|audi|avia|bentley|bmw|bova|byd|cadillac|case ih|caterpillar|chevrolet|chrysler|citroen|citroën|claas|
cupra|dacia|daewoo|daf|daihatsu|dennis|dodge|ds automobiles|eicher|faun|fendt|ferrari|fiat|fliegl|ford|foton|freightliner|fruehauf|fuso|genesis|ginaf|goupil|gmc|
great wall|hino|honda|humbaur|hymer|hyundai|infiniti|international|irizar|isuzu|iveco|jac|jaguar|jcb|jeep|john deere|kamaz|kässbohrer|kenworth|kia|kögel|kogel|
komatsu|krone|kubota|lada|lamborghini|lamberet|lancia|land rover|ldv|lecitrailer|lexus|ligier|lincoln|lotus|lynk & co|mack|mahindra|man|maserati|maxus|mazda|
mclaren|mercedes|mercedes benz|mercedes-benz|mg|mini|mitsubishi|mitsubishi fuso|morgan|neoplan|new holland|nio|nissan|oldsmobile|opel|otokar|peterbilt|peugeot|
piaggio|polestar|pontiac|porsche|ram|renault|renault trucks|rivian|rolls-royce|rover|saab|sany|scania|schmitz|schmitz cargobull|schwarzmüller|scion|seat|setra|
sinotruk|skoda|škoda|smart|solaris|ssangyong|steyr|subaru|suzuki|tata|tatra|temsa|tesla|thermo king|toyota|unimog|van hool|vauxhall|vdl|volkswagen|volvo|vw|
western star|wielton|wirtgen|xpeng|yutong|zeekr|zf`
    .split("|")
    .map((name) => name.trim()),
);

const LANGUAGES =
  "en de fr es it pt nl pl cs sk sl hr sr bs hu ro bg el tr uk ru be lt lv et fi sv nb da is ga mt sq mk ca eu gl lb cy ar he zh ja ko hi".split(
    " ",
  );

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

let countries: Set<string> | undefined;

/** Country names in the languages that a service may use, and two-letter country codes, all in lowercase. */
function countryNames(): Set<string> {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const names = new Set(["england", "scotland", "wales", "northern ireland", "great britain", "holland", "czech republic"]);
  for (const style of ["long", "short"] as const)
    for (const language of LANGUAGES) {
      const display = new Intl.DisplayNames(language, { type: "region", style, fallback: "none" });
      for (const code of codes) {
        const name = display.of(code);
        if (name !== undefined) names.add(name.toLowerCase()).add(code.toLowerCase());
      }
    }
  return names;
}

export function isCountry(text: string): boolean {
  countries ??= countryNames();
  return countries.has(text.normalize("NFC").toLowerCase());
}

/** Whether a string is a language tag, such as en-GB. */
export function isLanguage(text: string): boolean {
  const [, language = ""] = /^([a-z]{2})(?:-[A-Z]{2})?$/.exec(text) ?? [];
  return LANGUAGES.includes(language);
}

interface Words {
  values: ReadonlySet<string>;
  fields: ReadonlySet<string>;
}

let words: Words | undefined;

/** Values and field names from the contract's OpenAPI document. */
function documentedWords(): Words {
  const values = new Set<string>();
  const fields = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { enum: listed, const: only, properties } = node as { enum?: unknown; const?: unknown; properties?: unknown };
    for (const value of Array.isArray(listed) ? [...listed, only] : [only]) if (typeof value === "string") values.add(inCapitals(value));
    if (typeof properties === "object" && properties !== null) for (const name of Object.keys(properties)) fields.add(name);
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(openApiDocument());
  return { values, fields };
}

/** Undocumented values that services commonly use. They reveal nothing, even if a vehicle happens to be named like one. */
const COMMON = new Set(
  `ACTIVE INACTIVE SOLD RETIRED ARCHIVED ON OFF UNKNOWN NONE OTHER TRUCK VAN CAR TRAILER BUS COACH MOTORCYCLE TRACTOR EQUIPMENT ASSET VEHICLE DRIVER
CARD MANUAL DRIVE DRIVING WORK AVAILABILITY REST BREAK OIL FUEL ENGINE BRAKE ECM ECU ABS`.split(/\s+/),
);

const inCapitals = (text: string) => text.toUpperCase().replace(/[ -]/g, "_");

/** Whether a value, in any spelling, is documented or common: "In progress" is the same as `IN_PROGRESS`. */
export function isKnownValue(text: string): boolean {
  words ??= documentedWords();
  return words.values.has(inCapitals(text)) || COMMON.has(inCapitals(text));
}

export function isDocumentedField(name: string): boolean {
  words ??= documentedWords();
  return words.fields.has(name);
}
