import { parseDateTime } from "@fleetwire/core";
import { readFleet } from "./fleet/fleet-reader.ts";
import type { Position } from "./fleet/position.ts";
import { vehicleName } from "./names/labels.ts";
import { resolveName } from "./names/resolve-name.ts";
import { singleLine } from "./results/clip-values.ts";
import { recordResult } from "./results/record-result.ts";
import { ageInWords } from "./results/time.ts";
import type { ToolResult } from "./results/tool-result.ts";
import type { ToolContext } from "./tool.ts";

const unsure = (result: "ambiguous" | "notFound", text: string): ToolResult => ({ text, structured: { result, note: text } });

/** Reads all fields of a vehicle, of which the view of the fleet holds only some. */
async function fullRecord(position: Position, { fleet, settings, callOptions }: ToolContext): Promise<Position> {
  if (!position.assetId) return position;
  const input = { vehicleIds: [position.assetId], hideSpeedIfSpeedSensitive: settings.privacy !== "off" };
  return (await fleet.listLivePositions(input, callOptions)).find(({ assetId }) => assetId === position.assetId) ?? position;
}

/** Looks up one vehicle in the live positions. The result fits the token budget; names and whereabouts are masked as in any tool. */
export async function vehicleRecord(query: string, context: ToolContext): Promise<ToolResult> {
  const { settings, now } = context;
  const fleet = await readFleet(context);
  const resolution = resolveName(query, fleet.vehicles);
  if (resolution.result === "ambiguous") {
    const names = resolution.matches.slice(0, 4).map(({ value }) => singleLine(vehicleName(value), 40));
    return unsure("ambiguous", `${resolution.matches.length} vehicles match, such as ${names.join(", ")}: read one of them by its id`);
  }
  if (resolution.result === "notFound") return unsure("notFound", "no vehicle matches");
  const position = await fullRecord(resolution.match.value, context);
  const at = parseDateTime(position.date);
  const record = { ...(at !== undefined && { age: ageInWords(at, now()) }), ...position };
  return recordResult("Latest position.", "vehicle", record, settings.maxResultTokens);
}
