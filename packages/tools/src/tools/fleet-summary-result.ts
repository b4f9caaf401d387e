import type { ToolResult } from "../model/tool-result.ts";
import { cell, singleLine } from "../text/clip-values.ts";
import { pluralize, VEHICLE } from "../text/pluralize.ts";
import { largestWithinBudget, noteWithinBudget } from "../text/token-budget.ts";
import { briefConcernRow, CONCERN_WORDS } from "./concern-words.ts";
import { type Concern, concernNames, MAX_WORST } from "./fleet-concerns.ts";
import type { Count, FleetSummary } from "./fleet-summary.ts";

const MAX_COUNTS_SHOWN = 12;
const MAX_VALUE_LENGTH = 40;

/** How many entries of each list to show. */
interface Shown {
  counts: number;
  vehicles: number;
}

/** The sizes to try, smallest first: they grow by counts, then by vehicles that need attention. */
const SIZES: readonly Shown[] = [
  ...Array.from({ length: MAX_COUNTS_SHOWN + 1 }, (_, counts) => ({ counts, vehicles: 0 })),
  ...Array.from({ length: MAX_WORST }, (_, at) => ({ counts: MAX_COUNTS_SHOWN, vehicles: at + 1 })),
];

export interface SummaryOptions {
  /** Which part of the fleet is summarized; empty for all of it. */
  scope: string;
  /** Whether only vehicles in a place are summarized, which excludes private journeys. */
  isOfPlace?: boolean;
  now: number;
}

/** The counted value, as shown. */
export const countedValue = ({ value = "not reported" }: Count): string => singleLine(value, MAX_VALUE_LENGTH);

function countLine(label: string, counts: readonly Count[], shown: number): string {
  const values = counts.slice(0, shown).map((count) => `${cell(countedValue(count))} ${count.vehicles}`);
  const rest = counts.slice(shown);
  const vehicles = rest.reduce((sum, count) => sum + count.vehicles, 0);
  const more = rest.length === 0 ? "" : `, ${pluralize(rest.length, ["other", "others"])} ${vehicles}`;
  return `By ${label}: ${values.join(", ")}${more}`;
}

function concernLine(concern: Concern, { concerns, thresholds }: FleetSummary, shown: number, now: number): string {
  const { title, summary: describe } = CONCERN_WORDS[concern];
  const { vehicles, worst, reporting } = concerns[concern];
  const named = worst.slice(0, shown).map(({ position }) => {
    const row = briefConcernRow(concern, position, now);
    return `${cell(row.assetName)} ${describe(row, position)}`;
  });
  const more = vehicles.length > named.length ? `; ${vehicles.length - named.length} more` : "";
  const outOf = reporting === undefined ? "" : ` of ${reporting} reporting`;
  return `${title(thresholds)}: ${vehicles.length}${outOf}${named.length === 0 ? "" : ` (${named.join("; ")}${more})`}`;
}

function textOf(summary: FleetSummary, { scope, now }: SummaryOptions, shown: Shown, note: string | undefined): string {
  return [
    `${pluralize(summary.vehicles, VEHICLE)}${scope === "" ? "" : ` of ${scope}`}.${note ? ` ${note}` : ""}`,
    `Moving: ${summary.moving}`,
    ...Object.entries(summary.counts).map(([label, counts]) => countLine(label, counts, shown.counts)),
    ...concernNames.map((concern) => concernLine(concern, summary, shown.vehicles, now)),
  ].join("\n");
}

function recordOf(summary: FleetSummary, { scope, now }: SummaryOptions, shown: Shown, note: string | undefined): Record<string, unknown> {
  const countsRecord = (counts: readonly Count[]) => ({
    values: counts.length,
    most: counts.slice(0, shown.counts).map((count) => [countedValue(count), count.vehicles]),
  });
  const concernRecord = (concern: Concern) => ({
    title: CONCERN_WORDS[concern].title(summary.thresholds),
    total: summary.concerns[concern].vehicles.length,
    ...(summary.concerns[concern].reporting !== undefined && { reporting: summary.concerns[concern].reporting }),
    first: summary.concerns[concern].worst.slice(0, shown.vehicles).map(({ position }) => briefConcernRow(concern, position, now)),
  });
  return {
    vehicles: summary.vehicles,
    ...(scope !== "" && { scope }),
    moving: summary.moving,
    counts: Object.fromEntries(Object.entries(summary.counts).map(([label, counts]) => [label, countsRecord(counts)])),
    concerns: Object.fromEntries(concernNames.map((concern) => [concern, concernRecord(concern)])),
    ...(note && { note }),
  };
}

/** Says how many vehicles are on private journeys, and which counts include them; undefined if there are none. */
export function hiddenNote({ hidden }: FleetSummary, isOfPlace: boolean): string | undefined {
  if (hidden === 0) return undefined;
  return isOfPlace
    ? `Not counted: ${hidden} on private journeys, whereabouts withheld.`
    : `Includes ${hidden} on private journeys, in no country or city.`;
}

function resultOf(summary: FleetSummary, options: SummaryOptions, shown: Shown, budget: number): ToolResult {
  const isCut = Object.values(summary.concerns).some(({ vehicles }) => vehicles.length > shown.vehicles);
  const hidden = hiddenNote(summary, options.isOfPlace === true);
  const note = noteWithinBudget(
    [
      ...(hidden === undefined ? [] : [hidden]),
      ...(isCut ? ['For a full list, repeat this call with list, such as list: "charging".'] : []),
    ],
    budget,
  );
  return { text: textOf(summary, options, shown, note), structured: recordOf(summary, options, shown, note) };
}

/** The result if no vehicle is in the scope: what exists instead, rather than a page of zeros. */
export function noVehiclesResult(scope: string, remarks: readonly string[]): ToolResult {
  const note = remarks.join(" ");
  return {
    text: `0 vehicles${scope === "" ? "" : ` of ${scope}`}. ${note}`.trim(),
    structured: { vehicles: 0, ...(scope !== "" && { scope }), note },
  };
}

/** Renders a summary with as many counts and vehicles as fit the budget. */
export function fleetSummaryResult(summary: FleetSummary, options: SummaryOptions, budget: number): ToolResult {
  const fitting = largestWithinBudget(SIZES.length - 1, budget, (size) => resultOf(summary, options, SIZES[size] as Shown, budget));
  if (fitting) return fitting;
  const note = "The summary does not fit FLEET_MAX_RESULT_TOKENS: request one list.";
  return { text: `${pluralize(summary.vehicles, VEHICLE)}. ${note}`, structured: { vehicles: summary.vehicles, note } };
}
