import { type NonSensitiveKind, openApiDocument, type SensitiveKind, type Sensitivity } from "@fleetwire/core";
import { isDayFirstDate, parseDateTime } from "@fleetwire/core/internal";

/** Vehicle makers as vehicle registers spell them, in lowercase. Anything else is replaced, as it may be personal. */
const MAKERS: ReadonlySet<string> = new Set(
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

function isCountry(text: string): boolean {
  countries ??= countryNames();
  return countries.has(text.normalize("NFC").toLowerCase());
}

/** Whether a string is a language tag, such as en-GB. */
function isLanguage(text: string): boolean {
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

function isDocumentedField(name: string): boolean {
  words ??= documentedWords();
  return words.fields.has(name);
}

const SENSITIVE: Readonly<Record<SensitiveKind, true>> = {
  id: true,
  person: true,
  contact: true,
  name: true,
  registration: true,
  vin: true,
  serial: true,
  latitude: true,
  longitude: true,
  place: true,
  email: true,
  phone: true,
  text: true,
  url: true,
  secret: true,
};

export const isSensitive = (kind: Sensitivity): kind is SensitiveKind => typeof kind === "string" && kind in SENSITIVE;

/** Whether a string is a date or a date-time. The day may precede the month (interface 2.5). */
export const isDated = (text: string): boolean => parseDateTime(text) !== undefined || isDayFirstDate(text);

/** Record times are in this century; an earlier date may be a date of birth. */
const isInstant = (text: string) => text.startsWith("20") && isDated(text);

const DURATIONS = [/^\d{1,3}:[0-5]\d(:[0-5]\d)?$/, /^PT(?=\d)(\d{1,3}H)?(\d{1,4}M)?(\d{1,5}S)?$/, /^\d{1,4}$/];

/** OBD codes (P0117), SAE J1939 codes (SPN 110 FMI 3), and numbers too short to be phone numbers. */
const FAULT_CODES = [/^[PCBU][0-3][0-9A-F]{3}(-[0-9A-F]{2})?$/, /^SPN ?\d{1,6}([ ,/]+FMI ?\d{1,2})?$/, /^\d{1,6}([-/.:]\d{1,2})?$/];

const FILE_TYPES =
  /^((application|image|text|video|audio)\/)?(pdf|jpe?g|png|gif|webp|heic|heif|tiff?|bmp|svg(\+xml)?|txt|plain|csv|html|xml|json|zip|mp[34]|mpeg|docx?|xlsx?|msword|octet-stream)$/i;

/** Code-like uppercase words, or numbers of up to three digits. */
const CAPITALS = /^(\$?[A-Z]{2,24}([_-][A-Z]{2,24}){0,3}|\d{1,3})$/;

const TEXTS: Readonly<Record<Exclude<NonSensitiveKind, object | "flag">, (text: string) => boolean>> = {
  instant: isInstant,
  duration: (text) => DURATIONS.some((form) => form.test(text)),
  country: isCountry,
  language: isLanguage,
  make: (text) => MAKERS.has(text.toLowerCase()),
  faultCode: (text) => FAULT_CODES.some((form) => form.test(text)),
  fileType: (text) => FILE_TYPES.test(text),
  field: (text) => text.split(/[.[\]]+/).every((part) => /^\d{0,4}$/.test(part) || isDocumentedField(part)),
  label: (text) => isKnownValue(text) || CAPITALS.test(text),
};

/** Whether a value looks like the kind documented for its field. In a query, numbers and booleans are strings. */
export function isOfKind(value: unknown, kind: NonSensitiveKind): boolean {
  if (value === null || value === "") return true;
  if (typeof kind === "object") {
    const number = typeof value === "string" && /^-?\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
    return typeof number === "number" && number >= kind.min && number <= kind.max;
  }
  if (kind === "flag") return typeof value === "boolean" || value === "true" || value === "false" || value === "null";
  return typeof value === "string" && TEXTS[kind](value);
}
