import { LOW_PERCENT, parseDateTime } from "@fleetwire/core/internal";
import type { Range } from "@fleetwire/driving-time";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { faultsOfVehicle, ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import type { Position } from "../fleet/position.ts";
import { isTrailer } from "../lookup/vehicle-kind.ts";
import { readHours } from "../past/driving-rules.ts";
import { Smallest } from "../query/row-order.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { pluralize } from "../text/pluralize.ts";
import { hoursAndMinutes } from "../text/time.ts";
import { lightsStopLamp } from "./list-vehicle-faults.ts";

/** A vehicle with its straight-line distance, and why it can take a job. */
export interface NearVehicle {
  position: Position;
  km: number;
  why?: string;
  /** Whether it is not known if its driver may drive long enough. */
  isUncertain?: boolean;
}

const HOUR = 3_600_000;
/** How fast a straight line is driven: a truck's 75 km/h on roads that are a quarter longer. */
const STRAIGHT_KMH = 60;
/** A vehicle that has been silent for longer may be anywhere. */
const SILENT = 24 * HOUR;
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
  hours: (count: number, hours: number) => `${count} with too little driving left for the way and ${hours} h`,
};

/** The driving time of the way to a job, and of the job. */
const neededFor = (km: number, hours: number) => (km / STRAIGHT_KMH + hours) * HOUR;

interface Facts {
  lamps?: ReadonlySet<string>;
  left?: ReadonlyMap<string, Range> | undefined;
  hours: number;
}

function obstacle({ position, km }: NearVehicle, { lamps, left, hours }: Facts): keyof typeof REASONS | undefined {
  const { assetId = "", driverId = "" } = position;
  if (isTrailer(position)) return "trailer";
  const levels = levelsOf(position);
  if (levels.length > 0 && levels.every(({ percent }) => percent < LOW_PERCENT)) return "level";
  if (lamps?.has(assetId)) return "lamp";
  const driving = left?.get(driverId);
  return driving && driving.atMost < neededFor(km, hours) ? "hours" : undefined;
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
  return `${hoursAndMinutes(atLeast)}${atLeast === atMost ? "" : ` to ${hoursAndMinutes(atMost)}`} driving left`;
}

/** Says why a vehicle is suitable: "12 km, 5:00 driving left, 80% fuel". */
function reasonFor({ position, km }: NearVehicle, driving: Range | undefined): string {
  const levels = levelsOf(position).map(({ percent, of }) => `${Math.round(percent)}% ${of}`);
  const level = levels.length === 0 ? "level not reported" : levels.join(" and ");
  return [`${Math.round(km)} km`, drivingText(position, driving), level].join(", ");
}

/**
 * Returns those of the nearest vehicles that can take a job: with fuel or battery, without a red stop lamp, and with a driver who may
 * drive there and then for that many hours. Unknown values do not exclude a vehicle; the notes mention them, and why vehicles were left out.
 */
export async function readyForJob(
  near: readonly NearVehicle[],
  hours: number,
  context: FleetContext,
): Promise<{ vehicles: readonly NearVehicle[]; notes: readonly string[] }> {
  const leftOut = new Map<keyof typeof REASONS, number>();
  /** Whether a vehicle may take the job; counts it otherwise. */
  const mayTake = (vehicle: NearVehicle, facts: Facts): boolean => {
    const reason = obstacle(vehicle, facts);
    if (reason !== undefined) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    return reason === undefined;
  };
  const nearest = new Smallest<NearVehicle>(MAX_CHECKED, (a, b) => a.km - b.km);
  let inQuestion = 0;
  await forEachInSlices(near, (vehicle) => {
    if (!mayTake(vehicle, { hours })) return;
    inQuestion++;
    nearest.add(vehicle);
  });
  const checked = nearest.items;
  const idsOf = (of: (position: Position) => string | undefined) => new Set(checked.flatMap(({ position }) => of(position) ?? []));
  // A vehicle without active fault codes has no lamp lit.
  const vehicleIds = idsOf(({ assetId, activeFaultCodes }) => (activeFaultCodes?.length === 0 ? undefined : assetId));
  const driverIds = idsOf(({ driverId }) => driverId);
  const [lamps, left] = await Promise.all([
    withStopLamp(vehicleIds, context),
    context.offered.has("driver_hours") ? readDrivingLeft(driverIds, context) : undefined,
  ]);
  const vehicles = checked
    .filter((vehicle) => mayTake(vehicle, { lamps, left, hours }))
    .map((vehicle): NearVehicle => {
      const driving = left?.get(vehicle.position.driverId ?? "");
      const isHeard = context.now() - (parseDateTime(vehicle.position.date) ?? 0) <= SILENT;
      const isUncertain = !isHeard || driving === undefined || driving.atLeast < neededFor(vehicle.km, hours);
      return { ...vehicle, why: reasonFor(vehicle, driving), isUncertain };
    });
  const unknown = vehicles.filter(({ position: { driverId } }) => driverId === undefined || !left?.has(driverId)).length;
  const whose = unknown === vehicles.length ? `all ${unknown}` : `${unknown} of the ${vehicles.length}`;
  const reasons = [...leftOut].map(([reason, count]) => REASONS[reason](count, hours));
  return {
    vehicles,
    notes: [
      `The way there counts, at ${STRAIGHT_KMH} km/h. No red stop lamp is lit.`,
      ...(checked.length < inQuestion ? [`Checked: the nearest ${checked.length} of ${inQuestion}; narrow with in, group or type.`] : []),
      ...(reasons.length > 0 ? [`Left out: ${reasons.join(", ")}.`] : []),
      ...(left === undefined ? ["Driving time was not checked."] : unknown > 0 ? [`Driving time is unknown for ${whose}.`] : []),
    ],
  };
}
