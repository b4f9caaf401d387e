import type { Point } from "@fleetwire/core/internal";
import { COUNTRIES } from "./countries.ts";
import { offset, PLACES, type Place } from "./places.ts";
import { drawBetween, drawIndex, entry, identifier, topic } from "./random.ts";

type SiteKind = "depot" | "customer" | "supplier" | "service area" | "residence";

/** An address where vehicles stop. */
export interface Site extends Point {
  /** Distinguishes it from all other sites on the map. */
  readonly ordinal: number;
  readonly place: Place;
  readonly road: string;
  readonly roadNumber: string;
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

const COUNTS: Record<SiteKind, number> = { depot: 1, customer: 7, supplier: 1, "service area": 1, residence: 4 };
const KINDS = (Object.keys(COUNTS) as SiteKind[]).flatMap((kind) => Array<SiteKind>(COUNTS[kind]).fill(kind));

const CATEGORIES = { depot: "Depots", customer: "Customers", supplier: "Suppliers", "service area": "Service areas" } as const;

const COMPANIES =
  "Alderbrook Foods, Brightwater Pharma, Corvane Steel, Dunmore Timber, Elmet Packaging, Farrow & Pine, Glasthorn Retail, Hollin Parts, Ivarsen Paper, Juniper Textiles, Kestrel Home, Larkfield Dairy".split(
    ", ",
  );

/** More than the ordinal of any site. */
export const SITES_END = PLACES.length * KINDS.length;

const ordinalOf = (place: Place, number: number) => place.ordinal * KINDS.length + number;

function build(place: Place, number: number): Site {
  const kind = entry(KINDS, number);
  const { streets } = COUNTRIES[place.country];
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
    place,
    road: entry(streets, drawIndex(streets.length, place.ordinal, STREET, number)),
    roadNumber: String(1 + drawIndex(140, place.ordinal, HOUSE, number)),
    location: isKnown ? { id: identifier(10, place.ordinal, LOCATION, number), name: title, category: CATEGORIES[kind] } : undefined,
  };
}

const built = new Map<number, Site>();

/** A site of the given kind in a place; `choice` wraps around. */
export function siteIn(place: Place, kind: SiteKind, choice = 0): Site {
  const number = KINDS.indexOf(kind) + (((choice % COUNTS[kind]) + COUNTS[kind]) % COUNTS[kind]);
  const key = ordinalOf(place, number);
  const site = built.get(key) ?? build(place, number);
  built.set(key, site);
  return site;
}
