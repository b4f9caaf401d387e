import { operations } from "@fleetwire/core";
import { isMoving, LOW_PERCENT, SILENT_HOURS } from "@fleetwire/core/internal";
import * as z from "zod";
import { vehicleName } from "../fleet/entities.ts";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { isHidden, type Position } from "../fleet/position.ts";
import { acceptedDrivers } from "../lookup/chosen-drivers.ts";
import { reportedCountry } from "../lookup/fleet-towns.ts";
import { kindsIn } from "../lookup/vehicle-kind.ts";
import type { ToolResult } from "../model/tool.ts";
import { questionProperties } from "../names/name-question.ts";
import { countryNameOf } from "../places/geography.ts";
import { Smallest } from "../query/row-order.ts";
import { toolInput } from "../query/tool-input.ts";
import { acceptedChoice, type VehicleChoice, vehicleFilter } from "../query/vehicle-filter.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { cell, singleLine } from "../text/clip-values.ts";
import { pluralize, VEHICLE } from "../text/pluralize.ts";
import { largestWithinBudget, noteWithinBudget } from "../text/token-budget.ts";
import { CONCERNS, concernNames, type Thresholds } from "./summarize-fleet-concerns.ts";

/** How many vehicles a summary names for each concern. */
const MAX_WORST = 5;

const LABELS: Readonly<Record<string, (position: Position) => string | undefined>> = {
  activity: ({ eventType }: Position) => eventType,
  energy: ({ energyType }: Position) => energyType,
  type: ({ assetType }: Position) => assetType,
  group: ({ assetGroupName }: Position) => assetGroupName,
  country: (position: Position) => {
    const country = reportedCountry(position);
    return country && countryNameOf(country);
  },
  city: ({ city }: Position) => city,
};

const PLACES: ReadonlySet<string> = new Set(["country", "city"]);

interface RankedVehicle {
  position: Position;
  rank: number;
}

const byRank = (a: RankedVehicle, b: RankedVehicle) =>
  a.rank - b.rank || ((a.position.assetId ?? "") < (b.position.assetId ?? "") ? -1 : 1);

interface SummaryOptions {
  /** Whether to include a vehicle, wherever it is. */
  includes: (position: Position) => boolean;
  /** Whether to include a vehicle because of where it is. */
  isThere?: ((position: Position) => boolean) | undefined;
  thresholds: Thresholds;
  now: number;
}

/** Summarizes all or part of a fleet: counts, and the vehicles that need attention. */
async function fleetSummary(positions: readonly Position[], { includes, isThere, thresholds, now }: SummaryOptions) {
  const counts = Object.entries(LABELS).map(([label, labelOf]) => ({ label, labelOf, values: new Map<string | undefined, number>() }));
  const concerns = concernNames.map((name) => ({ name, total: 0, reporting: 0, worst: new Smallest(MAX_WORST, byRank) }));
  let [vehicles, moving, hidden] = [0, 0, 0];
  await forEachInSlices(positions, (position) => {
    if (!includes(position)) return;
    const isPrivate = isHidden(position);
    if (isPrivate) hidden++;
    if (isThere?.(position) === false) return;
    vehicles++;
    if (isMoving(position, now)) moving++;
    for (const { label, labelOf, values } of counts) {
      if (isPrivate && PLACES.has(label)) continue;
      const value = labelOf(position);
      values.set(value, (values.get(value) ?? 0) + 1);
    }
    for (const concern of concerns) {
      const { level, rankOf } = CONCERNS[concern.name];
      if (level && position[level] !== undefined) concern.reporting++;
      const rank = rankOf(position, thresholds, now);
      if (rank === undefined) continue;
      concern.total++;
      concern.worst.add({ position, rank });
    }
  });
  return {
    vehicles,
    moving,
    /** On private journeys. Counts by country and city never include them; if the summary is of a place, no count does. */
    hidden,
    /** The values of each label, undefined if the service reports none, with their numbers of vehicles; most frequent first. */
    counts: counts.map(({ label, values }) => ({ label, values: [...values].sort((a, b) => b[1] - a[1]) })),
    concerns: concerns.map(({ name, worst, ...counted }) => ({ name, ...counted, worst: worst.items.map(({ position }) => position) })),
  };
}

type FleetSummary = Awaited<ReturnType<typeof fleetSummary>>;

interface Arguments extends Partial<Thresholds>, VehicleChoice {}

/** How many values of each count a summary shows. */
const MAX_COUNTS = 12;

const LIST = "list_live_positions";

export const summarizeFleet: ReadTool = {
  name: "summarize_fleet",
  title: "Summarize fleet",
  description:
    "Fleet counts by activity, group, energy, type, country, city; which vehicles are charging, low on fuel or battery, silent, or have active faults.",
  effect: "read",
  operations: [operations.listLivePositions],
  ...toolInput(
    {
      group: z.string().min(1).optional().describe("Names"),
      type: z.string().min(1).optional().describe("Such as van, EV"),
      in: z.string().min(1).optional().describe("Country or city"),
      fuelBelow: z.number().min(0).max(100).optional().describe(`Percent, default ${LOW_PERCENT}`),
      batteryBelow: z.number().min(0).max(100).optional().describe(`Percent, default ${LOW_PERCENT}`),
      silentHours: z.number().min(0).optional().describe(`Hours, default ${SILENT_HOURS}`),
    },
    { moving: acceptedChoice.moving, group: acceptedDrivers.group },
  ),
  outputSchema: {
    type: "object",
    properties: {
      vehicles: { type: "integer" },
      moving: { type: "integer" },
      scope: { type: "string" },
      counts: { type: "object", description: "By activity, energy, type, group, country and city, as [value, vehicles]" },
      concerns: { type: "object", description: "Each with its total and the first vehicles" },
      note: { type: "string" },
      ...questionProperties,
    },
  },
  run: async (args: Arguments, context) => {
    const { type, fuelBelow = LOW_PERCENT, batteryBelow = LOW_PERCENT, silentHours = SILENT_HOURS } = args;
    const fleet = await readFleet(context);
    const now = context.now();
    const { includes, place, only, motion } = await vehicleFilter(args, fleet, context);
    const thresholds = { fuelBelow, batteryBelow, silentHours };
    const summary = await fleet.once(JSON.stringify(["summary", ...only, type, args.in, args.moving, thresholds]), () =>
      fleetSummary(fleet.positions, { includes, isThere: place?.includes, thresholds, now }),
    );
    const scope = [...only, ...motion.map((one) => `those ${one}`), ...(place ? [`those in ${place.label}`] : [])].join(", ");
    const hidden = summary.hidden === 0 ? [] : [hiddenText(summary.hidden, place !== undefined)];
    if (summary.vehicles === 0 && (type !== undefined || place)) {
      const whole = await fleetSummary(fleet.positions, { includes: () => true, thresholds, now });
      const countries = whole.counts.find(({ label }) => label === "country")?.values ?? [];
      const countryTexts = countries.slice(0, MAX_COUNTS).map(([value, vehicles]) => `${valueText(value)} ${vehicles}`);
      const note = [
        ...hidden,
        ...(type === undefined ? [] : [`The whole fleet: ${kindsIn(fleet.positions)}.`]),
        ...(type !== undefined && context.offered.has(LIST) ? [`For sold ones: ${LIST}, where status=SOLD.`] : []),
        ...(place ? [`The whole fleet by country: ${countryTexts.join(", ")}.`] : []),
      ].join(" ");
      const structured = { vehicles: 0, ...(scope !== "" && { scope }), note };
      return () => ({ text: `0 vehicles${scope === "" ? "" : ` of ${scope}`}. ${note}`, structured });
    }
    const rendered = (size: number, budget: number) =>
      summaryResult(
        summary,
        { counts: Math.min(size, MAX_COUNTS), vehicles: Math.max(0, size - MAX_COUNTS) },
        { scope, hidden, now, thresholds, isListed: context.offered.has(LIST), budget },
      );
    const note = `The summary does not fit FLEET_MAX_RESULT_TOKENS: raise it, or call ${LIST} with where or count.`;
    const tooLong = { text: `${pluralize(summary.vehicles, VEHICLE)}. ${note}`, structured: { vehicles: summary.vehicles, note } };
    // As many counts as fit, then as many vehicles that need attention.
    return (budget) => largestWithinBudget(MAX_COUNTS + MAX_WORST, budget, (size) => rendered(size, budget)) ?? tooLong;
  },
};

/** Says how many vehicles are on private journeys, and which counts include them. */
const hiddenText = (hidden: number, isOfPlace: boolean) =>
  isOfPlace
    ? `Not counted: ${hidden} on private journeys, whereabouts withheld.`
    : `Includes ${hidden} on private journeys, in no country or city.`;

const valueText = (value = "not reported") => singleLine(value, 40);

const nameText = (text: string | undefined) => (text === undefined ? undefined : singleLine(text, 60));

interface ShownWith {
  scope: string;
  hidden: readonly string[];
  now: number;
  thresholds: Thresholds;
  /** Whether the vehicles with a concern can be listed. */
  isListed: boolean;
  budget: number;
}

/** Renders a summary with so many values of each count, and vehicles of each concern. */
function summaryResult(
  { vehicles, moving, counts, concerns }: FleetSummary,
  shown: { counts: number; vehicles: number },
  { scope, hidden, now, thresholds, isListed, budget }: ShownWith,
): ToolResult {
  const cut = isListed ? concerns.filter(({ total }) => total > shown.vehicles) : [];
  const conditions = cut.map(({ name }) => CONCERNS[name].where(thresholds));
  const full = conditions.length > 0 ? [`For all vehicles: ${LIST}, where ${conditions.join(", or where ")}.`] : [];
  const note = noteWithinBudget([...hidden, ...full], budget);
  const countEntries = counts.map(({ label, values }) => {
    const most = values.slice(0, shown.counts).map(([value, count]) => [valueText(value), count] as const);
    const rest = values.slice(shown.counts);
    const others = rest.reduce((sum, [, count]) => sum + count, 0);
    const more = rest.length === 0 ? "" : `, ${pluralize(rest.length, ["other", "others"])} ${others}`;
    const line = `By ${label}: ${most.map(([value, count]) => `${cell(value)} ${count}`).join(", ")}${more}`;
    return { label, line, record: { values: values.length, most } };
  });
  const concernEntries = concerns.map(({ name, total, reporting, worst }) => {
    const { level, facts, describe, title: titleOf } = CONCERNS[name];
    const title = titleOf(thresholds);
    const first = worst.slice(0, shown.vehicles);
    const named = first.map((position) => `${cell(nameText(vehicleName(position)))} ${describe(position, now)}`);
    const more = total > first.length ? `; ${total - first.length} more` : "";
    const line = `${title}: ${total}${level ? ` of ${reporting} reporting` : ""}${named.length === 0 ? "" : ` (${named.join("; ")}${more})`}`;
    const rows = first.map((position) => ({
      assetId: nameText(position.assetId),
      assetName: nameText(vehicleName(position)),
      ...Object.fromEntries(Object.entries(facts).map(([field, of]) => [field, of(position, now)])),
    }));
    return { name, line, record: { title, total, ...(level && { reporting }), first: rows } };
  });
  return {
    text: [
      `${pluralize(vehicles, VEHICLE)}${scope === "" ? "" : ` of ${scope}`}.${note ? ` ${note}` : ""}`,
      `Moving: ${moving}`,
      ...[...countEntries, ...concernEntries].map(({ line }) => line),
    ].join("\n"),
    structured: {
      vehicles,
      ...(scope !== "" && { scope }),
      moving,
      counts: Object.fromEntries(countEntries.map(({ label, record }) => [label, record])),
      concerns: Object.fromEntries(concernEntries.map(({ name, record }) => [name, record])),
      ...(note && { note }),
    },
  };
}
