import { singleLineOrUndefined } from "../text/clip-values.ts";
import type { Driver, Location, NamedGroup } from "./fleet-names.ts";
import type { Position } from "./position.ts";

/** Maximum length of each part of a label. */
export const LABEL_LENGTH = 40;

/** Builds a label from the first two non-empty parts, such as "Truck 12 (KX21 ABC)". */
function label(noun: string, parts: readonly (string | undefined)[], maxLength = LABEL_LENGTH): string {
  const [name = `${noun} without a name`, more] = parts.flatMap((part) => singleLineOrUndefined(part, maxLength) ?? []);
  return more === undefined ? name : `${name} (${more})`;
}

/** Returns a label that identifies a vehicle to people: the first two of name, registration and id that are known. */
export const vehicleLabel = ({ assetName, assetRegistration, assetId }: Position, maxLength?: number): string =>
  label("Vehicle", [assetName, assetRegistration, assetId], maxLength);

/** Returns a vehicle's name or, if it has none, its registration or id. A name may be empty. */
export const vehicleName = ({ assetName, assetRegistration, assetId }: Position): string =>
  assetName || assetRegistration || assetId || "-";

export const driverLabel = ({ driverName, driverId }: Partial<Driver>): string => label("Driver", [driverName, driverId]);

export const groupLabel = ({ name, id }: NamedGroup): string => label("Group", [name, id]);

export const locationLabel = ({ name }: Location): string => label("Location", [name]);

const labelPart = (text: string | undefined) => singleLineOrUndefined(text, LABEL_LENGTH);

/** Labels a vehicle in a question, with its driver. */
export function labelWithDriver(vehicle: Position): string {
  const driver = labelPart(vehicle.driverName);
  return `${vehicleLabel(vehicle)}${driver === undefined ? "" : `, driver ${driver}`}`;
}

/** Labels a driver in a question, with the vehicle. */
export function driverWithVehicle(driver: Driver): string {
  const [vehicle] = driver.vehicles;
  return `${driverLabel(driver)}${vehicle ? `, drives ${labelPart(vehicleName(vehicle)) ?? ""}` : ""}`;
}

export const groupOf = ({ vehicles: [vehicle] }: Driver): string | undefined => vehicle?.driverGroupName ?? vehicle?.assetGroupName;

/** Labels a driver by name, vehicle and group, which tell namesakes apart. */
export function labelWithVehicle(driver: Driver): string {
  const [vehicle] = driver.vehicles;
  const more = vehicle ? [vehicleName(vehicle), groupOf(driver)].flatMap((text) => labelPart(text) ?? []) : [];
  const name = labelPart(driver.driverName);
  return name === undefined || more.length === 0 ? driverLabel(driver) : `${name} (${more.join("; ")})`;
}
