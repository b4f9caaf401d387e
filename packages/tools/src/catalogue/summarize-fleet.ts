import { FleetError, operations } from "@fleetwire/core";
import * as z from "zod";
import { type Concern, concernNames, concernsOf } from "../aggregate/fleet-concerns.ts";
import { type ListArguments, listArguments, toolInput } from "../arguments/tool-input.ts";
import { readFleet } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/privacy.ts";
import { groupLabel } from "../names/labels.ts";
import { meaning } from "../names/meanings.ts";
import { compact } from "../names/spelling.ts";
import { GROUPS, sureName } from "../names/sure-name.ts";
import { cell, plainText } from "../results/cell.ts";
import { concernList } from "../results/concern-list.ts";
import { counted, VEHICLE } from "../results/counted.ts";
import { questionProperties } from "../results/name-question.ts";
import { largestFitting, noteOf, type ToolResult } from "../results/tool-result.ts";
import type { ReadTool } from "../tool.ts";

const COUNTS_SHOWN = 12;
const VEHICLES_SHOWN = 10;

interface Arguments extends ListArguments {
  group?: string;
  type?: string;
  fuelBelow?: number;
  batteryBelow?: number;
  silentHours?: number;
  list?: Concern;
}

interface Count {
  value: string;
  vehicles: number;
}

/** How often each value occurs, the most frequent first. */
function countsOf(positions: readonly Position[], labelOf: (position: Position) => string | undefined): Count[] {
  const counts = new Map<string, number>();
  for (const position of positions) {
    const value = labelOf(position) ?? "not reported";
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, vehicles]) => ({ value: plainText(value, 40), vehicles })).sort((a, b) => b.vehicles - a.vehicles);
}

/** The vehicles of a kind, as the service labels it or as people call it. */
function ofType(positions: readonly Position[], type: string | undefined): readonly Position[] {
  if (type === undefined) return positions;
  const wanted = meaning(compact(type));
  const found = positions.filter(({ assetType }) => assetType !== undefined && meaning(compact(assetType)) === wanted);
  if (found.length > 0) return found;
  const known = countsOf(positions, ({ assetType }) => assetType).slice(0, COUNTS_SHOWN);
  throw new FleetError("input", `type: no vehicle has the type "${plainText(type, 40)}"`, {
    advice: `Choose from ${known.map(({ value }) => value).join(", ")}`,
  });
}

const countLine = (label: string, counts: readonly Count[], shown: number): string => {
  const rest = counts.slice(shown);
  const more =
    rest.length === 0 ? "" : `, ${counted(rest.length, ["other", "others"])} ${rest.reduce((sum, { vehicles }) => sum + vehicles, 0)}`;
  return `${label}: ${counts
    .slice(0, shown)
    .map(({ value, vehicles }) => `${cell(value)} ${vehicles}`)
    .join(", ")}${more}`;
};

export const summarizeFleet: ReadTool = {
  name: "summarize_fleet",
  title: "Summarize fleet",
  description:
    "Counts of the whole fleet by activity, group, energy, type; who is charging, low on fuel or battery, has active faults, is silent.",
  effect: "read",
  operations: [operations.listLivePositions],
  ...toolInput(
    {
      group: z.string().min(1).optional().describe("Only this group"),
      type: z.string().min(1).optional().describe("Such as van"),
      fuelBelow: z.number().min(0).max(100).optional().describe("Low fuel in %, default 20"),
      batteryBelow: z.number().min(0).max(100).optional().describe("Low battery in %, default 20"),
      silentHours: z.number().min(0).optional().describe("Silent after, default 24"),
      list: z.enum(concernNames).optional().describe("These in full"),
      limit: listArguments.limit,
      cursor: listArguments.cursor,
    },
    { fields: listArguments.fields },
  ),
  outputSchema: {
    type: "object",
    properties: {
      vehicles: { type: "integer" },
      scope: { type: "string" },
      counts: { type: "object", description: "By activity, energy, type and group" },
      concerns: { type: "object", description: "Each with its total and the first vehicles" },
      total: { type: "integer", description: "Vehicles of the list asked for" },
      returned: { type: "integer" },
      items: { type: "array", items: { type: "object" } },
      next: { type: "string", description: "Cursor of the rest" },
      note: { type: "string" },
      ...questionProperties,
    },
  },
  run: async (args: Arguments, context) => {
    const { settings, now } = context;
    const fleet = await readFleet(context);
    const group = args.group === undefined ? undefined : sureName(args.group, fleet.groups(), { ...GROUPS, field: "group" }).value;
    const inGroup = group === undefined ? fleet.positions : fleet.positions.filter(({ assetGroupId }) => assetGroupId === group.id);
    const positions = ofType(inGroup, args.type);
    const concerns = concernsOf(positions, args, now());
    if (args.list !== undefined) return concernList(concerns[args.list], args);

    const scope = [...(group ? [groupLabel(group)] : []), ...(args.type === undefined ? [] : [`type ${plainText(args.type, 40)}`])].join(
      ", ",
    );
    const counts = {
      activity: countsOf(positions, ({ eventType }) => eventType),
      energy: countsOf(positions, ({ energyType }) => energyType),
      type: countsOf(positions, ({ assetType }) => assetType),
      group: countsOf(positions, ({ assetGroupName }) => assetGroupName),
    };
    const hidden = settings.privacy === "off" ? 0 : positions.filter(({ privacy }) => privacy === true).length;
    const resultOf = (budget: number, size: number): ToolResult => {
      const [countsShown, vehiclesShown] = [Math.min(size, COUNTS_SHOWN), Math.max(0, size - COUNTS_SHOWN)];
      const isCut = Object.values(concerns).some(({ vehicles }) => vehicles.length > vehiclesShown);
      const note = noteOf(
        [
          ...(hidden > 0 ? [`Counted too: ${hidden} on private journeys.`] : []),
          ...(isCut ? ['The others of a list: same call with list, such as list: "charging".'] : []),
        ],
        budget,
      );
      const countLines = Object.entries(counts).map(([label, own]) => countLine(`By ${label}`, own, countsShown));
      const concernLines = Object.values(concerns).map(({ title, vehicles, tell }) => {
        const named = vehicles.slice(0, vehiclesShown).map((vehicle) => `${cell(vehicle.row.assetName)} ${tell(vehicle)}`);
        const more = vehicles.length - named.length;
        return `${title}: ${vehicles.length}${named.length === 0 ? "" : ` (${named.join("; ")}${more > 0 ? `; ${more} more` : ""})`}`;
      });
      return {
        text: [
          `${counted(positions.length, VEHICLE)}${scope === "" ? "" : ` of ${scope}`}.${note ? ` ${note}` : ""}`,
          ...countLines,
          ...concernLines,
        ].join("\n"),
        structured: {
          vehicles: positions.length,
          ...(scope !== "" && { scope }),
          counts: Object.fromEntries(
            Object.entries(counts).map(([label, own]) => [label, { values: own.length, most: own.slice(0, countsShown) }]),
          ),
          concerns: Object.fromEntries(
            Object.entries(concerns).map(([name, { title, vehicles }]) => [
              name,
              { title, total: vehicles.length, first: vehicles.slice(0, vehiclesShown).map(({ row }) => row) },
            ]),
          ),
          ...(note && { note }),
        },
      };
    };
    return (budget) => {
      const fitting = largestFitting(COUNTS_SHOWN + VEHICLES_SHOWN, budget, (size) => resultOf(budget, size));
      if (fitting) return fitting;
      const note = "The summary does not fit FLEET_MAX_RESULT_TOKENS: ask for one list.";
      return { text: `${counted(positions.length, VEHICLE)}. ${note}`, structured: { vehicles: positions.length, note } };
    };
  },
};
