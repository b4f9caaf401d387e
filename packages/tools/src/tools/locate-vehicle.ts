import { LivePosition, operations } from "@fleetwire/core";
import * as z from "zod";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { unresolvedName, VEHICLES } from "../lookup/single-match.ts";
import { soldVehicle } from "../lookup/sold-vehicle.ts";
import type { ToolResult } from "../model/tool-result.ts";
import { questionProperties, questionResult } from "../names/name-question.ts";
import { resolveName } from "../names/resolve-name.ts";
import { fieldTypes, toolInput } from "../query/tool-input.ts";
import { singleLine } from "../text/clip-values.ts";
import { timesOf } from "../text/time.ts";
import { fieldsShown, vehicleResult } from "./vehicle-result.ts";

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
