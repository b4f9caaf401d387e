import { FleetError, LivePosition } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { vehicleName } from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { fullRecords, readFleet } from "../fleet/fleet-reader.ts";
import type { Position } from "../fleet/position.ts";
import type { ToolResult } from "../model/tool.ts";
import { resolveName } from "../names/resolve-name.ts";
import { recordResult } from "../query/record-result.ts";
import { rowColumns } from "../query/row-columns.ts";
import { singleLine } from "../text/clip-values.ts";
import { ageInWords, timesOf } from "../text/time.ts";

const positionColumns = rowColumns(LivePosition.shape);

const unsure = (result: "ambiguous" | "notFound", text: string): ToolResult => ({ text, structured: { result, note: text } });

/** Finds the vehicle with this name, registration or id in the live view; if the match is not certain, says why. */
async function vehicleMatching(query: string, context: FleetContext): Promise<{ position: Position } | ToolResult> {
  const fleet = await readFleet(context);
  const resolution = await resolveName(query, fleet.vehicles);
  if (resolution.result === "found") return { position: resolution.match.value };
  if (resolution.result === "notFound") return unsure("notFound", "no vehicle matches");
  const names = resolution.matches.slice(0, 4).map(({ value }) => singleLine(vehicleName(value), 40));
  return unsure("ambiguous", `${resolution.matches.length} vehicles match, such as ${names.join(", ")}: read one of them by its id`);
}

/** Looks up one vehicle in the live positions. The result fits the token budget; names and whereabouts are masked as in any tool. */
export async function vehicleRecord(query: string, context: FleetContext): Promise<ToolResult> {
  const { settings, now } = context;
  const match = await vehicleMatching(query, context);
  if (!("position" in match)) return match;
  const [position = match.position] = await fullRecords([match.position], context);
  const at = parseDateTime(position.date);
  const record = { ...(at !== undefined && { age: ageInWords(at, now()) }), ...position };
  const shown = { columns: positionColumns.shown(now()), times: timesOf(context) };
  return recordResult("Latest position.", "vehicle", record, shown, settings.maxResultTokens);
}

/** Calls `onChange` after each change of one vehicle in the live view until the signal fires. The view is masked, so nothing else is compared. */
export async function watchedVehicle(query: string, onChange: () => void, signal: AbortSignal, context: FleetContext): Promise<ToolResult> {
  const match = await vehicleMatching(query, context);
  if (!("position" in match)) return match;
  const { assetId } = match.position;
  if (!assetId) throw new FleetError("contract", "the vehicle has no id, so its changes cannot be recognized");
  if (signal.aborted) throw new FleetError("aborted", "the caller aborted the call");
  let last: Position | undefined = match.position;
  const leave = context.reader.watch(({ vehicles }) => {
    const position = vehicles.get(assetId)?.value;
    // The view replaces a record only if it differs.
    if (position === last) return;
    last = position;
    onChange();
  });
  signal.addEventListener("abort", leave, { once: true });
  return { text: "Changes of the vehicle will be reported.", structured: { result: "watching" } };
}
