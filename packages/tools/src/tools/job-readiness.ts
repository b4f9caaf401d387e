import type { FleetContext } from "../fleet/fleet-context.ts";
import type { Position } from "../fleet/position.ts";
import { meaning } from "../names/word-meanings.ts";
import { Smallest } from "../runtime/smallest.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { pluralize, VEHICLE } from "../text/pluralize.ts";
import { compact } from "../text/spelling.ts";
import { durationInWords } from "../text/time.ts";
import type { DrivingLeft, ReadDrivingLeft } from "./driving-left.ts";
import type { NearVehicle } from "./nearest-vehicles.ts";
import { withStopLamp } from "./stop-lamps.ts";

const HOUR = 3_600_000;
const MIN_LEVEL_PERCENT = 20;
/** Checking the faults of a vehicle takes a request. */
const MAX_CHECKED = 40;

const isTrailer = ({ assetType }: Position) => assetType !== undefined && meaning(compact(assetType)) === "trailer";

/** The levels that a vehicle reports. A plug-in hybrid can drive on either. */
const levelsOf = ({ fuelLevelPercentage: fuel, electricBatteryLevelPercent: battery }: Position) => [
  ...(fuel === undefined ? [] : [{ percent: fuel, of: "fuel" }]),
  ...(battery === undefined ? [] : [{ percent: battery, of: "battery" }]),
];

const hasFaults = ({ activeFaultCodes }: Position) => activeFaultCodes === undefined || activeFaultCodes.length > 0;

/** Why a vehicle cannot take a job. */
type Reason = "trailer" | "level" | "lamp" | "hours";

const REASONS: Readonly<Record<Reason, (count: number, hours: number) => string>> = {
  trailer: (count) => pluralize(count, ["trailer", "trailers"]),
  level: (count) => `${count} below ${MIN_LEVEL_PERCENT}% fuel or battery`,
  lamp: (count) => `${count} with the red stop lamp lit`,
  hours: (count, hours) => `${count} with less than ${hours} h of driving left`,
};

interface Facts {
  lamps: ReadonlySet<string>;
  left: DrivingLeft | undefined;
  hours: number;
}

function obstacle(position: Position, { lamps, left, hours }: Facts): Reason | undefined {
  const { assetId, driverId } = position;
  if (isTrailer(position)) return "trailer";
  const levels = levelsOf(position);
  if (levels.length > 0 && levels.every(({ percent }) => percent < MIN_LEVEL_PERCENT)) return "level";
  if (assetId !== undefined && lamps.has(assetId)) return "lamp";
  const driving = driverId === undefined ? undefined : left?.get(driverId);
  return driving !== undefined && driving.atMost < hours * HOUR ? "hours" : undefined;
}

function drivingWords({ driverId, driverName }: Position, left: DrivingLeft | undefined): string {
  if (driverId === undefined && driverName === undefined) return "no driver";
  const driving = driverId === undefined ? undefined : left?.get(driverId);
  if (driving === undefined) return "driving time unknown";
  const { atLeast, atMost } = driving;
  const uncertain = atLeast === atMost ? "" : ` to ${durationInWords(atMost)}`;
  return `${durationInWords(atLeast)}${uncertain} driving left`;
}

/** Says why a vehicle is suitable: "12 km, 5 h 00 min driving left, 80% fuel, no stop lamp". */
function reasonFor({ position, km }: NearVehicle, { left }: Facts): string {
  const levels = levelsOf(position).map(({ percent, of }) => `${Math.round(percent)}% ${of}`);
  return [
    `${Math.round(km)} km`,
    drivingWords(position, left),
    levels.length === 0 ? "level not reported" : levels.join(" and "),
    "no stop lamp",
  ].join(", ");
}

export interface Ready {
  vehicles: readonly (NearVehicle & { why: string })[];
  /** What was checked, and why vehicles were left out. */
  notes: readonly string[];
}

/**
 * Returns those of the nearest vehicles that can take a job: with fuel or battery, without a red stop lamp, and with a driver who may
 * drive for that many hours. Unknown values do not exclude a vehicle; the result mentions them.
 */
export async function readyForJob(
  near: readonly NearVehicle[],
  hours: number,
  readDrivingLeft: ReadDrivingLeft | undefined,
  context: FleetContext,
): Promise<Ready> {
  const nearest = new Smallest<NearVehicle>(MAX_CHECKED, (a, b) => a.km - b.km);
  await forEachInSlices(near, (vehicle) => nearest.add(vehicle));
  const checked = nearest.items;
  const inQuestion = checked.filter(({ position }) => obstacle(position, { lamps: new Set(), left: undefined, hours }) === undefined);
  const idsOf = (of: (position: Position) => string | undefined) => [...new Set(inQuestion.flatMap(({ position }) => of(position) ?? []))];
  const [lamps, left] = await Promise.all([
    withStopLamp(
      idsOf((position) => (hasFaults(position) ? position.assetId : undefined)),
      context,
    ),
    readDrivingLeft?.(
      idsOf(({ driverId }) => driverId),
      context,
    ),
  ]);
  const facts: Facts = { lamps, left, hours };
  const leftOut = new Map<Reason, number>();
  const vehicles = checked.flatMap((vehicle) => {
    const reason = obstacle(vehicle.position, facts);
    if (reason === undefined) return [{ ...vehicle, why: reasonFor(vehicle, facts) }];
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
