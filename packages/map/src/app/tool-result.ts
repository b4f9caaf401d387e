import type { DrawnPosition } from "../map/map-vehicle.ts";
import type { ToolResult } from "./host.ts";

type Values = Record<string, unknown>;

const RECORD = "fleetwire/record";

export const textOf = ({ content = [] }: ToolResult): string => content.flatMap(({ text }) => text ?? []).join("\n");

/** The record of a result. A server that sends models only text passes it in `_meta`. */
export const recordOf = ({ structuredContent, _meta }: ToolResult): Values =>
  structuredContent ?? (_meta?.[RECORD] as Values | undefined) ?? {};

const isObject = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** The rows of a list as objects, whether the record contains objects or a table. */
export function rowsOf({ items, candidates, columns, rows }: Values): Values[] {
  const objects = items ?? candidates;
  if (Array.isArray(objects)) return objects.filter(isObject);
  if (!Array.isArray(columns) || !Array.isArray(rows)) return [];
  return rows.map((row: unknown[]) => Object.fromEntries(columns.map((column, at) => [String(column), row[at] ?? undefined])));
}

/** The text of a result without its rows, which are the lines with several cells, and without the hint for models on how to get more. */
export const remarksOf = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.includes(" | ") && !line.startsWith("More: "))
    .join("\n");

/** The vehicle that a result is about, if it is about a single one. */
export const vehicleOf = (record: Values): (DrawnPosition & Values) | undefined =>
  isObject(record["vehicle"]) ? (record["vehicle"] as DrawnPosition & Values) : undefined;

/** The ids of the vehicles that a result is about, or their names if it has no ids. */
export function subjectsOf(record: Values): string[] {
  const vehicle = vehicleOf(record);
  const subjects = vehicle ? [vehicle] : rowsOf(record);
  return (subjects as DrawnPosition[]).flatMap(({ assetId, assetName }) => assetId ?? assetName ?? []);
}
