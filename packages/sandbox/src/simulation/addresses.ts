import { distanceKm, type Point } from "@fleetwire/core/internal";
import { COUNTRIES, type CountryCode } from "./countries.ts";
import type { Moment } from "./legs.ts";
import { PLACES, type Place } from "./places.ts";
import { drawIndex, topic } from "./random.ts";
import { siteIn } from "./sites.ts";

/** The parts of an address (interface 2.4). */
interface Address {
  readonly roadNumber: string | undefined;
  readonly road: string;
  readonly city: string | undefined;
  readonly postCode: string | undefined;
  readonly country: string;
  readonly division: string | undefined;
}

const MAX_LOCALES = 64;
const countryNames = new Map<string, Record<CountryCode, string>>();

/** The names of all countries in the language of a BCP 47 locale, or in English if the locale is unknown. */
function namesIn(locale: string): Record<CountryCode, string> {
  const known = countryNames.get(locale);
  if (known) return known;
  if (countryNames.size >= MAX_LOCALES) countryNames.clear();
  const namer = new Intl.DisplayNames([locale, "en-GB"], { type: "region" });
  const codes = Object.keys(COUNTRIES) as CountryCode[];
  const names = Object.fromEntries(codes.map((code) => [code, namer.of(code) ?? code])) as Record<CountryCode, string>;
  countryNames.set(locale, names);
  return names;
}

/** An address on one line, in the country's usual order, joined by commas (interface 2.4, formattedAddress). */
export function formatAddress(address: Address, country: CountryCode): string {
  let line = "";
  for (const part of COUNTRIES[country].addressOrder) {
    const text = address[part];
    if (text !== undefined) line += line === "" ? text : `, ${text}`;
  }
  return line;
}

const DISTRICT = topic("district of a street");

/** A street has one postcode, a town several, which differ in the last digit from that of the depot. */
function postCodeOf(place: Place, road: string): string {
  const { postCode, ordinal } = place;
  if (road === siteIn(place, "depot").road) return postCode;
  return postCode.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + drawIndex(4, topic(road), DISTRICT, ordinal)) % 10));
}

/** The address of a site or a point on a road, with the nearest town. */
export function addressOf(place: Place, road: string, roadNumber: string | undefined, locale: string): Address {
  const country = namesIn(locale)[place.country];
  return { roadNumber, road, city: place.name, postCode: postCodeOf(place, road), country, division: place.division };
}

/** Farther away, the nearest town of the simulated map is no part of an address. */
const TOWN_KM = 10;

/** The address of a point: only a road and a country where no town is near. */
export function addressOn(where: Moment, locale: string): Address {
  const address = addressOf(where.place, where.road, where.site?.roadNumber, locale);
  return distanceKm(where.place, where) <= TOWN_KM ? address : { ...address, city: undefined, postCode: undefined, division: undefined };
}

const KNOWN_SITES = [0, 1, 2, 3, 4, 5, 6];

/** The nearest address on the map, however far away. */
export function addressNear(point: Point): string {
  const nearest = <Candidate extends Point>(candidates: readonly Candidate[]) =>
    candidates.reduce((best, candidate) => (distanceKm(candidate, point) < distanceKm(best, point) ? candidate : best));
  const place = nearest(PLACES);
  const site = nearest(KNOWN_SITES.map((choice) => siteIn(place, "customer", choice)));
  return formatAddress(addressOf(place, site.road, site.roadNumber, "en-GB"), place.country);
}

/** Removes accents and lowercases, so that most spellings of a town match. */
const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const plainNames = PLACES.map((place) => ({ place, name: plain(place.name) })).toSorted(
  (one, other) => other.name.length - one.name.length,
);

/** The place named in an address, if any; the longest name wins. */
export function placeInAddress(address: string): Place | undefined {
  const words = ` ${plain(address).replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  return plainNames.find(({ name }) => words.includes(` ${name.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `))?.place;
}
