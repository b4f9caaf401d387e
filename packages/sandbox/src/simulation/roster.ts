import type { Point } from "@fleetwire/core/internal";
import { COUNTRIES, registration } from "./countries.ts";
import { CREW_SIZE, crewMember, DAY_MS, type Duty, dayOf, daysPerDate, planDay } from "./day-plan.ts";
import { listingAt, type Model, modelsOf, vehicleIdentificationNumber } from "./models.ts";
import { type Driver, driverOf } from "./people.ts";
import { type Place, placeNamed } from "./places.ts";
import { draw, drawBetween, drawIndex, entry, identifier, scramble, topic } from "./random.ts";
import type { Round, RoundStyle } from "./rounds.ts";
import { isNightRound, isTeamRound, ROUND_WEEKS, yearOf } from "./weeks.ts";
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

/** Home towns, in the order in which fleets are assigned them. */
const HOMES =
  "Hamburg Birmingham Lyon Utrecht Poznań Zaragoza Verona Praha Portlaoise Namur Linz Helsingborg Stuttgart Leeds Orléans Katowice"
    .split(" ")
    .map(placeNamed);

/** The home towns of a fleet: one per eight vehicles, at least one. */
export function homesOf(vehicles: number): readonly Place[] {
  return HOMES.slice(0, Math.min(HOMES.length, Math.max(1, Math.ceil(vehicles / 8))));
}

const HOUR = 3_600_000;
const MINUTE = 60_000;

const ABOUT = {
  weekShift: topic("days by which a week is shifted"),
  shiftStart: topic("usual start of a shift"),
  night: topic("drives at night"),
  serviceWeek: topic("entry into service"),
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

const FIRST_SALE = Date.UTC(2023, 9, 2);
const SALE_PERIOD = 500 * DAY_MS;
const TAGS = ["refrigerated", "tail-lift", "hazmat", "city", "leased", "24h", "tolled"];
const TEAM_SIZE = 2;
/** The truck that newcomers ask for first: in a fleet that never rests, it is under way at the start. */
const TRUCK_12 = 11;

const serviceYear = (week: number) => new Date(week * WEEK_MS).getUTCFullYear();

/** All drivers of a vehicle. */
export function driversOf({ crewSize, driver }: Vehicle): Driver[] {
  return Array.from({ length: crewSize }, (_, member) => driver(member));
}

/** The driver who has a vehicle, or had it last. */
export function driverOn({ crewSize, driver, duty }: Vehicle, { day, wheel }: Pick<Doing, "day" | "wheel">): Driver | undefined {
  if (crewSize === 0) return undefined;
  return driver(duty.isTeam ? wheel : crewMember(duty, day));
}

const EARLIEST_SERVICE_WEEK = 2558;
const SERVICE_WEEKS = 250;
/** Vehicles that drive around the clock are replaced after two years. */
const SHARED_SERVICE_WEEKS = 100;
const WEEK_MS = 7 * DAY_MS;

/** Usual starts of work, in local hours; where drivers take turns, in hours of the half day. */
const USUAL_START: Record<RoundStyle, readonly [number, number]> = {
  // After four in the morning UTC, when the night of drivers ends.
  haul: [5.8, 7.2],
  regional: [5.8, 7],
  distribution: [5.5, 7],
  local: [6, 8],
  visits: [7, 8.5],
  relay: [0.25, 0.25],
  express: [0.25, 0.25],
};

/** In a fleet that never rests, the start is this instant: a Tuesday at half past ten in Central Europe. */
const BUSY_INSTANT = Date.UTC(2026, 10, 17, 9, 30);
/** Multiples of the golden ratio, modulo 1, are evenly spread, however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The start of a fleet that never rests, in whole minutes like its shifts. */
const startMinute = (start: number) => Math.floor(start / MINUTE) * MINUTE;

/** The style of a vehicle in a fleet that never rests: all that drive between towns do so around the clock. */
function nonstopStyle(style: RoundStyle, isExpress: boolean): RoundStyle {
  if (style === "haul" || style === "regional") return "relay";
  return isExpress ? "express" : style;
}

const startsAt = (style: RoundStyle, seed: number) => drawBetween(...USUAL_START[style], seed, ABOUT.shiftStart);
/** The week of entry into service. */
const serviceWeek = (seed: number) => EARLIEST_SERVICE_WEEK + drawIndex(SERVICE_WEEKS, seed, ABOUT.serviceWeek);

/** The schedule of a vehicle in a fleet that never rests since `start`, in epoch ms. */
function nonstopDuty(index: number, style: RoundStyle, home: Place, seed: number, round: Round, start: number): Duty {
  const isShared = style === "relay" || style === "express";
  const isNight = style === "local" ? draw(seed, ABOUT.night) < 0.15 : style === "distribution" && index % 4 === 1;
  const isUsualWeek = !isShared && draw(seed, ABOUT.weekShift) < 0.35;
  const dayMs = isShared ? DAY_MS / 2 : DAY_MS;
  const phaseMs = isShared ? Math.floor((((index * GOLDEN) % 1) * dayMs) / MINUTE) * MINUTE : isNight ? 12 * HOUR : 0;
  return {
    ...{ seed, style, round, dayMs, isShared, isVaried: false, isTeam: false },
    weekShift: isUsualWeek ? 0 : 1 + drawIndex(6, seed, ABOUT.weekShift, 1),
    dayOffsetMs: phaseMs + startMinute(start) - BUSY_INSTANT,
    shiftStartMs: (startsAt(style, seed) - (isShared ? 0 : COUNTRIES[home.country].hoursAhead)) * HOUR,
    serviceDay: isShared
      ? 14 * (Math.floor(BUSY_INSTANT / WEEK_MS) - 6 - drawIndex(SHARED_SERVICE_WEEKS, seed, ABOUT.serviceWeek))
      : 7 * serviceWeek(seed),
  };
}

/** The schedule of a vehicle in ordinary weeks: from Monday to Friday, or of some that return every evening, from Tuesday to Saturday. */
function weeksDuty(number: number, style: RoundStyle, home: Place, seed: number, round: Round): Duty {
  const isTeam = isTeamRound(style, number, home);
  const isNight = isNightRound(style, number, home) || (style === "local" && draw(seed, ABOUT.night) < 0.1);
  const isMoved = style !== "haul" && !isNight && draw(seed, ABOUT.weekShift) < 0.2;
  const isTruck = style === "haul" || style === "regional";
  return {
    ...{ seed, style, dayMs: DAY_MS, isShared: false, isVaried: true, isTeam },
    round: yearOf(round, style, seed, isTeam || !isTruck ? undefined : isNight ? "night" : "day"),
    weekShift: 7 * drawIndex(ROUND_WEEKS, seed, ABOUT.weekShift, 1) + (isMoved ? 6 : 0),
    dayOffsetMs: isNight ? 12 * HOUR : 0,
    shiftStartMs: (startsAt(style, seed) - COUNTRIES[home.country].hoursAhead) * HOUR,
    serviceDay: 7 * ROUND_WEEKS * Math.ceil(serviceWeek(seed) / ROUND_WEEKS),
  };
}

/** A duty shifted so that at `start`, its vehicle is well under way on the longest drive of a shift. */
function underWayAt(duty: Duty, start: number): Duty {
  const minute = startMinute(start);
  const drives = planDay(duty, dayOf(duty, minute)).filter(({ kind }) => kind === "drive");
  const longest = drives.reduce((best, drive) => (drive.end - drive.start > best.end - best.start ? drive : best));
  const drivenMs = Math.floor(Math.min(35 * MINUTE, (longest.end - longest.start) / 3) / MINUTE) * MINUTE;
  return { ...duty, dayOffsetMs: duty.dayOffsetMs + minute - longest.start - drivenMs };
}

/** What determines a fleet's vehicles. */
interface FleetPlan {
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
