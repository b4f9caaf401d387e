import { LOW_PERCENT } from "@fleetwire/core/internal";
import type { Range } from "@fleetwire/driving-time";
import { faultsOfVehicle } from "../fleet/faults-of-vehicle.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import type { Position } from "../fleet/position.ts";
import { meaning } from "../names/word-meanings.ts";
import { readHours } from "../past/hours-left.ts";
import { Smallest } from "../runtime/smallest.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { pluralize, VEHICLE } from "../text/pluralize.ts";
import { compact } from "../text/spelling.ts";
import { durationInWords } from "../text/time.ts";
import { lightsStopLamp } from "./list-vehicle-faults.ts";

/** A vehicle with its straight-line distance, and why it can take a job. */
export interface NearVehicle {
  position: Position;
  km: number;
  why?: string;
}

const HOUR = 3_600_000;
/** Checking the faults of a vehicle takes a request. */
const MAX_CHECKED = 40;

/** The levels that a vehicle reports. A plug-in hybrid can drive on either. */
const levelsOf = ({ fuelLevelPercentage: fuel, electricBatteryLevelPercent: battery }: Position) => [
  ...(fuel === undefined ? [] : [{ percent: fuel, of: "fuel" }]),
  ...(battery === undefined ? [] : [{ percent: battery, of: "battery" }]),
];

/** Why a vehicle cannot take a job. */
const REASONS = {
  trailer: (count: number) => pluralize(count, ["trailer", "trailers"]),
  level: (count: number) => `${count} below ${LOW_PERCENT}% fuel or battery`,
  lamp: (count: number) => `${count} with the red stop lamp lit`,
  hours: (count: number, hours: number) => `${count} with less than ${hours} h of driving left`,
};

interface Facts {
  lamps?: ReadonlySet<string>;
  left?: ReadonlyMap<string, Range> | undefined;
  hours: number;
}

function obstacle(position: Position, { lamps, left, hours }: Facts): keyof typeof REASONS | undefined {
  const { assetId = "", assetType, driverId = "" } = position;
  if (assetType !== undefined && meaning(compact(assetType)) === "trailer") return "trailer";
  const levels = levelsOf(position);
  if (levels.length > 0 && levels.every(({ percent }) => percent < LOW_PERCENT)) return "level";
  if (lamps?.has(assetId)) return "lamp";
  const driving = left?.get(driverId);
  return driving && driving.atMost < hours * HOUR ? "hours" : undefined;
}

/** Returns those of the vehicles whose red stop lamp is lit. Reads the faults of each. */
async function withStopLamp(vehicleIds: Iterable<string>, context: FleetContext): Promise<ReadonlySet<string>> {
  const lit = await Promise.all(
    [...vehicleIds].map(async (vehicleId) => {
      const faults = await faultsOfVehicle(vehicleId, context);
      return faults.some((fault) => lightsStopLamp(fault, fault.details?.lamps)) ? [vehicleId] : [];
    }),
  );
  return new Set(lit.flat());
}

/** Reads how long drivers may still drive today, within 9 hours, by driver id; undefined if the tachographs cannot be read. */
async function readDrivingLeft(driverIds: Iterable<string>, context: FleetContext): Promise<ReadonlyMap<string, Range> | undefined> {
  const index = await (await readFleet(context)).drivers();
  const drivers = [...driverIds].flatMap((id) => index.get(id)?.value ?? []);
  const read = await ifReadable(() => readHours({ drivers }, context.now(), context));
  const left = read?.hours.flatMap(({ record: { driverId }, time }) =>
    driverId !== undefined && time ? [[driverId, time.left.today] as const] : [],
  );
  return left && new Map(left);
}

function drivingText({ driverId, driverName }: Position, driving: Range | undefined): string {
  if (driverId === undefined && driverName === undefined) return "no driver";
  if (driving === undefined) return "driving time unknown";
  const { atLeast, atMost } = driving;
  return `${durationInWords(atLeast)}${atLeast === atMost ? "" : ` to ${durationInWords(atMost)}`} driving left`;
}

/** Says why a vehicle is suitable: "12 km, 5 h 00 min driving left, 80% fuel, no stop lamp". */
function reasonFor({ position, km }: NearVehicle, driving: Range | undefined): string {
  const levels = levelsOf(position).map(({ percent, of }) => `${Math.round(percent)}% ${of}`);
  const level = levels.length === 0 ? "level not reported" : levels.join(" and ");
  return [`${Math.round(km)} km`, drivingText(position, driving), level, "no stop lamp"].join(", ");
}

/**
 * Returns those of the nearest vehicles that can take a job: with fuel or battery, without a red stop lamp, and with a driver who may
 * drive for that many hours. Unknown values do not exclude a vehicle; the notes mention them, and why vehicles were left out.
 */
export async function readyForJob(
  near: readonly NearVehicle[],
  hours: number,
  context: FleetContext,
): Promise<{ vehicles: readonly NearVehicle[]; notes: readonly string[] }> {
  const nearest = new Smallest<NearVehicle>(MAX_CHECKED, (a, b) => a.km - b.km);
  await forEachInSlices(near, (vehicle) => nearest.add(vehicle));
  const checked = nearest.items;
  const inQuestion = checked.filter(({ position }) => obstacle(position, { hours }) === undefined);
  const idsOf = (of: (position: Position) => string | undefined) => new Set(inQuestion.flatMap(({ position }) => of(position) ?? []));
  // A vehicle without active fault codes has no lamp lit.
  const vehicleIds = idsOf(({ assetId, activeFaultCodes }) => (activeFaultCodes?.length === 0 ? undefined : assetId));
  const driverIds = idsOf(({ driverId }) => driverId);
  const [lamps, left] = await Promise.all([
    withStopLamp(vehicleIds, context),
    context.offered.has("driver_hours") ? readDrivingLeft(driverIds, context) : undefined,
  ]);
  const leftOut = new Map<keyof typeof REASONS, number>();
  const vehicles = checked.flatMap((vehicle) => {
    const reason = obstacle(vehicle.position, { lamps, left, hours });
    if (reason === undefined) return [{ ...vehicle, why: reasonFor(vehicle, left?.get(vehicle.position.driverId ?? "")) }];
    leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    return [];
  });
  const unknown = vehicles.filter(({ position: { driverId } }) => driverId === undefined || !left?.has(driverId)).length;
  const whose = unknown === vehicles.length ? `all ${unknown}` : `${unknown} of the ${vehicles.length}`;
  const reasons = [...leftOut].map(([reason, count]) => REASONS[reason](count, hours));
  return {
    vehicles,
    notes: [
      ...(checked.length < near.length ? [`Only the nearest ${pluralize(checked.length, VEHICLE)} of ${near.length} were checked.`] : []),
      ...(reasons.length > 0 ? [`Left out: ${reasons.join(", ")}.`] : []),
      ...(left === undefined ? ["Driving time was not checked."] : unknown > 0 ? [`Driving time is unknown for ${whose}.`] : []),
    ],
  };
}
