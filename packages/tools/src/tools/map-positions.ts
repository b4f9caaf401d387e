import type { FleetContext } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { Position } from "../fleet/position.ts";
import type { ToolResult } from "../model/tool.ts";
import { distanceKm, type Point } from "../places/geography.ts";
import { utf8 } from "../runtime/base64url.ts";
import { singleLine } from "../text/clip-values.ts";
import { pluralize, VEHICLE } from "../text/pluralize.ts";

/** The fields of a live position that a map draws, in the order of the columns in {@link mapPositions}. */
export const mapFields = [
  "assetId",
  "assetName",
  "assetRegistration",
  "latitude",
  "longitude",
  "heading",
  "speed",
  "eventType",
  "ignitionStatus",
  "electricCharging",
  "date",
] as const satisfies readonly (keyof Position)[];

/** The message size that hosts accept. */
const MAX_BYTES = 1_000_000;
const MAX_TEXT = 60;
/** Decimal places of coordinates: about a metre. */
const DECIMALS = 5;

type Cell = string | number | boolean | null;

const cellOf = (position: Position, field: (typeof mapFields)[number]): Cell => {
  const value = position[field];
  if (typeof value === "number") return Number(value.toFixed(DECIMALS));
  return typeof value === "string" ? singleLine(value, MAX_TEXT) : (value ?? null);
};

type Placed = Position & Point;
const isPlaced = (position: Position): position is Placed => position.latitude !== undefined && position.longitude !== undefined;

/** The vehicles with these ids or names first, then those nearest to them; a sample of the fleet if none is given. */
function mostRelevantFirst(positions: readonly Placed[], asked: ReadonlySet<string>): Placed[] {
  const isAsked = ({ assetId = "", assetName = "" }: Position) => asked.has(assetId) || asked.has(assetName);
  const center = positions.find(isAsked);
  const rankOf = (position: Placed, at: number) => (isAsked(position) ? -1 : center ? distanceKm(center, position) : (at * 0.618034) % 1);
  const ranked = positions.map((position, at) => ({ position, rank: rankOf(position, at) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ position }) => position);
}

/**
 * Returns the fleet for a map that a user sees, not for a model: rows of {@link mapFields}, as many as fit a megabyte. Vehicles without a
 * position, such as those on private journeys, are only counted.
 */
export async function mapPositions(asked: readonly string[], context: FleetContext): Promise<ToolResult> {
  const { positions } = await readFleet(context);
  const placed = positions.filter(isPlaced);
  const rows: Cell[][] = [];
  let bytes = 0;
  for (const position of mostRelevantFirst(placed, new Set(asked))) {
    const row = mapFields.map((field) => cellOf(position, field));
    bytes += utf8(JSON.stringify(row)).length + 1;
    if (bytes > MAX_BYTES) break;
    rows.push(row);
  }
  const total = pluralize(positions.length, VEHICLE);
  return {
    text: `The map shows ${rows.length} of ${total}.`,
    structured: {
      now: new Date(context.now()).toISOString(),
      total: positions.length,
      withoutPlace: positions.length - placed.length,
      columns: mapFields,
      rows,
    },
  };
}
