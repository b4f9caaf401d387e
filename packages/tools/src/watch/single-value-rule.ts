import { FleetError } from "@fleetwire/core";
import * as z from "zod";
import { isLocation } from "../fleet/entities.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { findTown } from "../lookup/find-town.ts";
import { coordinatesIn, isCertain } from "../lookup/origin.ts";
import { type Resolution, resolveName } from "../names/resolve-name.ts";
import { countryCodeOf } from "../places/geography.ts";
import type { TownIndex } from "../places/town-index.ts";
import { readNumber } from "../text/read-number.ts";
import { conditionOf, type When } from "./conditions.ts";
import { parseArguments, type WatchRule } from "./rules.ts";

type LoadTowns = () => Promise<TownIndex | undefined>;

/** A rule as a model writes it: whom it is about in one text, and the main field of its condition in another. */
export interface SingleValueRule {
  when: When;
  who?: string | undefined;
  value?: string | number | undefined;
}

/** How near a vehicle has to be to a point. */
const POINT_METRES = 500;

const isExact = (resolution: Resolution<unknown>, ...except: readonly string[]) =>
  resolution.result === "found" && resolution.match.respelt !== true && !except.includes(resolution.match.matchedBy);

/** Whom a name means. One that is not certain counts as a vehicle's, so that the question is about vehicles. */
async function whomCalled(who: string, fleet: FleetView): Promise<object> {
  if (isExact(await resolveName(who, fleet.vehicles), "driver", "group")) return { vehicle: who };
  if (isExact(await resolveName(who, await fleet.drivers()))) return { driver: who };
  return isExact(await resolveName(who, await fleet.groups())) ? { group: who } : { vehicle: who };
}

/** Where a text means: as for distances, a town's name means the town, unless it is the whole name of a location or vehicle. */
async function placeCalled(text: string, fleet: FleetView, towns: LoadTowns): Promise<object> {
  const point = coordinatesIn(text)?.point;
  if (point) return { lat: point.latitude, lng: point.longitude, radiusMetres: POINT_METRES };
  const named = await resolveName(text, await fleet.vehiclesAndLocations());
  if (named.result === "found" && isCertain(named.match, text))
    return isLocation(named.match.value) ? { location: text } : { vehicle: text };
  const isTown = countryCodeOf(text) !== undefined || (await findTown(text, fleet, towns)) !== undefined;
  return isTown ? { town: text } : { location: text };
}

const refused = (when: When, problem: string) =>
  new FleetError("input", `value: ${when} ${problem}`, { advice: "Ask the user if it is unclear" });

const LAMP_WORDS = /\s*\b(?:lamps?|lights?)$/i;

/** Fault codes have digits, and names of lamps have none. */
const faultCalled = (text: string) => (/\d/.test(text) ? { code: text } : { lamp: text.replace(LAMP_WORDS, "") || text });

const UNITS: Readonly<Record<string, readonly string[]>> = { kmh: ["km/h"], percent: ["%"] };
const MINUTES = ["minutes", "min", "minute"];

async function fieldsOf({ when, value }: SingleValueRule, fleet: FleetView, towns: LoadTowns): Promise<object> {
  const [field, schema] = Object.entries(conditionOf({ when }).fields)[0] ?? [];
  const units = schema instanceof z.ZodNumber ? (UNITS[field ?? ""] ?? MINUTES) : undefined;
  const needed = units ? `a number of ${units[0]}` : field === "at" ? "a place" : `a ${field}`;
  if (value === undefined) {
    if (field !== undefined && !(schema instanceof z.ZodOptional)) throw refused(when, `needs ${needed}`);
    return {};
  }
  if (field === undefined) throw refused(when, "takes none");
  const text = String(value).trim();
  if (units) {
    const number = units.map((unit) => readNumber(text, unit)).find((read) => read !== undefined);
    if (number === undefined) throw refused(when, `needs ${needed}`);
    return { [field]: number };
  }
  if (field === "at") return { at: await placeCalled(text, fleet, towns) };
  return when === "faultBegins" ? faultCalled(text) : { [field]: text };
}

/** Returns the rule that a model means, with names not yet resolved. Throws a `FleetError` with the code `input` if a value is wrong. */
export async function ruleOfSingleValue(given: SingleValueRule, fleet: FleetView, towns: LoadTowns): Promise<WatchRule> {
  const whom = given.who === undefined ? {} : await whomCalled(given.who, fleet);
  return parseArguments(given.when, { ...whom, ...(await fieldsOf(given, fleet, towns)) });
}
