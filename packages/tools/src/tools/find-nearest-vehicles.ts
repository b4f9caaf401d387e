import { operations } from "@fleetwire/core";
import * as z from "zod";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { isHidden, type Position } from "../fleet/position.ts";
import { acceptedDrivers } from "../lookup/chosen-drivers.ts";
import { soldRemark } from "../lookup/find-entities.ts";
import { type Origin, originOf } from "../lookup/origin.ts";
import { isTrailer } from "../lookup/vehicle-kind.ts";
import type { Resolution } from "../names/resolve-name.ts";
import { bearingDegrees, distanceKm, type Point, pointOf } from "../places/geography.ts";
import { compactOutputSchema, listResult, type Row } from "../query/list-result.ts";
import { requestedFields } from "../query/row-fields.ts";
import { readCursor, rowsAfter } from "../query/row-order.ts";
import { acceptedRows, type FieldsAsked, fieldList, pageArguments, toolInput } from "../query/tool-input.ts";
import { acceptedWhere, type VehicleChoice, vehicleFilter } from "../query/vehicle-filter.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { singleLine } from "../text/clip-values.ts";
import { type Noun, pluralize, VEHICLE } from "../text/pluralize.ts";
import { ageOf, compassPoint, timesOf } from "../text/time.ts";
import { type NearVehicle, readyForJob } from "./find-nearest-vehicles-for-job.ts";

const DEFAULT_LIMIT = 5;

interface Arguments extends VehicleChoice {
  to: string;
  withinKm?: number;
  driveHours?: number;
  limit?: number;
  cursor?: string;
  fields?: FieldsAsked;
}

/**
 * The content of a cursor: the origin, then whether the last vehicle shown is uncertain, its distance and id, and its index among vehicles with the same
 * key.
 */
const Cursor = z.tuple([z.number(), z.number(), z.string(), z.string(), z.number(), z.number(), z.string(), z.int()]);

const originFromCursor = ([latitude, longitude, name, vehicle]: z.infer<typeof Cursor>): Origin => ({
  point: { latitude, longitude },
  name,
  kind: vehicle === "" ? "point" : "vehicle",
  vehicle: vehicle === "" ? undefined : vehicle,
});

/** So that cursors are short, and each page measures from the same point. */
const toAMeter = ({ latitude, longitude }: Point): Point => ({
  latitude: Number(latitude.toFixed(5)),
  longitude: Number(longitude.toFixed(5)),
});

const DEFAULT_FIELDS = ["assetName", "assetRegistration", "km", "direction", "eventType", "driverName", "city", "activeFaultCodes", "age"];

const FIELDS = [
  ...["assetId", ...DEFAULT_FIELDS, "why", "bearingDegrees", "assetGroupName", "assetType", "energyType", "fuelLevelPercentage"],
  ...["electricBatteryLevelPercent", "locationName", "country", "date", "latitude", "longitude"],
];

/** The reason why a vehicle can take a job already includes the distance and levels. */
const READY_FIELDS = ["assetName", "assetRegistration", "why", "eventType", "driverName", "city", "age"];

function rowOf({ position, km, why }: NearVehicle, from: Point, now: number): Row {
  const to = pointOf(position);
  const bearing = to && Math.round(bearingDegrees(from, to)) % 360;
  const { activeFaultCodes = [] } = position;
  return {
    ...position,
    activeFaultCodes: activeFaultCodes.length > 0 ? activeFaultCodes : undefined,
    km: Math.round(km * 10) / 10,
    bearingDegrees: bearing,
    direction: bearing === undefined ? undefined : compassPoint(bearing),
    why,
    age: ageOf(now)(position.date),
  };
}

interface NearestQuery {
  from: Point;
  /** Whether to include a vehicle, wherever it is. */
  includes: (position: Position) => boolean;
  /** Whether to include a vehicle because of where it is. */
  isThere: ((position: Position) => boolean) | undefined;
  withinKm: number | undefined;
  wantsTrailers: boolean;
}

const TRAILER: Noun = ["trailer", "trailers"];

/** Returns the matching vehicles with their distances, and what to say of others. Vehicles with unknown whereabouts match no place. */
async function vehiclesWithDistance(
  positions: readonly Position[],
  { from, includes, isThere, withinKm = Infinity, wantsTrailers }: NearestQuery,
) {
  const near: NearVehicle[] = [];
  const trailers: NearVehicle[] = [];
  let [hidden, unlocated, beyondKm] = [0, 0, Infinity];
  await forEachInSlices(positions, (position) => {
    if (!includes(position)) return;
    const point = pointOf(position);
    if (isHidden(position)) hidden++;
    else if (isThere?.(position) === false) return;
    else if (!point) unlocated++;
    else {
      const km = distanceKm(from, point);
      if (km <= withinKm) (isTrailer(position) ? trailers : near).push({ position, km });
      else if (km < beyondKm) beyondKm = km;
    }
  });
  const unknown = [
    ...(hidden > 0 ? [`${hidden} on private journeys`] : []),
    ...(unlocated > 0 ? [`${unlocated} without a valid position`] : []),
  ].join(", ");
  // Somebody who asks for a type or for a group of trailers wants them.
  const withTrailers = wantsTrailers || near.length === 0;
  if (withTrailers) near.push(...trailers);
  return {
    near,
    trailers: withTrailers || trailers.length === 0 ? [] : [`Left out: ${pluralize(trailers.length, TRAILER)}; pass type for them.`],
    beyond: near.length === 0 && beyondKm < Infinity ? [`The nearest is ${Math.round(beyondKm)} km away.`] : [],
    unknown: unknown === "" ? [] : [`Left out, whereabouts unknown: ${unknown}.`],
  };
}

export const findNearestVehicles: ReadTool = {
  name: "find_nearest_vehicles",
  title: "Find nearest vehicles",
  description: "Vehicles nearest to a vehicle, driver, location, town or point; who nearby can take a job.",
  effect: "read",
  operations: [operations.listLivePositions, operations.listVehicleFaults],
  ...toolInput(
    {
      to: z.string().min(1).describe("Name, town or lat,lng"),
      withinKm: z.number().min(0).optional().describe("Straight line"),
      in: z.string().min(1).optional().describe("Country or city"),
      group: z.string().min(1).optional().describe("Names"),
      type: z.string().min(1).optional().describe("Such as van, EV"),
      moving: z.boolean().optional().describe("Driving"),
      driveHours: z.number().min(0).optional().describe("Who can take a job this long: driving time, fuel, stop lamp"),
      limit: pageArguments.limit.describe("Default 5"),
      cursor: pageArguments.cursor,
    },
    { ...acceptedRows, ...acceptedWhere, group: acceptedDrivers.group },
  ),
  outputSchema: compactOutputSchema(),
  run: async (given, context) => {
    const args = given as unknown as Arguments;
    const { now, towns } = context;
    const { driveHours, withinKm, limit = DEFAULT_LIMIT, cursor, fields } = args;
    const fleet = await readFleet(context);
    const instant = now();
    const last = readCursor(cursor, Cursor);
    const remarkOn = (resolution: Resolution<unknown>) => soldRemark(resolution, args.to, context);
    const origin = last ? originFromCursor(last) : await originOf({ text: args.to, field: "to" }, fleet, towns, remarkOn);
    const { name, vehicle } = origin;
    const point = toAMeter(origin.point);
    const { positions, place, ...filter } = await vehicleFilter(args, fleet, context);
    const { near, trailers, beyond, unknown } = await vehiclesWithDistance(positions, {
      from: point,
      // Not the vehicle from which distances are measured.
      includes: (position) => (vehicle === undefined || position.assetId !== vehicle) && filter.includes(position),
      isThere: place?.includes,
      withinKm,
      wantsTrailers: args.type !== undefined,
    });
    // To a meter, so that the cursor is short.
    const keyOf = ({ position, km, isUncertain = false }: NearVehicle) =>
      [Number(isUncertain), Math.round(km * 1000) / 1000, singleLine(position.assetId ?? "", 24)] as const;
    const carried = [point.latitude, point.longitude, name, vehicle ?? ""];
    const ready = driveHours === undefined ? undefined : await readyForJob(near, driveHours, context);
    // Vehicles move between calls, so the next page contains those that are now farther away than the last one shown.
    const { rows, next } = await rowsAfter<NearVehicle>(ready?.vehicles ?? near, { keyOf }, { carried, last: last?.slice(4) }, limit);
    const only = [
      ...(withinKm === undefined ? [] : [`within ${withinKm} km`]),
      ...(place ? [`in ${place.label}`] : []),
      ...filter.only,
      ...filter.motion,
    ];
    const asked = fieldList(fields);
    const requested = asked && requestedFields(asked, { fields: FIELDS, shape: {} });
    return listResult({
      what: VEHICLE,
      rows: rows.map((row) => rowOf(row, point, instant)),
      total: (ready?.vehicles ?? near).length,
      fields: requested?.fields ?? (ready ? READY_FIELDS : DEFAULT_FIELDS),
      isRequested: requested !== undefined,
      next,
      notes: [
        ...(requested?.notes ?? []),
        `${ready?.vehicles.some(({ isUncertain }) => isUncertain) ? "Those who surely can first, then n" : "N"}earest first: straight-line km${ready ? "" : " and direction"} from ${name}${only.length > 0 ? `; only ${only.join(", ")}` : ""}.`,
        ...filter.notes,
        ...trailers,
        ...beyond,
        ...(ready?.notes ?? []),
        ...unknown,
      ],
      times: timesOf(context),
      columns: { date: { isInstant: true } },
    });
  },
};
