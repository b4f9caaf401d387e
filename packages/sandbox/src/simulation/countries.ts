import { scramble, topic } from "./random.ts";

/** The parts of an address, in the country's usual order. */
type AddressPart = "roadNumber" | "road" | "city" | "postCode" | "country";

interface Country {
  /** Offset from UTC in winter, in hours; the simulation uses it all year. */
  readonly hoursAhead: number;
  readonly addressOrder: readonly AddressPart[];
  readonly streets: readonly string[];
}

const NUMBER_FIRST_POSTCODE_LAST: readonly AddressPart[] = ["roadNumber", "road", "city", "postCode", "country"];
const NUMBER_FIRST: readonly AddressPart[] = ["roadNumber", "road", "postCode", "city", "country"];
const ROAD_FIRST: readonly AddressPart[] = ["road", "roadNumber", "postCode", "city", "country"];
const CITY_FIRST: readonly AddressPart[] = ["city", "road", "roadNumber", "postCode", "country"];

const GERMAN = "Industriestraße, Hafenstraße, Bahnhofstraße, Gewerbepark, Lagerhausstraße, Am Güterbahnhof, Ringstraße";
const FRENCH = "Rue de l'Industrie, Avenue de la Gare, Rue des Entrepôts, Boulevard du Port, Rue du Moulin, Chemin des Prés";
const DUTCH = "Industrieweg, Havenweg, Stationsstraat, Ambachtsweg, Transportweg, Molenstraat, Handelskade";
const CZECH = "Průmyslová, Nádražní, Skladová, Dopravní, Zahradní, Tovární";

const country = (streets: string, addressOrder = ROAD_FIRST, hoursAhead = 1): Country => ({
  hoursAhead,
  addressOrder,
  streets: streets.split(", "),
});

/** The countries where the fleet drives, by ISO 3166 code. */
export const COUNTRIES = {
  AT: country(GERMAN),
  BE: country(DUTCH),
  CH: country(GERMAN),
  CZ: country(CZECH),
  DE: country(GERMAN),
  DK: country("Industrivej, Havnegade, Banegårdsvej, Fabriksvej, Møllevej, Transportvej"),
  ES: country("Calle de la Industria, Avenida del Puerto, Calle Mayor, Polígono Las Fuentes, Calle del Comercio, Camino Real"),
  FR: country(FRENCH, NUMBER_FIRST),
  GB: country(
    "Station Road, Mill Lane, Foundry Way, Canal Street, Trafford Road, Orchard Close, Riverside Drive",
    NUMBER_FIRST_POSTCODE_LAST,
    0,
  ),
  HU: country("Ipari út, Raktár utca, Állomás utca", CITY_FIRST),
  IE: country("Station Road, Naas Road, Harbour View, Mill Street, Bridge Street, Chapel Lane", NUMBER_FIRST_POSTCODE_LAST, 0),
  IT: country("Via dell'Industria, Via del Porto, Viale Stazione, Via dei Trasporti, Via Mulino, Via Garibaldi"),
  LU: country(FRENCH, NUMBER_FIRST),
  NL: country(DUTCH),
  PL: country("ul. Przemysłowa, ul. Dworcowa, ul. Magazynowa, ul. Składowa, ul. Transportowa, ul. Młyńska"),
  SE: country("Industrigatan, Hamngatan, Stationsvägen, Lagervägen, Kvarngatan, Transportgatan"),
  SK: country(CZECH),
};

export type CountryCode = keyof typeof COUNTRIES;

const LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ";

type Spender = ReturnType<typeof spender>;

/** Consumes a number digit by digit, so that different numbers yield different plates. */
function spender(number: number) {
  let left = number;
  const take = (count: number): number => {
    const taken = left % count;
    left = Math.floor(left / count);
    return taken;
  };
  return {
    letters: (count: number) => Array.from({ length: count }, () => LETTERS.charAt(take(LETTERS.length))).join(""),
    digits: (count: number) => Array.from({ length: count }, () => take(10)).join(""),
    number: (low: number, high: number) => String(low + take(high - low)),
    one: (list: string) => list.split(" ")[take(list.split(" ").length)] ?? "",
  };
}

const two = (year: number) => String(year % 100).padStart(2, "0");

/** A country's registration format; `year` is the year of first registration. */
const PLATES: Partial<Record<CountryCode, (from: Spender, year: number) => string>> = {
  AT: (from) => `${from.one("W L S G")} ${from.number(10000, 99999)} ${from.letters(1)}`,
  BE: (from) => `1-${from.letters(3)}-${from.digits(3)}`,
  CZ: (from) => `${from.number(1, 10)}${from.one("A B P T")}${from.letters(1)} ${from.digits(4)}`,
  DE: (from) => `${from.one("HH K M B F L")} ${from.letters(2)} ${from.number(1000, 9999)}`,
  DK: (from) => `${from.letters(2)} ${from.digits(2)} ${from.digits(3)}`,
  ES: (from) => `${from.digits(4)} ${from.one("K L M")}${from.letters(2)}`,
  FR: (from) => `${from.one("E F G")}${from.letters(1)}-${from.digits(3)}-${from.letters(2)}`,
  GB: (from, year) => `${from.one("B K L M N Y")}${from.letters(1)}${two(year)} ${from.letters(3)}`,
  IE: (from, year) => `${two(year)}${from.one("1 2")}-${from.one("D C L G")}-${from.number(1000, 199_999)}`,
  IT: (from) => `${from.one("F G")}${from.letters(1)} ${from.digits(3)} ${from.letters(2)}`,
  NL: (from) => `${from.number(10, 99)}-${from.letters(3)}-${from.number(1, 10)}`,
  PL: (from) => `${from.one("PO WI KR DW EL")} ${from.digits(4)}${from.letters(1)}`,
  SE: (from) => `${from.letters(3)} ${from.digits(3)}`,
};

const LONGEST_SERIES = 999_983;
const PLATE = topic("registration");

/** The registration of the nth vehicle in a country, unique up to 999,983 vehicles. */
export function registration(country: CountryCode, seed: number, number: number, year: number): string {
  const write = PLATES[country] ?? PLATES.FR;
  const shuffled = ((number + (scramble(seed, PLATE) % LONGEST_SERIES)) * 618_113) % LONGEST_SERIES;
  return write ? write(spender(shuffled), year) : "";
}
