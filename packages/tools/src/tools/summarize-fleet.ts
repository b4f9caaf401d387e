import { operations } from "@fleetwire/core";
import * as z from "zod";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { Position } from "../fleet/position.ts";
import type { AreaFilter } from "../lookup/area-filter.ts";
import { kindsIn } from "../lookup/vehicle-kind.ts";
import { questionProperties } from "../names/name-question.ts";
import { acceptedRows, type ListArguments, listArguments, toolInput } from "../query/tool-input.ts";
import { acceptedChoice, type VehicleChoice, vehicleFilter } from "../query/vehicle-filter.ts";
import { timesOf } from "../text/time.ts";
import { concernList } from "./concern-list.ts";
import { type Concern, concernNames, type Thresholds, thresholdsFrom } from "./fleet-concerns.ts";
import { fleetSummary } from "./fleet-summary.ts";
import { countedValue, fleetSummaryResult, hiddenNote, noVehiclesResult } from "./fleet-summary-result.ts";

interface Arguments extends ListArguments, Partial<Thresholds>, VehicleChoice {
  list?: Concern;
}

const MAX_COUNTRIES_NAMED = 12;

const SOLD_ELSEWHERE = "For sold ones: list_live_positions, where status=SOLD.";

/** Says which kinds and places exist if no vehicle matches those requested. */
async function whatExists(
  positions: readonly Position[],
  { type, place, listsSold }: { type: string | undefined; place: AreaFilter | undefined; listsSold: boolean },
) {
  const { counts } = await fleetSummary(positions, { includes: () => true, thresholds: thresholdsFrom({}), now: 0 });
  const countries = counts.country.slice(0, MAX_COUNTRIES_NAMED).map((count) => `${countedValue(count)} ${count.vehicles}`);
  return [
    ...(type === undefined ? [] : [`The whole fleet: ${kindsIn(positions)}.`, ...(listsSold ? [SOLD_ELSEWHERE] : [])]),
    ...(place === undefined ? [] : [`The whole fleet by country: ${countries.join(", ")}.`]),
  ];
}

export const summarizeFleet: ReadTool = {
  name: "summarize_fleet",
  title: "Summarize fleet",
  description:
    "Fleet counts by activity, group, energy, type, country, city; which vehicles are charging, low on fuel or battery, silent, or have active faults.",
  effect: "read",
  operations: [operations.listLivePositions],
  ...toolInput(
    {
      group: z.string().min(1).optional().describe("Only this group"),
      type: z.string().min(1).optional().describe("Such as van, EV"),
      in: z.string().min(1).optional().describe("Country or city"),
      fuelBelow: z.number().min(0).max(100).optional().describe("Percent, default 20"),
      batteryBelow: z.number().min(0).max(100).optional().describe("Percent, default 20"),
      silentHours: z.number().min(0).optional().describe("Hours, default 24"),
      list: z.enum(concernNames).optional().describe("List in full"),
      limit: listArguments.limit,
      cursor: listArguments.cursor,
    },
    { ...acceptedRows, moving: acceptedChoice.moving },
  ),
  outputSchema: {
    type: "object",
    properties: {
      vehicles: { type: "integer" },
      moving: { type: "integer" },
      scope: { type: "string" },
      counts: { type: "object", description: "By activity, energy, type, group, country and city, as [value, vehicles]" },
      concerns: { type: "object", description: "Each with its total and the first vehicles" },
      total: { type: "integer", description: "Vehicles in that list" },
      returned: { type: "integer" },
      items: { type: "array", items: { type: "object" } },
      next: { type: "string", description: "Cursor for more" },
      note: { type: "string" },
      ...questionProperties,
    },
  },
  run: async (args: Arguments, context) => {
    const { now } = context;
    const { list, type } = args;
    const fleet = await readFleet(context);
    const instant = now();
    const { includes, group, place, only, motion } = await vehicleFilter(args, fleet, context);
    const thresholds = thresholdsFrom(args);
    const summary = await fleet.once(JSON.stringify(["summary", group?.id, type, args.in, args.moving, thresholds]), () =>
      fleetSummary(fleet.positions, { includes, isThere: place?.includes, thresholds, now: instant }),
    );
    const scope = [...only, ...motion.map((one) => `those ${one}`), ...(place ? [`those in ${place.label}`] : [])].join(", ");
    const options = { scope, isOfPlace: place !== undefined, now: instant };
    if (summary.vehicles === 0 && (type !== undefined || place)) {
      const hidden = hiddenNote(summary, options.isOfPlace);
      const remarks = [
        ...(hidden === undefined ? [] : [hidden]),
        ...(await whatExists(fleet.positions, { type, place, listsSold: context.offered.has("list_live_positions") })),
      ];
      return () => noVehiclesResult(scope, remarks);
    }
    if (list !== undefined) return concernList(summary, { ...args, list }, options, timesOf(context));
    return (budget) => fleetSummaryResult(summary, options, budget);
  },
};
