/** ISO 3166 codes of the countries where the fleet drives. */
export type CountryCode =
  | "AT"
  | "BE"
  | "CH"
  | "CZ"
  | "DE"
  | "DK"
  | "ES"
  | "FR"
  | "GB"
  | "HU"
  | "IE"
  | "IT"
  | "LU"
  | "NL"
  | "PL"
  | "SE"
  | "SK";

/** The parts of an address, in the country's usual order. */
type AddressPart = "roadNumber" | "road" | "city" | "postCode" | "country";

export interface Country {
  /** Offset from UTC in winter, in hours; the simulation uses it all year. */
  readonly hoursAhead: number;
  readonly addressOrder: readonly AddressPart[];
  readonly streets: readonly string[];
}

const NUMBER_FIRST_POSTCODE_LAST: readonly AddressPart[] = ["roadNumber", "road", "city", "postCode", "country"];
const NUMBER_FIRST: readonly AddressPart[] = ["roadNumber", "road", "postCode", "city", "country"];
const ROAD_FIRST: readonly AddressPart[] = ["road", "roadNumber", "postCode", "city", "country"];

const GERMAN_STREETS = [
  "Industriestraße",
  "Hafenstraße",
  "Bahnhofstraße",
  "Gewerbepark",
  "Lagerhausstraße",
  "Am Güterbahnhof",
  "Ringstraße",
];
const FRENCH_STREETS = [
  "Rue de l'Industrie",
  "Avenue de la Gare",
  "Rue des Entrepôts",
  "Boulevard du Port",
  "Rue du Moulin",
  "Chemin des Prés",
];
const DUTCH_STREETS = ["Industrieweg", "Havenweg", "Stationsstraat", "Ambachtsweg", "Transportweg", "Molenstraat", "Handelskade"];
const CZECH_STREETS = ["Průmyslová", "Nádražní", "Skladová", "Dopravní", "Zahradní", "Tovární"];

export const COUNTRIES: Record<CountryCode, Country> = {
  AT: { hoursAhead: 1, addressOrder: ROAD_FIRST, streets: GERMAN_STREETS },
  BE: { hoursAhead: 1, addressOrder: ROAD_FIRST, streets: DUTCH_STREETS },
  CH: { hoursAhead: 1, addressOrder: ROAD_FIRST, streets: GERMAN_STREETS },
  CZ: { hoursAhead: 1, addressOrder: ROAD_FIRST, streets: CZECH_STREETS },
  DE: { hoursAhead: 1, addressOrder: ROAD_FIRST, streets: GERMAN_STREETS },
  DK: {
    hoursAhead: 1,
    addressOrder: ROAD_FIRST,
    streets: ["Industrivej", "Havnegade", "Banegårdsvej", "Fabriksvej", "Møllevej", "Transportvej"],
  },
  ES: {
    hoursAhead: 1,
    addressOrder: ROAD_FIRST,
    streets: ["Calle de la Industria", "Avenida del Puerto", "Calle Mayor", "Polígono Las Fuentes", "Calle del Comercio", "Camino Real"],
  },
  FR: { hoursAhead: 1, addressOrder: NUMBER_FIRST, streets: FRENCH_STREETS },
  GB: {
    hoursAhead: 0,
    addressOrder: NUMBER_FIRST_POSTCODE_LAST,
    streets: ["Station Road", "Mill Lane", "Foundry Way", "Canal Street", "Trafford Road", "Orchard Close", "Riverside Drive"],
  },
  HU: {
    hoursAhead: 1,
    addressOrder: ["city", "road", "roadNumber", "postCode", "country"],
    streets: ["Ipari út", "Raktár utca", "Állomás utca"],
  },
  IE: {
    hoursAhead: 0,
    addressOrder: NUMBER_FIRST_POSTCODE_LAST,
    streets: ["Station Road", "Naas Road", "Harbour View", "Mill Street", "Bridge Street", "Chapel Lane"],
  },
  IT: {
    hoursAhead: 1,
    addressOrder: ROAD_FIRST,
    streets: ["Via dell'Industria", "Via del Porto", "Viale Stazione", "Via dei Trasporti", "Via Mulino", "Via Garibaldi"],
  },
  LU: { hoursAhead: 1, addressOrder: NUMBER_FIRST, streets: FRENCH_STREETS },
  NL: { hoursAhead: 1, addressOrder: ROAD_FIRST, streets: DUTCH_STREETS },
  PL: {
    hoursAhead: 1,
    addressOrder: ROAD_FIRST,
    streets: ["ul. Przemysłowa", "ul. Dworcowa", "ul. Magazynowa", "ul. Składowa", "ul. Transportowa", "ul. Młyńska"],
  },
  SE: {
    hoursAhead: 1,
    addressOrder: ROAD_FIRST,
    streets: ["Industrigatan", "Hamngatan", "Stationsvägen", "Lagervägen", "Kvarngatan", "Transportgatan"],
  },
  SK: { hoursAhead: 1, addressOrder: ROAD_FIRST, streets: CZECH_STREETS },
};
