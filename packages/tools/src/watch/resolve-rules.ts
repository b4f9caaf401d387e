import { FleetError } from "@fleetwire/core";
import { withAdvice } from "@fleetwire/core/internal";
import {
  DRIVERS,
  driverLabel,
  GROUPS,
  groupLabel,
  isLocation,
  type Location,
  locationLabel,
  VEHICLES,
  vehicleLabel,
} from "../fleet/entities.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { Privacy } from "../fleet/privacy.ts";
import { areaFilter } from "../lookup/area-filter.ts";
import { matchIn, requireMatch } from "../lookup/find-entities.ts";
import { findTown } from "../lookup/find-town.ts";
import { readArea } from "../lookup/fleet-towns.ts";
import { questionAbout } from "../lookup/origin.ts";
import { NameIndex } from "../names/name-index.ts";
import { NameQuestion, questionResult } from "../names/name-question.ts";
import { resolveName } from "../names/resolve-name.ts";
import { countryCodeOf, countryNameOf, townLabel } from "../places/geography.ts";
import type { TownIndex } from "../places/town-index.ts";
import { townNames, townText } from "../places/towns.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { quotation, singleLine } from "../text/clip-values.ts";
import { conditionOf, type Place } from "./conditions.ts";
import type { Area } from "./place-areas.ts";
import type { ResolvedRule } from "./rule-index.ts";
import type { WatchRule } from "./rules.ts";
import { idOf } from "./watch-store.ts";

type LoadTowns = () => Promise<TownIndex | undefined>;

const MAX_PROBLEMS = 5;
const QUESTION_TOKENS = 400;

const LOCATIONS = {
  noun: ["location", "locations"] as const,
  distinguishedBy: "full name",
  labelOf: locationLabel,
  recordOf: ({ name }: Location) => ({ locationName: name }),
};

/** Rules apply for a long time and nobody sees how they were understood, so a name has to be exact, as for writes. */
const exactOnly = true;

function locationsIn(fleet: FleetView): Promise<NameIndex<Location>> {
  return fleet.once("watched locations", async () => {
    const index = new NameIndex<Location>({
      names: [{ by: "name", of: ({ name }) => name }],
      codes: [{ by: "id", of: ({ id }) => id }],
      labels: (location) => [locationLabel(location)],
    });
    for (const [key, { value }] of (await fleet.vehiclesAndLocations()).keyed()) if (isLocation(value)) index.set(key, value);
    return index;
  });
}

/** Words for streets: those that stand before a name, all, and those that end a name in one word. A name that begins with St is a saint's. */
const BEFORE =
  "avenue|ave|av|boulevard|blvd|rue|chemin|quai|place|cours|impasse|via|viale|corso|piazza|calle|avenida|plaza|carrer|rua|praça|ulica|ul|aleja|al|plac|strada|allee|platz|str";
const WORDS = `${BEFORE}|street|st|road|rd|lane|ln|drive|route|square|weg`;
const ENDINGS =
  "stra(?:ß|ss)e|str\\.?|gasse|allee|weg|ufer|(?<!park|stell|lager|rast|lade|wende)platz|straat|laan|plein|gracht|gatan|vägen|gade|gaden|vej|vejen|veien|katu|utca";
const NUMBER = "\\d{1,5}\\s?[a-z]?(?:\\s?[-/]\\s?\\d{1,5}[a-z]?)?";

const STREETS = [
  // 12 Rue de Lyon; 24, Trafford Road
  new RegExp(`(?:^|,)\\s*${NUMBER},?\\s(?:[^\\d,]*\\s)?(?:${WORDS})\\.?(?=[\\s,]|$)`, "iu"),
  // Calle Mayor 5
  new RegExp(`(?:^|[\\s,])(?:${BEFORE})\\.?\\s[^\\d,]+,?\\s${NUMBER}(?=[\\s,]|$)`, "iu"),
  // Industriestraße 5
  new RegExp(`[\\p{L}\\s](?:${ENDINGS})\\s${NUMBER}(?=[\\s,]|$)`, "iu"),
];

/** A whole postcode, with or without a town: those of Britain, the Netherlands, and five digits. */
const POSTCODE =
  /^(?:[a-z]{1,2}\d[a-z\d]?\s?\d[a-z]{2}|\d{4}\s?[a-z]{2}|(?:[a-z]{1,2}[-\s])?\d{5}|[a-z]{1,2}-\d{4})(?:[\s,]+\p{L}[\p{L}\s,'.-]*)?$/iu;

/** Whether a text is an address or a postcode, which no record states where a location has a name. */
const isAddress = (text: string): boolean => POSTCODE.test(text.trim()) || STREETS.some((street) => street.test(text));

/** The service states where a vehicle is in other words than these. */
const notAPlace = (what: string, text: string) =>
  new FleetError("input", `at.location: ${quotation(text, 60)} is ${what}, not the name of a location`, {
    advice: "Use a location, a town, another vehicle, or latitude and longitude, or entersCountry for a country",
  });

/** Finds a location. The service lists none, so one at which no vehicle is now is waited for under its exact name. */
async function locationCalled(text: string, fleet: FleetView): Promise<{ area: Area; note?: string }> {
  const resolution = await resolveName(text, await locationsIn(fleet));
  if (resolution.result === "notFound" && isAddress(text)) throw notAPlace("an address", text);
  if (resolution.result === "notFound" && countryCodeOf(text) !== undefined) throw notAPlace("a country", text);
  if (resolution.result === "notFound" && (await resolution.nearest()).length === 0) {
    const name = townText(text);
    if (name === "") throw new FleetError("input", "at.location: has no letters or digits");
    const label = singleLine(text, 60);
    return {
      area: { kind: "location", name, label },
      note: `no vehicle is at a location called ${quotation(text, 60)} now: the rule waits for exactly this name`,
    };
  }
  const { value } = await matchIn(resolution, text, { ...LOCATIONS, noun: ["location", "locations"], field: "at.location", exactOnly });
  return { area: { kind: "location", id: value.id, name: townText(value.name), label: locationLabel(value) } };
}

async function townCalled(text: string, fleet: FleetView, towns: LoadTowns): Promise<Area> {
  const resolution = await findTown(text, fleet, towns);
  // The questions about a town that is not certain are those of the other tools.
  if (resolution?.result === "ambiguous") throw await questionAbout({ text, field: "at.town" }, resolution.towns, [], towns);
  if (resolution === undefined) {
    const { label } = await areaFilter(text, "at.town", fleet, towns);
    const [words] = readArea(text);
    if (words?.words.length === 0) throw new FleetError("input", `at.town: ${label} is a country`, { advice: "Use entersCountry" });
    throw new FleetError("input", `at.town: no vehicle reports ${label}, and no map of towns has it`, {
      advice: "Use latitude and longitude, or pass the option `gazetteer`",
    });
  }
  const { name, country } = resolution.town;
  const own = townText(name);
  const known = townNames.filter((town) => town.country === country && [town.name, ...town.names].some((one) => townText(one) === own));
  const names = new Set([own, ...known.flatMap((town) => [town.name, ...town.names].map(townText))]);
  return { kind: "town", names, country, label: townLabel(name, country) };
}

async function areaOf(at: Place, fleet: FleetView, towns: LoadTowns): Promise<{ area: Area; note?: string }> {
  if ("location" in at) return locationCalled(at.location, fleet);
  if ("town" in at) return { area: await townCalled(at.town, fleet, towns) };
  if ("vehicle" in at) {
    const { value } = await requireMatch(at.vehicle, fleet.vehicles, { ...VEHICLES, field: "at.vehicle", exactOnly });
    if (!value.assetId) throw new FleetError("input", `at.vehicle: ${vehicleLabel(value)} has no id`);
    return { area: { kind: "vehicle", vehicleId: value.assetId, radiusKm: at.radiusMetres / 1000, label: vehicleLabel(value) } };
  }
  const label = `${at.lat}, ${at.lng} (within ${at.radiusMetres} m)`;
  return { area: { kind: "circle", center: { latitude: at.lat, longitude: at.lng }, radiusKm: at.radiusMetres / 1000, label } };
}

function countryCalled(text: string): Area {
  const code = countryCodeOf(text);
  if (code === undefined) throw new FleetError("input", `country: no country is called ${quotation(text, 60)}`);
  return { kind: "country", code, label: countryNameOf(code) };
}

async function whomOf(rule: WatchRule, fleet: FleetView): Promise<Omit<ResolvedRule, "rule" | "key">> {
  const { vehicle, driver, group } = rule;
  if (vehicle !== undefined) {
    const { value } = await requireMatch(vehicle, fleet.vehicles, { ...VEHICLES, field: "vehicle", exactOnly });
    if (!value.assetId) throw new FleetError("input", `vehicle: ${vehicleLabel(value)} has no id, so it cannot be recognized`);
    return { vehicleId: value.assetId, whom: vehicleLabel(value) };
  }
  if (driver !== undefined) {
    const { value } = await requireMatch(driver, await fleet.drivers(), { ...DRIVERS, field: "driver", exactOnly });
    if (!value.driverId) throw new FleetError("input", `driver: ${driverLabel(value)} has no id, so they cannot be recognized`);
    return { driverId: value.driverId, whom: driverLabel(value) };
  }
  if (group !== undefined) {
    const { value } = await requireMatch(group, await fleet.groups(), { ...GROUPS, field: "group", exactOnly });
    return { groupId: value.id, whom: `anyone in ${groupLabel(value)}` };
  }
  return { whom: conditionOf(rule).source === "hours" ? "any driver" : "any vehicle" };
}

/** Resolves the names in a rule; throws a {@link NameQuestion} if one is not certain. */
export async function resolveRule(rule: WatchRule, fleet: FleetView, towns: LoadTowns): Promise<ResolvedRule> {
  const whom = await whomOf(rule, fleet);
  const place: { area?: Area; note?: string } =
    "at" in rule ? await areaOf(rule.at, fleet, towns) : rule.when === "entersCountry" ? { area: countryCalled(rule.country) } : {};
  if (place.area?.kind === "vehicle" && place.area.vehicleId === whom.vehicleId)
    throw new FleetError("input", "at.vehicle: is the vehicle of the rule itself");
  return { rule, key: keyOf(rule), ...whom, ...place };
}

const keyOf = (rule: WatchRule): string => idOf(JSON.stringify(rule));

/** Says why a rule cannot be resolved. */
function problemOf(error: unknown, operators: Privacy | undefined): string {
  if (error instanceof NameQuestion) {
    const { field } = error.unresolved;
    // More people read this than write the rules.
    if (operators?.hidesNames && field === "driver") return "driver: No driver is called so, or several are. What is the full name or id?";
    const { structured } = questionResult(error.unresolved, "read")(QUESTION_TOKENS);
    return `${field}: ${(structured as { question: string }).question}`;
  }
  if (error instanceof FleetError && error.code === "input") return withAdvice(error);
  throw error;
}

/**
 * Resolves the names in rules as the tools do; throws a `FleetError` that names each rule with a name that is not certain. The operator's own
 * rules may call drivers by names that are hidden from everyone else.
 */
export async function resolveRules(
  rules: readonly WatchRule[],
  fleet: FleetView,
  towns: LoadTowns,
  operators?: Privacy,
): Promise<ResolvedRule[]> {
  const found: ResolvedRule[] = [];
  const problems: string[] = [];
  const slices = new TimeSlices();
  for (const rule of rules) {
    if (slices.isOver) await slices.next();
    try {
      const { driver } = rule;
      const masked = driver === undefined || !operators ? rule : { ...rule, driver: operators.driverCalled(driver) };
      found.push({ ...(await resolveRule(masked, fleet, towns)), rule, key: keyOf(rule) });
    } catch (error) {
      const problem = problemOf(error, operators);
      problems.push(`rule ${rule.id}.${operators?.text(problem) ?? problem}`);
      if (problems.length > MAX_PROBLEMS) break;
    }
  }
  if (problems.length === 0) return found;
  const shown = problems.slice(0, MAX_PROBLEMS).join("; ");
  throw new FleetError("input", `rules: ${shown}${problems.length > MAX_PROBLEMS ? "; and more" : ""}`, {
    advice: "Correct the rules listed",
  });
}
