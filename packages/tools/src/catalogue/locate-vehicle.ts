import { LivePosition, operations } from "@fleetwire/core";
import * as z from "zod";
import { fieldTypes, toolInput } from "../arguments/tool-input.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { resolveName } from "../names/resolve-name.ts";
import { unresolvedName, VEHICLES } from "../names/single-match.ts";
import { soldVehicle } from "../names/sold-vehicle.ts";
import { singleLine } from "../results/clip-values.ts";
import { questionProperties, questionResult } from "../results/name-question.ts";
import { timesOf } from "../results/time.ts";
import type { ToolResult } from "../results/tool-result.ts";
import { fieldsShown, vehicleResult } from "../results/vehicle-result.ts";
import type { ReadTool } from "../tool.ts";

const positionTypes = fieldTypes(LivePosition);

/** The result if the fleet has no vehicles. */
function emptyFleetResult(query: string): ToolResult {
  const question = `No vehicle matches "${singleLine(query, 60)}". The fleet has no visible vehicles. Wrong customer id or credentials?`;
  return { text: question, structured: { result: "notFound", candidates: [], question } };
}

export const locateVehicle: ReadTool = {
  name: "locate_vehicle",
  title: "Locate vehicle",
  description:
    "One vehicle: where it is, what it is doing, since when, driver, fuel or charge, ignition, active faults; the VIN if query asks for it. Found by name, registration, VIN, id or driver.",
  effect: "read",
  operations: [operations.listLivePositions],
  ...toolInput({ query: z.string().min(1).describe("As the user said it, such as truck 12") }),
  outputSchema: {
    type: "object",
    properties: {
      ...questionProperties,
      result: { type: "string", enum: ["found", "ambiguous", "notFound"] },
      vehicle: {
        type: "object",
        properties: { ...Object.fromEntries(fieldsShown.map((field) => [field, positionTypes[field]])), age: { type: "string" } },
      },
      matchedBy: { type: "string" },
      respelt: { type: "boolean", description: "The spelling differs from the query" },
      total: { type: "integer", description: "Total candidates" },
      note: { type: "string", description: "Remarks and next steps" },
    },
    required: ["result"],
  },
  run: async (args, context) => {
    const { settings, now } = context;
    const query = String(args["query"]);
    const fleet = await readFleet(context);
    if (fleet.positions.length === 0) return () => emptyFleetResult(query);
    const listed = await resolveName(query, fleet.vehicles);
    const sold = listed.result === "notFound" ? await soldVehicle(query, context) : undefined;
    const resolution = sold ? ({ result: "found", match: sold } as const) : listed;
    if (resolution.result !== "found")
      return questionResult(await unresolvedName(resolution, query, { ...VEHICLES, field: "query" }), "read");
    const { match } = resolution;
    const isHidden = match.value.privacy === true && settings.privacy !== "off";
    const [instant, times] = [now(), timesOf(context)];
    return (budget) => vehicleResult(match, { query, isHidden, now: instant, times }, budget);
  },
};
