import type { DrawnPosition } from "../map/map-vehicle.ts";
import type { ToolResult } from "./host.ts";

type Values = Record<string, unknown>;

const RECORD = "fleetwire/record";

export const textOf = ({ content = [] }: ToolResult): string => content.flatMap(({ text }) => text ?? []).join("\n");

/** The record of a result, which a server that sends only text to models puts beside it. */
export const recordOf = ({ structuredContent, _meta }: ToolResult): Values =>
  structuredContent ?? (_meta?.[RECORD] as Values | undefined) ?? {};

const isObject = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** The rows of a list as objects, whether the record has them as such or as a table. */
export function rowsOf({ items, candidates, columns, rows }: Values): Values[] {
  const objects = items ?? candidates;
  if (Array.isArray(objects)) return objects.filter(isObject);
  if (!Array.isArray(columns) || !Array.isArray(rows)) return [];
  return rows.map((row: unknown[]) => Object.fromEntries(columns.map((column, at) => [String(column), row[at] ?? undefined])));
}

/** What a result says beside its rows, which are the lines with several cells, and beside how a model gets more of them. */
export const remarksOf = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.includes(" | ") && !line.startsWith("More: "))
    .join("\n");

/** The one vehicle that a result is about, if so. */
export const vehicleOf = (record: Values): (DrawnPosition & Values) | undefined =>
  isObject(record["vehicle"]) ? (record["vehicle"] as DrawnPosition & Values) : undefined;

/** The ids, or else the names, of the vehicles that a result is about. */
export function subjectsOf(record: Values): string[] {
  const vehicle = vehicleOf(record);
  const subjects = vehicle ? [vehicle] : rowsOf(record);
  return (subjects as DrawnPosition[]).flatMap(({ assetId, assetName }) => assetId ?? assetName ?? []);
}
