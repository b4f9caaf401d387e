import type { Point } from "@fleetwire/core/internal";
import { CREW_SIZE, calendarWeek, crewMember, type Duty, daysPerDate } from "./day-plan.ts";
import { dutyOf, nonstopStyle, underWayAt, variedDuty } from "./duties.ts";
import { listingAt } from "./listings.ts";
import { type Model, modelsOf } from "./models.ts";
import { type Driver, driverOf } from "./people.ts";
import { type Place, placeNamed } from "./places.ts";
import { registration, vehicleIdentificationNumber } from "./plates.ts";
import { draw, drawBetween, drawIndex, entry, identifier, scramble, topic } from "./random.ts";
import type { RoundStyle } from "./round-styles.ts";
import type { Round } from "./rounds.ts";
import { isMoved, isTeamRound } from "./varied-rounds.ts";
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
  /** The index of the vehicle with which it swaps drivers in some weeks. */
  readonly partner: number | undefined;
  /** The driver of its partner. */
  readonly stranger: () => Driver | undefined;
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

/** Home towns, in the order in which fleets are assigned them. */
const HOMES = [
  "Hamburg",
  "Birmingham",
  "Lyon",
  "Utrecht",
  "Poznań",
  "Zaragoza",
  "Verona",
  "Praha",
  "Portlaoise",
  "Namur",
  "Linz",
  "Helsingborg",
  "Stuttgart",
  "Leeds",
  "Orléans",
  "Katowice",
].map(placeNamed);

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
  swap: topic("weeks with swapped drivers"),
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

/** Whether a vehicle and its partner have swapped drivers for the week of a day. */
export function isSwapped({ index, partner }: Vehicle, day: number): boolean {
  return partner !== undefined && draw(Math.min(index, partner), ABOUT.swap, calendarWeek(day)) < 0.3;
}

/** The driver who has a vehicle, or had it last. */
export function driverOn(vehicle: Vehicle, { day, wheel }: Pick<Doing, "day" | "wheel">): Driver | undefined {
  const { crewSize, driver, duty } = vehicle;
  if (crewSize === 0) return undefined;
  if (duty.isTeam) return driver(wheel);
  return isSwapped(vehicle, day) ? vehicle.stranger() : driver(crewMember(duty, day));
}

/** What determines a fleet's vehicles. */
export interface FleetPlan {
  readonly seed: number;
  readonly homes: readonly Place[];
  readonly roundOf: (place: Place, style: RoundStyle, number: number) => Round;
  /** When a fleet that never rests starts, in epoch ms; undefined for one that keeps the ordinary week. */
  readonly start: number | undefined;
  /** Whether the weeks of the ordinary week differ from each other. */
  readonly isVaried: boolean;
  readonly size: number;
}

/** The schedule of the vehicle at an index, which is not a trailer. */
function dutyAt(index: number, { seed: fleetSeed, homes, roundOf, start, isVaried }: FleetPlan): Duty {
  const { style: usual, asset, energy } = listingAt(index);
  const style = start === undefined ? usual : nonstopStyle(usual, asset === "VAN" && energy === "ICE" && index % 5 !== 0);
  const seed = scramble(fleetSeed, ABOUT.seed, index);
  const home = entry(homes, index);
  const number = Math.floor(index / homes.length);
  const round = roundOf(home, style, number);
  if (isVaried) return variedDuty(index, number, style, home, seed, round, isTeamRound(style, number, home));
  const duty = dutyOf(index, style, home, seed, round, start);
  return start !== undefined && index === TRUCK_12 ? underWayAt(duty, start) : duty;
}

/**
 * The index of the vehicle with which a truck swaps drivers in some weeks: both start at the same depot at the beginning of the week, and neither
 * drives at weekends or longer than others.
 */
function partnerOf(index: number, plan: FleetPlan): number | undefined {
  if (!plan.isVaried) return undefined;
  const homes = plan.homes.length;
  const isFit = (at: number) => {
    const { style, asset, isSold, isPool, tractor } = listingAt(at);
    if (asset !== "TRUCK" || isSold || isPool || tractor !== undefined || (style !== "haul" && style !== "regional")) return false;
    const [home, number] = [entry(plan.homes, at), Math.floor(at / homes)];
    const round = plan.roundOf(home, style, number);
    const isOrdinary = [...(round.lapses?.values() ?? [])].every((lapse) => !lapse.endsWith("Week") && !lapse.includes("Weekend"));
    return isOrdinary && !isTeamRound(style, number, home) && !isMoved(style, number) && round.home.kind === "depot";
  };
  if (!isFit(index)) return undefined;
  const number = Math.floor(index / homes);
  const group = Math.floor(number / MEMBERS) * MEMBERS;
  const fit = Array.from({ length: MEMBERS }, (_, at) => (group + at) * homes + (index % homes)).filter(
    (at) => at < plan.size && isFit(at),
  );
  return fit[fit.indexOf(index) ^ 1];
}

/** Trucks of one home among which partners are sought. */
const MEMBERS = 8;

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
  const year = serviceYear(Math.floor(duty.serviceDay / 7 / daysPerDate(duty)));
  const partner = partnerOf(index, plan);
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
    partner,
    stranger: () => (partner === undefined ? undefined : driverOf(home.country, fleetSeed, partner, nameOrdinal(partner, plan), 0)),
    isPool: isDriven && listing.isPool === true,
    soldAt: isSold ? FIRST_SALE + Math.floor(draw(seed, ABOUT.sold) * SALE_PERIOD) : undefined,
    odometerKm: Math.round(drawBetween(4, 60, seed, ABOUT.wear) * 1024) / 1024,
    engineHours: drawBetween(0.5, 3, seed, ABOUT.wear, 1),
    tags: TAGS.filter((_, at) => draw(seed, ABOUT.tags, at) < 0.16),
    hasDoorSensor: listing.asset !== "CAR" && draw(seed, ABOUT.sensor) < 0.45,
    beside: { latitude: drawBetween(-1, 1, seed, ABOUT.beside) * 1.5e-4, longitude: drawBetween(-1, 1, seed, ABOUT.beside, 1) * 2e-4 },
  };
}
