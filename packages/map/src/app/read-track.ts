import type { TrackPoint } from "../map/track.ts";
import type { ToolResult } from "./host.ts";

/** The tool whose result of one vehicle is drawn as a track. */
export const TRIPS = "trips_and_stops";

const FIELDS = "vehicle,kind,latitude,longitude,endLatitude,endLongitude";
/** A result has a token budget, so that a long period takes several pages. */
const MAX_PAGES = 10;
const LIMIT = 200;

type Values = Record<string, unknown>;

/** What a track needs of the map's host and of its results. */
interface Reading {
  callTool: (name: string, args: Values) => Promise<ToolResult>;
  recordOf: (result: ToolResult) => Values;
  rowsOf: (record: Values) => Values[];
}

const placed = (latitude: unknown, longitude: unknown): TrackPoint =>
  typeof latitude === "number" && typeof longitude === "number" ? { latitude, longitude } : undefined;

/** Reads where the one vehicle of a result stood, in order; undefined if the result is about several vehicles, or about who was at a place. */
export async function readTrack(
  { count, at, sort: _, fields: __, limit: ___, cursor: ____, ...others }: Values,
  { callTool, recordOf, rowsOf }: Reading,
): Promise<{ vehicle: string; points: TrackPoint[] } | undefined> {
  if (count !== undefined || at !== undefined) return undefined;
  const rows: Values[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES && (page === 0 || cursor !== undefined); page++) {
    const args = { ...others, fields: FIELDS, sort: "start", limit: LIMIT };
    const result = await callTool(TRIPS, { ...args, ...(cursor !== undefined && { cursor }) });
    if (result.isError) return undefined;
    const record = recordOf(result);
    rows.push(...rowsOf(record));
    ({ next: cursor } = record);
  }
  const [{ vehicle } = {}] = rows;
  if (typeof vehicle !== "string" || rows.some((row) => row["vehicle"] !== vehicle)) return undefined;
  const points = rows.flatMap(({ kind, latitude, longitude, endLatitude, endLongitude }) => {
    const from = placed(latitude, longitude);
    return kind === "stop" ? [from] : [from, placed(endLatitude, endLongitude)];
  });
  return { vehicle, points };
}
