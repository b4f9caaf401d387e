import { FleetError } from "@fleetwire/core";
import { isLocation, type Location, VEHICLES_AND_LOCATIONS, vehicleLabel } from "../fleet/entities.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { impossiblePoint, isHidden, type Position } from "../fleet/position.ts";
import { MAX_CANDIDATES, NameQuestion } from "../names/name-question.ts";
import { type Match, type Resolution, resolveName } from "../names/resolve-name.ts";
import { withoutFillers } from "../names/word-meanings.ts";
import { middleOf, type Point, pointOf, pointsTogether, townLabel } from "../places/geography.ts";
import type { TownIndex } from "../places/town-index.ts";
import { townWords } from "../places/towns.ts";
import { singleLine } from "../text/clip-values.ts";
import { isNumber } from "../text/spelling.ts";
import { type MatchOptions, unresolvedName } from "./find-entities.ts";
import { distinctLabel, findTown, similarTowns, type TownCandidate, type TownResolution, townsInAddress } from "./find-town.ts";

/** The point from which distances are measured. */
export interface Origin {
  point: Point;
  name: string;
  kind: "point" | "vehicle" | "location" | "town";
  /** The id of the vehicle at this point, if the point is a vehicle's position. */
  vehicle?: string | undefined;
}

type Thing = Position | Location;
type LoadTowns = () => Promise<TownIndex | undefined>;

const NAME_LENGTH = 60;
const ANYWHERE: Omit<MatchOptions<Thing>, "field"> = {
  ...VEHICLES_AND_LOCATIONS,
  noun: ["vehicle, driver, location or town", "vehicles, drivers, locations and towns"],
};

const COORDINATES = /(?:^|\()\s*(-?\d{1,2}(?:\.\d+)?)\s*°?\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*\)?\s*$/;

/** Reads "51.31, 9.48", which are degrees north and east, also in brackets after a name. */
export function coordinatesIn(text: string): Origin | undefined {
  const [latitude, longitude] = (COORDINATES.exec(text)?.slice(1) ?? []).map(Number);
  if (latitude === undefined || longitude === undefined || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return { point: { latitude, longitude }, name: `${latitude}, ${longitude}`, kind: "point" };
}

const isIn = (count: number) => (count === 1 ? "is" : "are");

/** The interface does not state where a location is, so the center of most of the vehicles inside its geo-fence is used. */
function originAtLocation(location: Location, fleet: FleetView, field: string): Origin {
  const isEarlier = location.inside.length === 0;
  const inside = location.inside.flatMap((position) => pointOf(position) ?? []);
  const all = isEarlier ? fleet.seenLocations.pointsIn(location.id) : inside;
  const together = pointsTogether(all);
  const point = middleOf(together);
  const label = VEHICLES_AND_LOCATIONS.labelOf(location);
  if (!point) throw nowhere(field, label, "has reported no position");
  const remark = isEarlier
    ? " (where vehicles were earlier)"
    : together.length < all.length
      ? ` (where ${together.length} of its ${all.length} vehicles ${isIn(together.length)})`
      : "";
  return { point, name: `${label}${remark}`, kind: "location" };
}

function originAt(thing: Thing, fleet: FleetView, field: string): Origin {
  if (isLocation(thing)) return originAtLocation(thing, fleet, field);
  const point = pointOf(thing);
  const name = vehicleLabel(thing);
  if (point) return { point, name, kind: "vehicle", vehicle: thing.assetId || undefined };
  if (isHidden(thing)) throw nowhere(field, name, "is on a private journey, whereabouts withheld");
  throw nowhere(field, name, `has ${impossiblePoint(thing) ?? "reported no position"}`);
}

const nowhere = (field: string, name: string, why: string) =>
  new FleetError("input", `${field}: ${name} ${why}`, {
    advice: "Tell the user, or pass a town, or latitude and longitude as in 51.31,9.48",
  });

function originIn(town: TownCandidate, others: readonly TownCandidate[]): Origin {
  const { latitude, longitude, name, country, isEstimated } = town;
  const label = townLabel(name, country);
  const not = others.slice(0, 2).map((other) => townLabel(other.name, other.country));
  const remark = [
    ...(isEstimated ? ["the center of the vehicles that report it"] : []),
    ...(not.length > 0 ? [`not ${not.join(" or ")}`] : []),
  ];
  return {
    point: { latitude, longitude },
    kind: "town",
    name: singleLine(`${label}${remark.length > 0 ? ` (${remark.join("; ")})` : ""}`, 2 * NAME_LENGTH),
  };
}

function nameOf(thing: Thing): string | undefined {
  return isLocation(thing) ? thing.name : thing.assetName;
}

/** Whether a match is certain even if a town has this name: a match by id or another code, or by the exact name of a vehicle or location. */
export function isCertain({ value, matchedBy, respelt }: Match<Thing>, text: string): boolean {
  if (respelt) return false;
  if (matchedBy === "driver") return false;
  if (matchedBy !== "name") return true;
  const said = townWords(text).join(" ");
  const name = townWords(nameOf(value) ?? "").join(" ");
  return name === said || name === townWords(withoutFillers(text).join(" ")).join(" ");
}

const matchesOf = (resolution: Resolution<Thing>): readonly Match<Thing>[] =>
  resolution.result === "found" ? [resolution.match] : resolution.result === "ambiguous" ? resolution.matches : [];

const townRecord = ({ name, country, latitude, longitude }: TownCandidate) => ({
  city: singleLine(name, NAME_LENGTH),
  ...(country !== undefined && { country }),
  latitude,
  longitude,
});

/** Asks which of several towns and drivers is meant. */
export async function questionAbout(
  { text, field }: { text: string; field: string },
  towns: readonly TownCandidate[],
  drivers: readonly Match<Thing>[],
  gazetteer: LoadTowns,
  result: "ambiguous" | "notFound" = "ambiguous",
): Promise<NameQuestion> {
  const index = await gazetteer();
  const candidates = [
    ...drivers.map(({ value }) => ({ label: ANYWHERE.labelOf(value), record: ANYWHERE.recordOf(value) })),
    ...towns.map((town) => ({ label: singleLine(distinctLabel(town, index), 2 * NAME_LENGTH), record: townRecord(town) })),
  ];
  return new NameQuestion({
    result,
    field,
    query: text,
    noun: drivers.length > 0 || result === "notFound" ? ANYWHERE.noun : ["town", "towns"],
    distinguishedBy: "country and region",
    total: candidates.length,
    candidates: candidates.slice(0, MAX_CANDIDATES),
  });
}

/**
 * Returns the point that a text refers to: coordinates, or the one vehicle, driver, location or town with this name. A town's name means
 * the town, even if vehicles and locations are named after it, unless it is their whole name; only a driver with the same name leads to a
 * question. `field` is the argument that holds the text. Throws a {@link NameQuestion} if the name is not certain; `remarkOn` may explain why nothing has it.
 */
export async function originOf(
  { text, field }: { text: string; field: string },
  fleet: FleetView,
  gazetteer: LoadTowns,
  remarkOn?: (resolution: Resolution<unknown>) => Promise<{ remark?: string }>,
): Promise<Origin> {
  const coordinates = coordinatesIn(text);
  if (coordinates) return coordinates;
  const resolution = await resolveName(text, await fleet.vehiclesAndLocations());
  if (resolution.result === "found" && isCertain(resolution.match, text)) return originAt(resolution.match.value, fleet, field);
  const earlier = await resolveName(text, await fleet.leftLocations());
  if (earlier.result === "found" && isCertain(earlier.match, text)) return originAt(earlier.match.value, fleet, field);
  const mayBeTown = !townWords(text).some(isNumber);
  const town: TownResolution = mayBeTown ? await findTown(text, fleet, gazetteer) : undefined;
  if (town) {
    const drivers = matchesOf(resolution).filter(({ matchedBy, respelt }) => matchedBy === "driver" && !respelt);
    const towns = town.result === "found" ? [town.town] : town.towns;
    if (town.result === "ambiguous" || drivers.length > 0) throw await questionAbout({ text, field }, towns, drivers, gazetteer);
    return originIn(town.town, town.others);
  }
  const [found] = resolution.result === "found" ? [resolution.match] : [];
  // "Berln" may mean the town rather than a depot in it, but "Berlin Dept" is a whole name.
  const isWhole = found !== undefined && townWords(nameOf(found.value) ?? "").length <= townWords(text).length;
  const isUncertain = !isWhole && matchesOf(resolution).every(({ respelt }) => respelt);
  const alike = isUncertain && mayBeTown ? await similarTowns(text, fleet, gazetteer) : [];
  const similar = isUncertain && alike.length === 0 && !found ? await townsInAddress(text, fleet, gazetteer) : alike;
  if (similar.length > 0) throw await questionAbout({ text, field }, similar, found ? [found] : [], gazetteer, "notFound");
  if (resolution.result !== "found")
    throw new NameQuestion({ ...(await unresolvedName(resolution, text, { ...ANYWHERE, field })), ...(await remarkOn?.(resolution)) });
  return originAt(resolution.match.value, fleet, field);
}
