import type { Point } from "@fleetwire/core/internal";
import { CREW_SIZE, crewMember, type Duty, daysPerDate } from "./day-plan.ts";
import { nonstopDuty, nonstopStyle, serviceWeek, underWayAt, weeksDuty } from "./duties.ts";
import { type AssetType, type EnergyType, type Model, modelsOf } from "./models.ts";
import { type Driver, driverOf } from "./people.ts";
import { type Place, placeNamed } from "./places.ts";
import { registration, vehicleIdentificationNumber } from "./plates.ts";
import { draw, drawBetween, drawIndex, entry, identifier, scramble, topic } from "./random.ts";
import type { RoundStyle } from "./round-trips.ts";
import type { Round } from "./rounds.ts";
import type { Doing } from "./whereabouts.ts";

/** The properties of a vehicle or trailer that do not change over time. */
export interface Vehicle {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly registration: string;
  readonly vin: string;
  /** Serial number of the tracking unit. */
  readonly serialNumber: number;
  readonly model: Model;
  readonly home: Place;
  /** Its schedule; a trailer has the schedule of the truck that pulls it. */
  readonly duty: Duty;
  /** The number of its drivers: none, one, or four who take turns. */
  readonly crewSize: number;
  readonly driver: (member: number) => Driver;
  /** Pool vehicles have a driver each day but no default driver (interface 2.5, personName). */
  readonly isPool: boolean;
  /** When it was sold, in epoch ms. */
  readonly soldAt: number | undefined;
  readonly odometerKm: number;
  readonly engineHours: number;
  readonly tags: readonly string[];
  readonly hasDoorSensor: boolean;
  /** Offset in degrees from the shared route, up to about 20 m, so that no two vehicles are on the same spot. */
  readonly beside: Point;
}

/** What is set up by hand for a vehicle. */
interface Listing {
  readonly name: string;
  readonly asset: AssetType;
  readonly energy: EnergyType;
  readonly style: RoundStyle;
  /** Index of the truck that pulls this trailer. */
  readonly tractor?: number;
  readonly isSold?: boolean;
  readonly isPool?: boolean;
}

type Use = Pick<Listing, "isSold" | "isPool">;

const HAULS_OF_FIVE = [0, 2, 3];
const DISTRIBUTION: readonly EnergyType[] = ["FECV", "CNG", "EV"];
const truck = (number: number, energy: EnergyType = "ICE", use: Use = {}, name = "Truck"): Listing => {
  const style = DISTRIBUTION.includes(energy) ? "distribution" : HAULS_OF_FIVE.includes(number % 5) ? "haul" : "regional";
  return { name: `${name} ${number}`, asset: "TRUCK", energy, style, ...use };
};
const van = (number: number, energy: EnergyType = "ICE", use: Use = {}, name = "Van"): Listing => ({
  name: `${name} ${number}`,
  asset: "VAN",
  energy,
  style: "local",
  ...use,
});
const car = (number: number, energy: EnergyType, use: Use = {}): Listing => ({
  name: `Car ${number}`,
  asset: "CAR",
  energy,
  style: "visits",
  ...use,
});
const trailer = (number: number, tractor: number, use: Use = {}): Listing => ({
  name: `Trailer ${number}`,
  asset: "TRAILER",
  energy: "UNDEFINED",
  style: "haul",
  tractor,
  ...use,
});
const electricVan = (number: number): Listing => van(number, "EV", {}, "eVan");

const UNUSUAL_TRUCKS: Record<number, EnergyType> = { 7: "LNG", 14: "FECV", 18: "CNG" };
const UNUSUAL_VANS: Record<number, EnergyType> = { 4: "LPG", 9: "BI-FUEL", 12: "CNG" };

/** The first fifty vehicles; smaller fleets use the beginning of this list. */
const FIRST_FIFTY: readonly Listing[] = [
  ...Array.from({ length: 20 }, (_, at) => truck(at + 1, UNUSUAL_TRUCKS[at + 1])),
  truck(112),
  truck(121),
  ...Array.from({ length: 14 }, (_, at) => van(at + 1, UNUSUAL_VANS[at + 1])),
  van(15, "ICE", { isPool: true }),
  ...[0, 4, 9, 11, 16].map((tractor, at) => trailer(at + 1, tractor)),
  trailer(6, 19, { isSold: true }),
  electricVan(1),
  electricVan(2),
  electricVan(3),
  car(1, "PHEV"),
  car(2, "HEV"),
  car(3, "ICE", { isSold: true }),
  truck(1, "EV", {}, "eTruck"),
];

const BLOCK = 20;

/** Larger fleets continue in blocks of twenty: nine trucks, six vans, three trailers, an electric van and a car. */
function listingAt(index: number): Listing {
  const first = FIRST_FIFTY[index];
  if (first) return first;
  const block = Math.floor((index - FIRST_FIFTY.length) / BLOCK);
  const place = (index - FIRST_FIFTY.length) % BLOCK;
  const start = index - place;
  const use = { isSold: place % 6 === 4 && block % 3 === 0, isPool: place === 12 };
  if (place < 9) return truck(200 + block * 9 + place, place === 8 ? "LNG" : "ICE", use);
  if (place < 15) return van(16 + block * 6 + place - 9, place === 14 ? "LPG" : "ICE", use);
  if (place < 18) return trailer(7 + block * 3 + place - 15, start + (place - 15), use);
  if (place === 18) return electricVan(4 + block);
  return car(4 + block, entry<EnergyType>(["HEV", "PHEV", "ICE"], block));
}

/** Home towns, in the order in which fleets are assigned them. */
const HOMES =
  "Hamburg Birmingham Lyon Utrecht Poznań Zaragoza Verona Praha Portlaoise Namur Linz Helsingborg Stuttgart Leeds Orléans Katowice"
    .split(" ")
    .map(placeNamed);

/** The home towns of a fleet: one per eight vehicles, at least one. */
export function homesOf(vehicles: number): readonly Place[] {
  return HOMES.slice(0, Math.min(HOMES.length, Math.max(1, Math.ceil(vehicles / 8))));
}

const ABOUT = {
  seed: topic("seed of a vehicle"),
  id: topic("vehicle id"),
  model: topic("model of a vehicle"),
  sold: topic("time of the sale"),
  device: topic("tracking unit"),
  wear: topic("odometer reading on entering service"),
  tags: topic("tags"),
  sensor: topic("door sensor"),
  beside: topic("metres beside the line"),
};

const HOUR = 3_600_000;
const FIRST_SALE = Date.UTC(2023, 9, 2);
const SALE_PERIOD = 500 * 24 * HOUR;
const TAGS = ["refrigerated", "tail-lift", "hazmat", "city", "leased", "24h", "tolled"];
const TEAM_SIZE = 2;
/** The truck that newcomers ask for first: in a fleet that never rests, it is under way at the start. */
const TRUCK_12 = 11;

const years = new Map<number, number>();

function serviceYear(week: number): number {
  const year = years.get(week) ?? new Date(week * 7 * 24 * HOUR).getUTCFullYear();
  years.set(week, year);
  return year;
}

/** All drivers of a vehicle. */
export function driversOf({ crewSize, driver }: Vehicle): Driver[] {
  return Array.from({ length: crewSize }, (_, member) => driver(member));
}

/** The driver who has a vehicle, or had it last. */
export function driverOn({ crewSize, driver, duty }: Vehicle, { day, wheel }: Pick<Doing, "day" | "wheel">): Driver | undefined {
  if (crewSize === 0) return undefined;
  return driver(duty.isTeam ? wheel : crewMember(duty, day));
}

/** What determines a fleet's vehicles. */
export interface FleetPlan {
  readonly seed: number;
  readonly homes: readonly Place[];
  readonly roundOf: (place: Place, style: RoundStyle, number: number) => Round;
  /** When a fleet that never rests starts, in epoch ms; undefined for one with ordinary weeks. */
  readonly start: number | undefined;
  readonly size: number;
}

/** The schedule of the vehicle at an index, which is not a trailer. */
function dutyAt(index: number, { seed: fleetSeed, homes, roundOf, start }: FleetPlan): Duty {
  const { style: usual, asset, energy } = listingAt(index);
  const seed = scramble(fleetSeed, ABOUT.seed, index);
  const home = entry(homes, index);
  const number = Math.floor(index / homes.length);
  if (start === undefined) return weeksDuty(number, usual, home, seed, roundOf(home, usual, number));
  const style = nonstopStyle(usual, asset === "VAN" && energy === "ICE" && index % 5 !== 0);
  const duty = nonstopDuty(index, style, home, seed, roundOf(home, style, number), start);
  return index === TRUCK_12 ? underWayAt(duty, start) : duty;
}

/** How many drivers of a depot come before the next depot of the country has the same names; no multiple of the step between a crew's names. */
const DEPOT_STEP = 20;
const NAMESAKES = 9;

/**
 * The ordinal of a vehicle's driver within the country. Few in a country's second depot are namesakes of drivers in its first, unless the fleet has
 * more drivers than there are names.
 */
function nameOrdinal(index: number, { homes, size }: FleetPlan): number {
  const number = Math.floor(index / homes.length);
  const home = entry(homes, index);
  const depots = homes.filter(({ country }) => country === home.country);
  return number % NAMESAKES === 0 || size > DEPOT_STEP * homes.length ? number : number + DEPOT_STEP * depots.indexOf(home);
}

/** Creates the vehicle at an index. */
export function vehicleAt(index: number, plan: FleetPlan): Vehicle {
  const { seed: fleetSeed, homes } = plan;
  const listing = listingAt(index);
  const seed = scramble(fleetSeed, ABOUT.seed, index);
  const mover = listing.tractor ?? index;
  const home = entry(homes, mover);
  const duty = dutyAt(mover, plan);
  const models = modelsOf(listing.asset, listing.energy);
  const model = entry(models, drawIndex(models.length, seed, ABOUT.model));
  const year = serviceYear(duty.isShared ? Math.floor(duty.serviceDay / 7 / daysPerDate(duty)) : serviceWeek(duty.seed));
  const isSold = listing.isSold === true;
  const isDriven = listing.asset !== "TRAILER" && !isSold;
  return {
    index,
    id: identifier(12, fleetSeed, ABOUT.id, index),
    name: listing.name,
    registration: registration(home.country, fleetSeed, index, year),
    vin: vehicleIdentificationNumber(model.manufacturer, seed, index, year),
    serialNumber: 350_000_000_000_000 + scramble(seed, ABOUT.device) * 100 + (index % 100),
    model,
    home,
    duty,
    crewSize: isDriven ? (duty.isShared ? CREW_SIZE : duty.isTeam ? TEAM_SIZE : 1) : 0,
    driver: (member) => driverOf(home.country, fleetSeed, index, nameOrdinal(index, plan), member),
    isPool: isDriven && listing.isPool === true,
    soldAt: isSold ? FIRST_SALE + Math.floor(draw(seed, ABOUT.sold) * SALE_PERIOD) : undefined,
    odometerKm: Math.round(drawBetween(4, 60, seed, ABOUT.wear) * 1024) / 1024,
    engineHours: drawBetween(0.5, 3, seed, ABOUT.wear, 1),
    tags: TAGS.filter((_, at) => draw(seed, ABOUT.tags, at) < 0.16),
    hasDoorSensor: listing.asset !== "CAR" && draw(seed, ABOUT.sensor) < 0.45,
    beside: { latitude: drawBetween(-1, 1, seed, ABOUT.beside) * 1.5e-4, longitude: drawBetween(-1, 1, seed, ABOUT.beside, 1) * 2e-4 },
  };
}
