import type { Point } from "@fleetwire/core/internal";
import { COUNTRIES, type CountryCode } from "./countries.ts";
import { offset } from "./geometry.ts";
import { PLACES, type Place } from "./places.ts";
import { drawBetween, drawIndex, entry, identifier, pick, topic } from "./random.ts";

type TownSiteKind = "depot" | "customer" | "supplier" | "service area" | "residence";
type SiteKind = TownSiteKind | "roadside";

/** An address where vehicles stop. */
export interface Site extends Point {
  /** Distinguishes it from all other sites on the map. */
  readonly ordinal: number;
  readonly kind: SiteKind;
  readonly place: Place;
  /** Only beside a road, where it may differ from that of the nearest town. */
  readonly country?: CountryCode;
  readonly road: string;
  readonly roadNumber: string | undefined;
  /** The point of interest at the site; residences and some customers have none. */
  readonly location: { readonly id: string; readonly name: string; readonly category: string } | undefined;
}

/** Distance in km within which a vehicle is considered to be at a site. */
export const GEOFENCE_KM = 0.25;

const DIRECTION = topic("direction of a site");
const DISTANCE = topic("distance of a site");
const STREET = topic("street of a site");
const HOUSE = topic("house number");
const COMPANY = topic("company at a site");
const LOCATION = topic("location id");

const KINDS: readonly TownSiteKind[] = [
  "depot",
  ...Array<TownSiteKind>(7).fill("customer"),
  "supplier",
  "service area",
  ...Array<TownSiteKind>(4).fill("residence"),
];

const CATEGORIES = { depot: "Depots", customer: "Customers", supplier: "Suppliers", "service area": "Service areas" } as const;

const COMPANIES = [
  "Alderbrook Foods",
  "Brightwater Pharma",
  "Corvane Steel",
  "Dunmore Timber",
  "Elmet Packaging",
  "Farrow & Pine",
  "Glasthorn Retail",
  "Hollin Parts",
  "Ivarsen Paper",
  "Juniper Textiles",
  "Kestrel Home",
  "Larkfield Dairy",
];

/** More than the ordinal of any site. */
export const SITES_END = PLACES.length * KINDS.length;

const ordinalOf = (place: Place, number: number) => place.ordinal * KINDS.length + number;

function build(place: Place, number: number): Site {
  const kind = entry(KINDS, number);
  const direction =
    place.inland === undefined
      ? drawBetween(0, 360, place.ordinal, DIRECTION, number)
      : place.inland + drawBetween(-55, 55, place.ordinal, DIRECTION, number);
  const point = offset(place, direction, drawBetween(1.4, 6.5, place.ordinal, DISTANCE, number));
  const company = entry(COMPANIES, drawIndex(COMPANIES.length, place.ordinal, COMPANY) + number);
  const name = { depot: `${place.name} Depot`, customer: `${company}, ${place.name}`, supplier: `${company}, ${place.name}` };
  const title = kind === "service area" ? `${place.name} Service Area` : kind === "residence" ? undefined : name[kind];
  const isKnown = title !== undefined && kind !== "residence" && !(kind === "customer" && number % 4 === 3);
  return {
    ordinal: ordinalOf(place, number),
    latitude: point.latitude,
    longitude: point.longitude,
    kind,
    place,
    road: pick(COUNTRIES[place.country].streets, place.ordinal, STREET, number),
    roadNumber: String(1 + drawIndex(140, place.ordinal, HOUSE, number)),
    location: isKnown ? { id: identifier(10, place.ordinal, LOCATION, number), name: title, category: CATEGORIES[kind] } : undefined,
  };
}

const built = new Map<number, Site>();

function site(place: Place, number: number): Site {
  const key = ordinalOf(place, number);
  const known = built.get(key);
  if (known) return known;
  const made = build(place, number);
  built.set(key, made);
  return made;
}

const numbersOf = (kind: TownSiteKind) => [...KINDS.keys()].filter((number) => KINDS[number] === kind);
const NUMBERS: Record<TownSiteKind, readonly number[]> = {
  depot: numbersOf("depot"),
  customer: numbersOf("customer"),
  supplier: numbersOf("supplier"),
  "service area": numbersOf("service area"),
  residence: numbersOf("residence"),
};

/** A site of the given kind in a place; `choice` wraps around. */
export function siteIn(place: Place, kind: TownSiteKind, choice = 0): Site {
  return site(place, entry(NUMBERS[kind], choice));
}

/** A parking place beside a road, where drivers take a daily rest. It has no name, and its place is the nearest town. */
export function roadside(point: Point, place: Place, country: CountryCode, road: string): Site {
  const { latitude, longitude } = point;
  return { ordinal: 0, latitude, longitude, kind: "roadside", place, country, road, roadNumber: undefined, location: undefined };
}

export const countryOf = ({ country, place }: Site): CountryCode => country ?? place.country;
