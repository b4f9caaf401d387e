import type { LivePosition } from "@fleetwire/core";
import { isLaterPosition } from "@fleetwire/core/internal";
import { plateOf } from "../text/spelling.ts";

/** What a service sent in place of a possible value, by field: a symbol, so that it appears in no list of fields and in no result. */
export const sentInstead: unique symbol = Symbol("sentInstead");

/** A record without its impossible values. */
export type SentInstead = {
  [sentInstead]?: Readonly<Record<string, unknown>> | undefined;
};

/** Written out field by field, because objects created with the same layout take half the time and memory. */
const heldOf = (record: LivePosition) => ({
  assetId: record.assetId,
  assetName: record.assetName,
  assetRegistration: record.assetRegistration,
  assetVin: record.assetVin,
  assetType: record.assetType,
  assetGroupId: record.assetGroupId,
  assetGroupName: record.assetGroupName,
  driverId: record.driverId,
  driverName: record.driverName,
  driverGroupId: record.driverGroupId,
  driverGroupName: record.driverGroupName,
  date: record.date,
  status: record.status,
  eventType: record.eventType,
  speed: record.speed,
  heading: record.heading,
  latitude: record.latitude,
  longitude: record.longitude,
  city: record.city,
  country: record.country,
  formattedAddress: record.formattedAddress,
  locationId: record.locationId,
  locationName: record.locationName,
  privacy: record.privacy,
  energyType: record.energyType,
  fuelType: record.fuelType,
  electricCharging: record.electricCharging,
  electricRangeKm: record.electricRangeKm,
  electricBatteryLevelPercent: record.electricBatteryLevelPercent,
  electricChargingTimeRemainingMins: record.electricChargingTimeRemainingMins,
  fuelLevelPercentage: record.fuelLevelPercentage,
  fuelLevelLitres: record.fuelLevelLitres,
  ignitionStatus: record.ignitionStatus,
  activeFaultCodes: record.activeFaultCodes,
});

/** Copies the fields that tools search, count and compare, without the memory of the others. */
export function positionOf(record: LivePosition & SentInstead): Position {
  const position: Position = heldOf(record);
  if (record[sentInstead]) position[sentInstead] = record[sentInstead];
  return position;
}

/** The status of a vehicle that is no longer in the fleet, the only documented one (interface 2.4). */
export const SOLD = "SOLD";

/** The fields of a {@link Position}. Tools can only use these, since a view of the fleet holds no others. */
export const positionFields = Object.keys(heldOf({})) as readonly Exclude<keyof Position, symbol>[];

/** What a view of the fleet holds of a live position. */
export type Position = Pick<LivePosition, keyof ReturnType<typeof heldOf>> & SentInstead;

/** The input that the settings add to every request for positions. */
export const speedInput = ({ privacy }: { privacy: string }) => ({ hideSpeedIfSpeedSensitive: privacy !== "off" });

const plateIn = ({ assetRegistration }: LivePosition) => plateOf(assetRegistration ?? "");

/** What tells which vehicle a record without an id is about: its registration, as several vehicles may have one name. */
const signOf = (record: LivePosition) => plateIn(record) || record;

/** Returns one record of each vehicle: the latest. A list may contain a vehicle more than once, also without its id. */
export function latestOfEach<Record extends LivePosition>(records: readonly Record[]): readonly Record[] {
  const lackIds = records.some(({ assetId }) => !assetId);
  const ids = new Map<unknown, string>();
  if (lackIds) for (const record of records) if (record.assetId) ids.set(signOf(record), record.assetId);
  const latest = new Map<unknown, Record>();
  for (const record of records) {
    const key = record.assetId || (ids.get(signOf(record)) ?? signOf(record));
    const known = latest.get(key);
    if (!known || isLaterPosition(record, known)) latest.set(key, record);
  }
  return latest.size === records.length ? records : [...latest.values()];
}

/** Whether a vehicle's whereabouts are unknown because it is on a private journey. */
export const isHidden = (position: Position): boolean =>
  position.privacy === true &&
  [position.latitude, position.city, position.country, impossiblePoint(position)].every((known) => known === undefined);

/** Says which point the service sent that is none, such as 0, 0; undefined if it sent a possible one or nothing. */
export function impossiblePoint({ [sentInstead]: sent }: SentInstead): string | undefined {
  const point = [sent?.["latitude"], sent?.["longitude"]];
  if (point.every((value) => value === undefined)) return undefined;
  return `no valid position (the service sent ${point.map((value) => value ?? "nothing").join(", ")})`;
}
