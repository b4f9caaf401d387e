import { FleetError, type TachoActivity } from "@fleetwire/core";
import * as z from "zod";
import { DRIVERS, type Driver, driverLabel, groupLabel, labelWithVehicle, vehicleLabel } from "../fleet/entities.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { isOfDrivers, type WantedDrivers } from "../fleet/tacho-records.ts";
import { NameQuestion } from "../names/name-question.ts";
import { resolveName } from "../names/resolve-name.ts";
import { quotation, singleLine } from "../text/clip-values.ts";
import { pluralize } from "../text/pluralize.ts";
import { plateOf } from "../text/spelling.ts";
import { type GivenNames, groupsNamed, labelsOf, possibleId, shownId, unresolvedName, vehiclesNamed } from "./find-entities.ts";

/** The arguments that choose drivers, as shown to a model. */
export const driverArguments = {
  driver: z.string().min(1).optional().describe("Names, by comma"),
  group: z.string().min(1).optional().describe("Names"),
};

export const vehicleArgument = z.string().min(1).optional().describe("Names");

const Names = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional();

/** The forms of names that are accepted in addition to those shown. */
export const acceptedDrivers = { driver: Names, group: Names, vehicle: Names };

export interface ChosenBy {
  driver?: string | string[] | undefined;
  group?: GivenNames | undefined;
  vehicle?: GivenNames | undefined;
}

const DRIVERS_BY_VEHICLE = { ...DRIVERS, distinguishedBy: "full name or vehicle", labelOf: labelWithVehicle, field: "driver" };

function driverOf(vehicle: Position, drivers: ReadonlyMap<unknown, Driver>, field: string): Driver {
  const driver = drivers.get(vehicle.driverId ?? vehicle.driverName);
  if (driver) return driver;
  throw new FleetError("input", `${field}: ${vehicleLabel(vehicle)} has no driver now`, { advice: "Tell the user, or name the driver" });
}

const sameName = (a: Driver, b: Driver) => a.driverName?.toLowerCase() === b.driverName?.toLowerCase();

/** Finds drivers by name or id, or the current driver of a vehicle. Namesakes are all returned, because the result tells them apart. */
async function driversNamed(
  query: string,
  fleet: FleetView,
  byKey: ReadonlyMap<unknown, Driver>,
): Promise<{ drivers: Driver[]; notes: string[]; unrecorded?: WantedDrivers["unrecorded"] }> {
  const found = await resolveName(query, await fleet.drivers());
  const isRespelt = found.result === "found" && found.match.respelt;
  // Another driver's name must not be taken for a misspelling.
  const left = isRespelt || found.result === "notFound" ? await resolveName(query, await fleet.seenDrivers.without(byKey)) : undefined;
  if (left?.result === "found" && !(isRespelt && left.match.respelt)) {
    const { value } = left.match;
    return { drivers: [value], notes: [`${driverLabel(value)} is in no vehicle now.`] };
  }
  if (found.result === "found") return { drivers: [found.match.value], notes: [] };
  const vehicle = await resolveName(query, fleet.vehicles);
  if (found.result === "notFound" && vehicle.result === "found" && vehicle.match.matchedBy !== "driver" && !vehicle.match.respelt) {
    const driver = driverOf(vehicle.match.value, byKey, "driver");
    return { drivers: [driver], notes: [`${driverLabel(driver)} drives ${vehicleLabel(vehicle.match.value)} now.`] };
  }
  const drivers = found.result === "ambiguous" ? found.matches.map(({ value }) => value) : [];
  const [first] = drivers;
  if (first?.driverName !== undefined && drivers.every((driver) => sameName(driver, first))) {
    return { drivers, notes: [`${pluralize(drivers.length, DRIVERS.noun)} named ${singleLine(first.driverName, 40)}.`] };
  }
  const question = new NameQuestion(await unresolvedName(found, query, DRIVERS_BY_VEHICLE));
  const id = shownId(query) ?? possibleId(query);
  if (found.result !== "notFound" || vehicle.result !== "notFound" || id === undefined) throw question;
  const unnamed: Driver = { driverId: id, driverName: undefined, vehicles: [] };
  return { drivers: [unnamed], notes: [], unrecorded: shownId(query) === undefined ? new Map([[unnamed, question]]) : undefined };
}

/** Asks which of several drivers is meant, where only one can be. */
export const whichDriver = (query: string, drivers: readonly Driver[]) =>
  new NameQuestion({
    ...{ result: "ambiguous", field: "driver", query, noun: DRIVERS.noun, total: drivers.length },
    candidates: drivers.map((driver) => ({ label: labelWithVehicle(driver), record: DRIVERS.recordOf(driver) })),
    distinguishedBy: DRIVERS_BY_VEHICLE.distinguishedBy,
  });

/** Splits an argument into names. Those in a list, or in text with a list, and a text that is a driver's whole name may hold commas. */
async function namesIn(given: string | string[], fleet: FleetView): Promise<string[]> {
  if (Array.isArray(given)) return given;
  try {
    const list: unknown = given.startsWith("[") ? JSON.parse(given) : undefined;
    if (Array.isArray(list) && list.every((name) => typeof name === "string")) return list;
  } catch {
    // A name may also start with a bracket.
  }
  const parts = given.split(",").flatMap((name) => name.trim() || []);
  const isName = parts.length > 1 && (await resolveName(given, await fleet.drivers())).result !== "notFound";
  return isName ? [given] : parts;
}

/** Whether an activity took place in one of these vehicles. */
function isInOneOf(vehicles: Iterable<Position>): (activity: TachoActivity) => boolean {
  const ids = new Set<string>();
  const registrations = new Set<string>();
  for (const { assetId, assetRegistration } of vehicles) {
    if (assetId) ids.add(assetId);
    if (assetRegistration) registrations.add(plateOf(assetRegistration));
  }
  return ({ assetId = "", assetRegistration = "" }) => ids.has(assetId) || registrations.has(plateOf(assetRegistration));
}

/** Finds who drove a group's vehicles: such a driver may be in no live position, or now in another group's vehicle. */
function droveIn(
  groupIds: ReadonlySet<unknown>,
  fleet: FleetView,
  named: readonly Driver[] | undefined,
  byKey: ReadonlyMap<unknown, Driver>,
): WantedDrivers["drove"] {
  const isInGroup = isInOneOf(fleet.positions.filter(({ assetGroupId }) => groupIds.has(assetGroupId)));
  const isInFleet = isInOneOf(fleet.positions);
  const isNamed = named && isOfDrivers(named);
  return (record) => {
    if (isNamed && !isNamed(record)) return false;
    if (record.activities.some(isInGroup)) return true;
    return byKey.has(record.driverId) || record.activities.some(isInFleet) ? false : undefined;
  };
}

const isIn = (groupIds: ReadonlySet<unknown>) => (driver: Driver) =>
  driver.vehicles.some(({ driverGroupId, assetGroupId }) => groupIds.has(driverGroupId) || groupIds.has(assetGroupId));

/** Returns the drivers in the live positions by id, or by name if they have no id. */
export async function driversByKey(fleet: FleetView): Promise<ReadonlyMap<unknown, Driver>> {
  return new Map([...(await fleet.drivers()).keyed()].map(([key, { value }]) => [key, value]));
}

/** Finds the drivers that the arguments name, all if they name none; throws a `NameQuestion` if a name is uncertain. */
export async function chosenDrivers(
  { driver, group, vehicle }: ChosenBy,
  fleet: FleetView,
): Promise<{ wanted: WantedDrivers | undefined; notes: string[] }> {
  if (driver === undefined && group === undefined && vehicle === undefined) return { wanted: undefined, notes: [] };
  const byKey = await driversByKey(fleet);
  const notes: string[] = [];
  let drivers = [...byKey.values()];
  let drove: WantedDrivers["drove"];
  const unrecorded = new Map<Driver, Error>();
  if (driver !== undefined) {
    const named = new Set<Driver>();
    for (const name of new Set(await namesIn(driver, fleet))) {
      const found = await driversNamed(name, fleet, byKey);
      for (const one of found.drivers) named.add(one);
      notes.push(...found.notes);
      for (const [one, error] of found.unrecorded ?? []) unrecorded.set(one, error);
    }
    drivers = [...named];
  }
  if (vehicle !== undefined) {
    const current = new Set<Driver>();
    for (const one of await vehiclesNamed(vehicle, fleet)) {
      const driving = driverOf(one, byKey, "vehicle");
      current.add(driving);
      notes.push(`${driverLabel(driving)} drives ${vehicleLabel(one)} now.`);
    }
    drivers = drivers.filter((one) => current.has(one));
  }
  if (group !== undefined) {
    const groups = await groupsNamed(group, fleet);
    const ids = new Set(groups.map(({ id }) => id));
    drove = droveIn(ids, fleet, driver === undefined && vehicle === undefined ? undefined : drivers, byKey);
    drivers = drivers.filter(isIn(ids));
    notes.push(`Only ${labelsOf(groups, groupLabel)}${drivers.length === 0 ? ", in which nobody drives now" : ""}.`);
  }
  const withoutId = drivers.find(({ driverId }) => driverId === undefined);
  if (withoutId && driver !== undefined) {
    throw new FleetError(
      "input",
      `driver: the live positions have no id for ${quotation(driverLabel(withoutId))}, so their tachograph entries cannot be found`,
      { advice: "Tell the user, or leave driver out and look for their entries in the full list" },
    );
  }
  return { wanted: { drivers, drove, unrecorded }, notes };
}
