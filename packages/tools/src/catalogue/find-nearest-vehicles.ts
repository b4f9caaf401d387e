import { FleetError, jsonSchemaOf, LivePosition, operations } from "@fleetwire/core";
import * as z from "zod";
import { bearingDegrees, middleOf, type Point, pointOf } from "../aggregate/geography.ts";
import { type NearVehicle, vehiclesWithDistance } from "../aggregate/nearest-vehicles.ts";
import { fieldTypes, listArguments, toolInput } from "../arguments/tool-input.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { isPlace } from "../names/fleet-names.ts";
import { groupLabel, vehicleLabel } from "../names/labels.ts";
import { GROUPS, requireMatch, VEHICLES_AND_PLACES } from "../names/single-match.ts";
import { singleLine } from "../results/clip-values.ts";
import { readCursor } from "../results/cursor.ts";
import { rowsAfter } from "../results/keyset.ts";
import { listOutputSchema, listResult, type Row } from "../results/list-result.ts";
import { VEHICLE } from "../results/pluralize.ts";
import { ageOf, compassPoint, timesOf } from "../results/time.ts";
import type { ReadTool } from "../tool.ts";

const DEFAULT_LIMIT = 5;

interface Arguments {
  to?: string;
  lat?: number;
  lng?: number;
  group?: string;
  moving?: boolean;
  energyType?: string;
  limit?: number;
  cursor?: string;
  fields?: string[];
}

/** The point from which distances are measured. */
interface Origin {
  point: Point;
  name: string;
  /** The id of the vehicle at this point, if the point is a vehicle's position. */
  vehicle?: string | undefined;
}

const refuse = (message: string, advice: string) => new FleetError("input", message, { advice });

/**
 * Returns the point that a name refers to. The interface does not state where a location is, so the center of the vehicles inside its
 * geo-fence is used.
 */
async function placeOf(to: string, fleet: FleetView): Promise<Origin> {
  const { value } = requireMatch(to, await fleet.vehiclesAndPlaces(), { ...VEHICLES_AND_PLACES, field: "to" });
  const point = isPlace(value) ? middleOf(value.inside.flatMap((position) => pointOf(position) ?? [])) : pointOf(value);
  const name = isPlace(value) ? VEHICLES_AND_PLACES.labelOf(value) : vehicleLabel(value);
  if (point) return { point, name, vehicle: isPlace(value) ? undefined : value.assetId || undefined };
  const why = !isPlace(value) && value.privacy === true ? "is on a private journey, whereabouts withheld" : "has reported no position";
  throw refuse(`to: ${name} ${why}`, "Tell the user, or pass lat and lng");
}

async function originOf({ to, lat, lng }: Arguments, fleet: FleetView): Promise<Origin> {
  if (to !== undefined) return placeOf(to, fleet);
  if (lat !== undefined && lng !== undefined) return { point: { latitude: lat, longitude: lng }, name: `${lat}, ${lng}` };
  if (lat !== undefined || lng !== undefined) {
    const [given, missing] = lat === undefined ? ["lng", "lat"] : ["lat", "lng"];
    throw refuse(`${missing}: is required when ${given} is given`, "Pass both, or a vehicle, driver or location as `to`");
  }
  throw refuse("to: is missing", "Pass a vehicle, driver or location as `to`, or lat and lng");
}

const documentedTypes = jsonSchemaOf(LivePosition.shape.energyType)["enum"] as readonly string[];

/** Throws if the energy type is neither documented nor in use, and lists those that are. */
function checkEnergyType(requested: string, positions: readonly Position[]): void {
  const known = new Set([...documentedTypes, ...positions.flatMap(({ energyType }) => energyType ?? [])]);
  if ([...known].some((type) => type.toLowerCase() === requested.toLowerCase())) return;
  throw refuse(
    `energyType: there is no "${singleLine(requested, 40)}"`,
    `Choose from ${[...known].map((type) => singleLine(type, 40)).join(", ")}`,
  );
}

/**
 * The content of a cursor: the origin, then the distance and id of the last vehicle shown, and its index among vehicles with the same key.
 */
const Place = z.tuple([z.number(), z.number(), z.string(), z.string(), z.number(), z.string(), z.int()]);

const originFromCursor = ([latitude, longitude, name, vehicle]: z.infer<typeof Place>): Origin => ({
  point: { latitude, longitude },
  name,
  vehicle: vehicle === "" ? undefined : vehicle,
});

const DEFAULT_FIELDS = [
  "assetName",
  "assetRegistration",
  "km",
  "bearingDegrees",
  "direction",
  "eventType",
  "driverName",
  "locationName",
  "city",
  "date",
  "age",
];

const FIELDS = ["assetId", ...DEFAULT_FIELDS, "assetGroupName", "energyType", "latitude", "longitude"];

const TYPES: Record<string, unknown> = {
  ...fieldTypes(LivePosition),
  km: { type: "number" },
  bearingDegrees: { type: "integer" },
  direction: { type: "string" },
  age: { type: "string" },
};

function rowOf({ position, km }: NearVehicle, from: Point, now: number): Row {
  const to = pointOf(position);
  const bearing = to && Math.round(bearingDegrees(from, to)) % 360;
  return {
    ...position,
    km: Math.round(km * 100) / 100,
    bearingDegrees: bearing,
    direction: bearing === undefined ? undefined : compassPoint(bearing),
    age: ageOf(now)(position.date),
  };
}

export const findNearestVehicles: ReadTool = {
  name: "find_nearest_vehicles",
  title: "Find nearest vehicles",
  description: "Vehicles nearest to a vehicle, driver, geo-fenced location or point, with distance and bearing.",
  effect: "read",
  operations: [operations.listLivePositions],
  ...toolInput(
    {
      to: z.string().min(1).optional().describe("Vehicle, driver or location; or use lat and lng"),
      lat: z.number().min(-90).max(90).optional().describe("Degrees north"),
      lng: z.number().min(-180).max(180).optional().describe("Degrees east"),
      group: z.string().min(1).optional().describe("Only this group"),
      moving: z.boolean().optional().describe("Filter by movement"),
      energyType: z.string().min(1).optional().describe("Such as EV"),
      limit: listArguments.limit.describe("Rows, default 5"),
      cursor: listArguments.cursor,
    },
    { fields: listArguments.fields },
  ),
  outputSchema: listOutputSchema(Object.fromEntries(FIELDS.map((field) => [field, TYPES[field]]))),
  run: async (args: Arguments, context) => {
    const { settings, now } = context;
    const { moving, energyType, limit = DEFAULT_LIMIT, cursor, fields } = args;
    const fleet = await readFleet(context);
    const place = readCursor(cursor, Place);
    const { point, name, vehicle } = place ? originFromCursor(place) : await originOf(args, fleet);
    const group =
      args.group === undefined ? undefined : requireMatch(args.group, await fleet.groups(), { ...GROUPS, field: "group" }).value;
    if (energyType !== undefined) checkEnergyType(energyType, fleet.positions);
    const query = { from: point, except: vehicle, groupId: group?.id, moving, energyType };
    const { near, unplaced } = await vehiclesWithDistance(fleet.positions, query);
    const hidden = settings.privacy === "off" ? 0 : unplaced.filter(({ privacy }) => privacy === true).length;
    const unlocated = unplaced.length - hidden;
    // Vehicles move between calls, so the next page contains those that are now farther away than the last one shown.
    const { rows, next } = await rowsAfter(
      near,
      { keyOf: ({ position, km }) => [km, singleLine(position.assetId ?? "", 24)] },
      { carried: [point.latitude, point.longitude, name, vehicle ?? ""], last: place?.slice(4) },
      limit,
    );
    return listResult(
      {
        what: VEHICLE,
        rows: rows.map((row) => rowOf(row, point, now())),
        total: near.length,
        fields: FIELDS,
        defaultFields: DEFAULT_FIELDS,
        next,
        notes: [
          `Nearest first: straight-line km and bearing from ${name}${group ? `; only ${groupLabel(group)}` : ""}.`,
          ...(hidden > 0 ? [`Left out: ${hidden} on private journeys.`] : []),
          ...(unlocated > 0 ? [`Left out: ${unlocated} without a position.`] : []),
        ],
        times: timesOf(context),
        columns: { date: { isInstant: true } },
      },
      { fields },
    );
  },
};
