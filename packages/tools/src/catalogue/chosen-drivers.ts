import { FleetError } from "@fleetwire/core";
import * as z from "zod";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { driverLabel, groupLabel, labelWithVehicle, vehicleLabel } from "../names/entity-labels.ts";
import type { Driver } from "../names/fleet-names.ts";
import { resolveName } from "../names/resolve-name.ts";
import { DRIVERS, GROUPS, requireMatch, unresolvedName, VEHICLES } from "../names/single-match.ts";
import { singleLine } from "../results/clip-values.ts";
import { NameQuestion } from "../results/name-question.ts";
import { pluralize } from "../results/pluralize.ts";
import { quotation } from "../results/quotation.ts";
import type { ToolContext } from "../tool.ts";

/** The arguments that choose drivers, as shown to a model. */
export const driverArguments = {
  driver: z.string().min(1).optional().describe("Names, separated by commas"),
  group: z.string().min(1).optional().describe("Name"),
};

export const vehicleArgument = z.string().min(1).optional().describe("Name");

/** The form of `driver` that is accepted in addition to the one shown. */
export const acceptedDrivers = { driver: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional() };

export interface ChosenBy {
  driver?: string | string[];
  group?: string;
  vehicle?: string;
}

export interface ChosenDrivers {
  /** Undefined if all drivers are meant. */
  drivers: readonly Driver[] | undefined;
  notes: string[];
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
): Promise<ChosenDrivers & { drivers: Driver[] }> {
  const found = await resolveName(query, await fleet.drivers());
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
  throw new NameQuestion(await unresolvedName(found, query, DRIVERS_BY_VEHICLE));
}

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

const isIn = (groupId: string) => (driver: Driver) =>
  driver.vehicles.some(({ driverGroupId, assetGroupId }) => driverGroupId === groupId || assetGroupId === groupId);

/** Returns the drivers in the live positions by id, or by name if they have no id. */
export async function driversByKey(fleet: FleetView): Promise<ReadonlyMap<unknown, Driver>> {
  return new Map([...(await fleet.drivers()).keyed()].map(([key, { value }]) => [key, value]));
}

/** Finds the drivers that the arguments name; throws a `NameQuestion` if a name is uncertain. */
export async function chosenDrivers({ driver, group, vehicle }: ChosenBy, fleet: FleetView): Promise<ChosenDrivers> {
  if (driver === undefined && group === undefined && vehicle === undefined) return { drivers: undefined, notes: [] };
  const byKey = await driversByKey(fleet);
  const notes: string[] = [];
  let drivers = [...byKey.values()];
  if (driver !== undefined) {
    const named = new Set<Driver>();
    for (const name of new Set(await namesIn(driver, fleet))) {
      const found = await driversNamed(name, fleet, byKey);
      for (const one of found.drivers) named.add(one);
      notes.push(...found.notes);
    }
    drivers = [...named];
  }
  if (vehicle !== undefined) {
    const { value } = await requireMatch(vehicle, fleet.vehicles, { ...VEHICLES, field: "vehicle" });
    const current = driverOf(value, byKey, "vehicle");
    drivers = drivers.filter((one) => one === current);
    notes.push(`${driverLabel(current)} drives ${vehicleLabel(value)} now.`);
  }
  if (group !== undefined) {
    const { value } = await requireMatch(group, await fleet.groups(), { ...GROUPS, field: "group" });
    drivers = drivers.filter(isIn(value.id));
    notes.push(`Only ${groupLabel(value)}.`);
  }
  const withoutId = drivers.find(({ driverId }) => driverId === undefined);
  if (withoutId && driver !== undefined) {
    throw new FleetError(
      "input",
      `driver: the live positions have no id for ${quotation(driverLabel(withoutId))}, so their tachograph entries cannot be found`,
      { advice: "Tell the user, or leave driver out and look for their entries in the full list" },
    );
  }
  return { drivers, notes };
}

/** A vehicle whose tachograph entries are requested by its registration. */
export interface RegisteredVehicle {
  registration: string;
  note: string;
}

/** Finds a vehicle, sold ones included, by whose registration the service finds its tachograph entries. */
export async function registeredVehicle(vehicle: string, context: ToolContext): Promise<RegisteredVehicle> {
  const { vehicles } = await readFleet(context, { withSold: true });
  const { value } = await requireMatch(vehicle, vehicles, { ...VEHICLES, field: "vehicle" });
  const label = vehicleLabel(value);
  if (value.assetRegistration !== undefined) return { registration: value.assetRegistration, note: `Only activities in ${label}.` };
  throw new FleetError("input", `vehicle: ${label} has no registration, so its tachograph entries cannot be requested`, {
    advice: "Tell the user, or name its driver",
  });
}

const MAX_LISTED = 8;

/** Lists drivers, the first few if there are many. */
export function listedDrivers(drivers: readonly Driver[]): string {
  const more = drivers.length - MAX_LISTED;
  return `${drivers.slice(0, MAX_LISTED).map(labelWithVehicle).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Says which of the chosen drivers have no tachograph data, or only how many if all drivers are meant. */
export function withoutData(drivers: readonly Driver[], hasData: (driver: Driver) => boolean, isAll: boolean): string[] {
  const without = drivers.filter((driver) => !hasData(driver));
  if (without.length === 0) return [];
  if (isAll) return [`Without tachograph activities: ${without.length} of the ${drivers.length} drivers in the live positions.`];
  return [`Drivers without tachograph activities: ${listedDrivers(without)}.`];
}
