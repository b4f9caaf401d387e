import { operations } from "@fleetwire/core";
import { LOW_PERCENT, SILENT_HOURS } from "@fleetwire/core/internal";
import * as z from "zod";
import { vehicleName } from "../fleet/entity-labels.ts";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { Position } from "../fleet/position.ts";
import { acceptedDrivers } from "../lookup/chosen-drivers.ts";
import { kindsIn } from "../lookup/vehicle-kind.ts";
import type { Render, ToolResult } from "../model/tool-result.ts";
import { questionProperties } from "../names/name-question.ts";
import { readCursor } from "../query/cursor.ts";
import { rowsAfter } from "../query/keyset.ts";
import { listResult, type Row } from "../query/list-result.ts";
import { acceptedRows, DEFAULT_LIMIT, type PageArguments, pageArguments, toolInput } from "../query/tool-input.ts";
import { acceptedChoice, type VehicleChoice, vehicleFilter } from "../query/vehicle-filter.ts";
import { cell, singleLine } from "../text/clip-values.ts";
import { pluralize, VEHICLE } from "../text/pluralize.ts";
import { timesOf, type ZonedTimes } from "../text/time.ts";
import { largestWithinBudget, noteWithinBudget } from "../text/token-budget.ts";
import { CONCERNS, type Concern, concernNames, type Thresholds } from "./summarize-fleet-concerns.ts";
import { type FleetSummary, fleetSummary, MAX_WORST } from "./summarize-fleet-counts.ts";

interface Arguments extends PageArguments, Partial<Thresholds>, VehicleChoice {
  list?: Concern;
}

/** How many values of each count a summary shows. */
const MAX_COUNTS = 12;

const SOLD_ELSEWHERE = "For sold ones: list_live_positions, where status=SOLD.";

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
      list: z.enum(concernNames).optional().describe("List in full"),
      limit: pageArguments.limit,
      cursor: pageArguments.cursor,
    },
    { ...acceptedRows, moving: acceptedChoice.moving, group: acceptedDrivers.group },
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
    const { list, type, fuelBelow = LOW_PERCENT, batteryBelow = LOW_PERCENT, silentHours = SILENT_HOURS } = args;
    const fleet = await readFleet(context);
    const times = timesOf(context);
    const { now } = times;
    const { includes, place, only, motion } = await vehicleFilter(args, fleet, context);
    const thresholds = { fuelBelow, batteryBelow, silentHours };
    const summary = await fleet.once(JSON.stringify(["summary", ...only, type, args.in, args.moving, thresholds]), () =>
      fleetSummary(fleet.positions, { includes, isThere: place?.includes, thresholds, now }),
    );
    const scope = [...only, ...motion.map((one) => `those ${one}`), ...(place ? [`those in ${place.label}`] : [])].join(", ");
    const hidden = summary.hidden === 0 ? [] : [hiddenText(summary.hidden, place !== undefined)];
    if (summary.vehicles === 0 && (type !== undefined || place)) {
      const whole = await fleetSummary(fleet.positions, { includes: () => true, thresholds, now });
      const countries = whole.counts.country.slice(0, MAX_COUNTS).map(([value, vehicles]) => `${valueText(value)} ${vehicles}`);
      const note = [
        ...hidden,
        ...(type === undefined ? [] : [`The whole fleet: ${kindsIn(fleet.positions)}.`]),
        ...(type !== undefined && context.offered.has("list_live_positions") ? [SOLD_ELSEWHERE] : []),
        ...(place ? [`The whole fleet by country: ${countries.join(", ")}.`] : []),
      ].join(" ");
      const structured = { vehicles: 0, ...(scope !== "" && { scope }), note };
      return () => ({ text: `0 vehicles${scope === "" ? "" : ` of ${scope}`}. ${note}`, structured });
    }
    if (list !== undefined) return concernList(summary, { ...args, list }, { scope, notes: place ? hidden : [] }, times);
    const rendered = (size: number, budget: number) =>
      summaryResult(
        summary,
        { counts: Math.min(size, MAX_COUNTS), vehicles: Math.max(0, size - MAX_COUNTS) },
        { scope, hidden, now, budget },
      );
    const note = "The summary does not fit FLEET_MAX_RESULT_TOKENS: request one list.";
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

const concernRow = (concern: Concern, position: Position, now: number): Row => ({
  assetId: nameText(position.assetId),
  assetName: nameText(vehicleName(position)),
  ...Object.fromEntries(Object.entries(CONCERNS[concern].facts).map(([field, of]) => [field, of(position, now)])),
});

/** The last vehicle shown: its rank, its id, and its index among vehicles with the same rank and id. */
const Last = z.tuple([z.number(), z.string(), z.int()]);

/** One page of the vehicles with a given concern, worst first. */
async function concernList(
  summary: FleetSummary,
  { list, limit = DEFAULT_LIMIT, cursor, fields }: PageArguments & { list: Concern },
  { scope, notes }: { scope: string; notes: readonly string[] },
  times: ZonedTimes,
): Promise<Render> {
  const { title, vehicles, reporting } = summary.concerns[list];
  const keyOf = ({ position, rank }: (typeof vehicles)[number]) => [rank, singleLine(position.assetId ?? "", 60)];
  const { rows, next } = await rowsAfter(vehicles, { keyOf }, { last: readCursor(cursor, Last) }, limit);
  const all = ["assetId", "assetName", "assetRegistration", "assetGroupName", "city", ...Object.keys(CONCERNS[list].facts)];
  return listResult(
    {
      what: VEHICLE,
      rows: rows.map(({ position }) => ({
        ...concernRow(list, position, times.now),
        assetRegistration: nameText(position.assetRegistration),
        assetGroupName: nameText(position.assetGroupName),
        city: nameText(position.city),
      })),
      total: vehicles.length,
      fields: all,
      defaultFields: all,
      next,
      notes: [
        `${title}${scope === "" ? "" : `; only ${scope}`}.`,
        ...(reporting === undefined ? [] : [`${reporting} of ${pluralize(summary.vehicles, VEHICLE)} report a level.`]),
        ...notes,
      ],
      columns: { date: { isInstant: true } },
      times,
    },
    { fields },
  );
}

/** Renders a summary with so many values of each count, and vehicles of each concern. */
function summaryResult(
  { vehicles, moving, counts, concerns }: FleetSummary,
  shown: { counts: number; vehicles: number },
  { scope, hidden, now, budget }: { scope: string; hidden: readonly string[]; now: number; budget: number },
): ToolResult {
  const isCut = concernNames.some((name) => concerns[name].vehicles.length > shown.vehicles);
  const full = isCut ? ['For a full list, repeat this call with list, such as list: "charging".'] : [];
  const note = noteWithinBudget([...hidden, ...full], budget);
  const countEntries = Object.entries(counts).map(([label, all]) => {
    const most = all.slice(0, shown.counts).map(([value, count]) => [valueText(value), count] as const);
    const rest = all.slice(shown.counts);
    const others = rest.reduce((sum, [, count]) => sum + count, 0);
    const more = rest.length === 0 ? "" : `, ${pluralize(rest.length, ["other", "others"])} ${others}`;
    const line = `By ${label}: ${most.map(([value, count]) => `${cell(value)} ${count}`).join(", ")}${more}`;
    return { label, line, record: { values: all.length, most } };
  });
  const concernEntries = concernNames.map((name) => {
    const { title, vehicles: all, worst, reporting } = concerns[name];
    const first = worst.slice(0, shown.vehicles).map(({ position }) => position);
    const named = first.map((position) => `${cell(nameText(vehicleName(position)))} ${CONCERNS[name].describe(position, now)}`);
    const more = all.length > first.length ? `; ${all.length - first.length} more` : "";
    const outOf = reporting === undefined ? "" : ` of ${reporting} reporting`;
    const line = `${title}: ${all.length}${outOf}${named.length === 0 ? "" : ` (${named.join("; ")}${more})`}`;
    const rows = first.map((position) => concernRow(name, position, now));
    return { name, line, record: { title, total: all.length, ...(reporting !== undefined && { reporting }), first: rows } };
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
