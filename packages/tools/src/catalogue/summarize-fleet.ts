import { FleetError, operations } from "@fleetwire/core";
import * as z from "zod";
import { type Concern, concernNames, type Thresholds, thresholdsFrom } from "../aggregate/fleet-concerns.ts";
import { countsFrom, type FleetSummary, fleetSummary } from "../aggregate/fleet-summary.ts";
import { type ListArguments, listArguments, toolInput } from "../arguments/tool-input.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { Position } from "../fleet/position.ts";
import { groupLabel } from "../names/labels.ts";
import { meaning } from "../names/query-meanings.ts";
import { GROUPS, requireMatch } from "../names/single-match.ts";
import { compact } from "../names/spelling.ts";
import { singleLine } from "../results/clip-values.ts";
import { concernList } from "../results/concern-list.ts";
import { countedValue, fleetSummaryResult } from "../results/fleet-summary-result.ts";
import { questionProperties } from "../results/name-question.ts";
import { timesOf } from "../results/time.ts";
import type { ReadTool } from "../tool.ts";

const MAX_TYPES_NAMED = 12;

interface Arguments extends ListArguments, Partial<Thresholds> {
  group?: string;
  type?: string;
  list?: Concern;
}

interface Scope {
  groupId: string | undefined;
  /** The service's label or an everyday word. */
  type: string | undefined;
  thresholds: Thresholds;
  now: number;
}

/** Summarizes the vehicles in a group and of a type, either of which may be undefined. */
async function summaryOf(positions: readonly Position[], { groupId, type, thresholds, now }: Scope): Promise<FleetSummary> {
  const requested = type === undefined ? undefined : meaning(compact(type));
  const types = new Map<string | undefined, number>();
  const meant = new Map<string, boolean>();
  const isMeant = (label: string) => {
    const known = meant.get(label) ?? meaning(compact(label)) === requested;
    meant.set(label, known);
    return known;
  };
  const includes = ({ assetGroupId, assetType }: Position) => {
    if (groupId !== undefined && assetGroupId !== groupId) return false;
    if (requested === undefined) return true;
    types.set(assetType, (types.get(assetType) ?? 0) + 1);
    return assetType !== undefined && isMeant(assetType);
  };
  const summary = await fleetSummary(positions, { includes, thresholds, now });
  if (type === undefined || summary.vehicles > 0) return summary;
  throw new FleetError("input", `type: no vehicle has the type "${singleLine(type, 40)}"`, {
    advice: `Choose from ${countsFrom(types).slice(0, MAX_TYPES_NAMED).map(countedValue).join(", ")}`,
  });
}

export const summarizeFleet: ReadTool = {
  name: "summarize_fleet",
  title: "Summarize fleet",
  description:
    "Counts of the whole fleet by activity, group, energy, type; which vehicles are charging, low on fuel or battery, silent, or have active faults.",
  effect: "read",
  operations: [operations.listLivePositions],
  ...toolInput(
    {
      group: z.string().min(1).optional().describe("Only this group"),
      type: z.string().min(1).optional().describe("Such as van"),
      fuelBelow: z.number().min(0).max(100).optional().describe("Percent, default 20"),
      batteryBelow: z.number().min(0).max(100).optional().describe("Percent, default 20"),
      silentHours: z.number().min(0).optional().describe("Hours, default 24"),
      list: z.enum(concernNames).optional().describe("List in full"),
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
      total: { type: "integer", description: "Vehicles in that list" },
      returned: { type: "integer" },
      items: { type: "array", items: { type: "object" } },
      next: { type: "string", description: "Cursor for more" },
      note: { type: "string" },
      ...questionProperties,
    },
  },
  run: async (args: Arguments, context) => {
    const { settings, now } = context;
    const { list, type } = args;
    const fleet = await readFleet(context);
    const instant = now();
    const group =
      args.group === undefined ? undefined : requireMatch(args.group, await fleet.groups(), { ...GROUPS, field: "group" }).value;
    const thresholds = thresholdsFrom(args);
    const summary = await fleet.once(JSON.stringify(["summary", group?.id, type, thresholds]), () =>
      summaryOf(fleet.positions, { groupId: group?.id, type, thresholds, now: instant }),
    );
    if (list !== undefined) return concernList(summary, { ...args, list }, instant, timesOf(context));
    const scope = [...(group ? [groupLabel(group)] : []), ...(type === undefined ? [] : [`type ${singleLine(type, 40)}`])].join(", ");
    const hidden = settings.privacy === "off" ? 0 : summary.hidden;
    return (budget) => fleetSummaryResult(summary, { scope, hidden, now: instant }, budget);
  },
};
