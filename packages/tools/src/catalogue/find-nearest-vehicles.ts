import { FleetError, LivePosition, operations } from "@fleetwire/core";
import * as z from "zod";
import { bearingDegrees, distanceKm, middleOf, type Point, pointOf } from "../aggregate/geography.ts";
import { fieldTypes, listArguments, toolInput } from "../arguments/tool-input.ts";
import { type FleetView, readFleet } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/privacy.ts";
import { groupLabel, vehicleLabel } from "../names/labels.ts";
import { GROUPS, sureName, VEHICLES_AND_PLACES } from "../names/sure-name.ts";
import { plainText } from "../results/cell.ts";
import { VEHICLE } from "../results/counted.ts";
import { readCursor } from "../results/cursor.ts";
import { rowsAfter } from "../results/keyset.ts";
import { listOutputSchema, listResult } from "../results/list-result.ts";
import { ageInWords, compassPoint, readInstant } from "../results/time.ts";
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

/** Where distances are measured from. */
interface Origin extends Point {
  name: string;
  /** The vehicle that stands there and is not its own neighbour. */
  vehicle: string;
}

const refuse = (message: string, advice: string) => new FleetError("input", message, { advice });

/** The place that a name stands for: a location is where the vehicles in its geo-fence are, for the interface does not say where it lies. */
function placeOf(to: string, fleet: FleetView): Origin {
  const { value } = sureName(to, fleet.vehiclesAndPlaces(), { ...VEHICLES_AND_PLACES, field: "to" });
  const isPlace = "inside" in value;
  const point = isPlace ? middleOf(value.inside.flatMap((position) => pointOf(position) ?? [])) : pointOf(value);
  const name = isPlace ? VEHICLES_AND_PLACES.labelOf(value) : vehicleLabel(value);
  if (point) return { ...point, name, vehicle: isPlace ? "" : (value.assetId ?? "") };
  const why = !isPlace && value.privacy === true ? "is on a private journey, whereabouts withheld" : "has reported no position";
  throw refuse(`to: ${name} ${why}`, "Tell the user, or give a point as lat and lng");
}

function originOf({ to, lat, lng }: Arguments, fleet: FleetView): Origin {
  if (to !== undefined) return placeOf(to, fleet);
  if (lat !== undefined && lng !== undefined) return { latitude: lat, longitude: lng, name: `${lat}, ${lng}`, vehicle: "" };
  if (lat !== undefined || lng !== undefined) {
    const [given, missing] = lat === undefined ? ["lng", "lat"] : ["lat", "lng"];
    throw refuse(`${missing}: is required when ${given} is given`, "Give both, or to, the name of a vehicle, driver or location");
  }
  throw refuse("to: is missing", "Give to, the name of a vehicle, driver or location, or lat and lng");
}

const documentedTypes: readonly string[] = (LivePosition.shape.energyType as unknown as z.ZodOptional<z.ZodEnum>)
  .unwrap()
  .options.map(String);

/** Whether a vehicle has the energy type that is asked for, in any case; one that is neither documented nor seen is refused with those that are. */
function energyFilter(asked: string | undefined, positions: readonly Position[]): (position: Position) => boolean {
  if (asked === undefined) return () => true;
  const wanted = asked.toLowerCase();
  const known = new Set([...documentedTypes, ...positions.flatMap(({ energyType: type }) => type ?? [])]);
  if ([...known].some((type) => type.toLowerCase() === wanted)) return ({ energyType: type }) => type?.toLowerCase() === wanted;
  throw refuse(
    `energyType: none is called "${plainText(asked, 40)}"`,
    `Choose from ${[...known].map((type) => plainText(type, 40)).join(", ")}`,
  );
}

const Place = z.tuple([z.number(), z.number(), z.string(), z.string(), z.number(), z.string(), z.int()]);

export const isMoving = ({ eventType, speed }: Position) => eventType === "driving" || (speed ?? 0) > 0;

const {
  latitude,
  longitude,
  assetId,
  assetName,
  assetRegistration,
  assetGroupName,
  eventType,
  energyType,
  driverName,
  city,
  locationName,
  date,
} = fieldTypes(LivePosition);

const rowTypes = {
  ...{ assetId, assetName, assetRegistration, km: { type: "number" }, bearingDegrees: { type: "integer" }, direction: { type: "string" } },
  ...{ eventType, driverName, locationName, city, date, age: { type: "string" }, assetGroupName, energyType, latitude, longitude },
};

const DEFAULT_FIELDS = Object.keys(rowTypes).slice(1, 12);

export const findNearestVehicles: ReadTool = {
  name: "find_nearest_vehicles",
  title: "Find nearest vehicles",
  description: "Vehicles nearest to a vehicle, driver, geo-fenced location or point, with distance and bearing.",
  effect: "read",
  operations: [operations.listLivePositions],
  ...toolInput(
    {
      to: z.string().min(1).optional().describe("Name of vehicle, driver or location; else lat and lng"),
      lat: z.number().min(-90).max(90).optional().describe("Degrees north"),
      lng: z.number().min(-180).max(180).optional().describe("Degrees east"),
      group: z.string().min(1).optional().describe("Only this group"),
      moving: z.boolean().optional().describe("Moving or not"),
      energyType: z.string().min(1).optional().describe("Such as EV"),
      limit: listArguments.limit.describe("Rows, default 5"),
      cursor: listArguments.cursor,
    },
    { fields: listArguments.fields },
  ),
  outputSchema: listOutputSchema(rowTypes),
  run: async (args: Arguments, context) => {
    const { settings, now } = context;
    const { group, moving, energyType: energy, limit = DEFAULT_LIMIT, cursor, fields } = args;
    const fleet = await readFleet(context);
    const from = readCursor(cursor, Place);
    const origin = from ? { latitude: from[0], longitude: from[1], name: from[2], vehicle: from[3] } : originOf(args, fleet);
    const only = group === undefined ? undefined : sureName(group, fleet.groups(), { ...GROUPS, field: "group" }).value;
    const hasEnergy = energyFilter(energy, fleet.positions);
    const wanted = fleet.positions.filter(
      (position) =>
        (position.assetId !== origin.vehicle || origin.vehicle === "") &&
        (only === undefined || position.assetGroupId === only.id) &&
        (moving === undefined || isMoving(position) === moving) &&
        hasEnergy(position),
    );
    const hidden = settings.privacy === "off" ? 0 : wanted.filter(({ privacy }) => privacy === true).length;
    const near = wanted.flatMap((position) => {
      const point = pointOf(position);
      return point ? [{ position, km: distanceKm(origin, point), bearing: bearingDegrees(origin, point) }] : [];
    });
    // The fleet moves on between two calls: what follows is what is farther than the last one shown was.
    const { rest, next } = rowsAfter(
      near,
      { keyOf: ({ position, km }) => [km, plainText(position.assetId ?? "", 24)] },
      { kept: [origin.latitude, origin.longitude, origin.name, origin.vehicle], last: from?.slice(4) },
    );
    const rows = rest.slice(0, limit).map(({ position, km, bearing }) => {
      const at = readInstant(position.date);
      const degrees = Math.round(bearing) % 360;
      return {
        ...position,
        km: Math.round(km * 100) / 100,
        bearingDegrees: degrees,
        direction: compassPoint(degrees),
        ...(at !== undefined && { age: ageInWords(at, now()) }),
      };
    });
    const unplaced = wanted.length - near.length - hidden;
    return listResult(
      {
        what: VEHICLE,
        rows,
        total: near.length,
        fields: Object.keys(rowTypes),
        defaultFields: DEFAULT_FIELDS,
        next,
        notes: [
          `Nearest first: km in a straight line and bearing, from ${origin.name}${only ? `; only ${groupLabel(only)}` : ""}.`,
          ...(hidden > 0 ? [`Left out: ${hidden} on private journeys.`] : []),
          ...(unplaced > 0 ? [`Left out: ${unplaced} without a position.`] : []),
          "Times in UTC.",
        ],
      },
      { fields },
    );
  },
};
