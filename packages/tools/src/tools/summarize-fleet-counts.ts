import { isMoving } from "@fleetwire/core/internal";
import { isHidden, type Position } from "../fleet/position.ts";
import { reportedCountry } from "../lookup/fleet-towns.ts";
import { countryNameOf } from "../places/countries.ts";
import { Smallest } from "../runtime/smallest.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { CONCERNS, type Concern, concernNames, type Thresholds } from "./summarize-fleet-concerns.ts";

/** How many vehicles a summary names for each concern. */
export const MAX_WORST = 5;

const LABELS = {
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

type Label = keyof typeof LABELS;

const PLACES: ReadonlySet<string> = new Set<Label>(["country", "city"]);

/** Values, undefined if the service reports none, each with its number of vehicles; most frequent first. */
type Counts = readonly (readonly [value: string | undefined, vehicles: number])[];

interface ConcernedVehicle {
  position: Position;
  rank: number;
}

interface Concerned {
  title: string;
  /** In no particular order. */
  vehicles: readonly ConcernedVehicle[];
  /** The first of them, worst first. */
  worst: readonly ConcernedVehicle[];
  /** How many vehicles report the level; undefined if the concern is about none. */
  reporting: number | undefined;
}

const byRank = (a: ConcernedVehicle, b: ConcernedVehicle) =>
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
export async function fleetSummary(positions: readonly Position[], { includes, isThere, thresholds, now }: SummaryOptions) {
  const counted = Object.entries(LABELS).map(([name, labelOf]) => ({ name, labelOf, counts: new Map<string | undefined, number>() }));
  const concerns = concernNames.map((name) => ({
    ...{ name, ...CONCERNS[name], reporting: 0 },
    vehicles: [] as ConcernedVehicle[],
    worst: new Smallest(MAX_WORST, byRank),
  }));
  let [vehicles, moving, hidden] = [0, 0, 0];
  await forEachInSlices(positions, (position) => {
    if (!includes(position)) return;
    const isPrivate = isHidden(position);
    if (isPrivate) hidden++;
    if (isThere?.(position) === false) return;
    vehicles++;
    if (isMoving(position, now)) moving++;
    for (const { name, labelOf, counts } of counted) {
      if (isPrivate && PLACES.has(name)) continue;
      const value = labelOf(position);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    for (const concern of concerns) {
      if (concern.level && position[concern.level] !== undefined) concern.reporting++;
      const rank = concern.rankOf(position, thresholds, now);
      if (rank === undefined) continue;
      concern.vehicles.push({ position, rank });
      concern.worst.add({ position, rank });
    }
  });
  return {
    vehicles,
    moving,
    /** On private journeys. Counts by country and city never include them; if the summary is of a place, no count does. */
    hidden,
    counts: Object.fromEntries(
      counted.map(({ name, counts }): [string, Counts] => [name, [...counts].sort((a, b) => b[1] - a[1])]),
    ) as Record<Label, Counts>,
    concerns: Object.fromEntries(
      concerns.map(({ name, title, level, reporting, vehicles, worst }): [string, Concerned] => [
        name,
        { title: title(thresholds), vehicles, worst: worst.items, reporting: level && reporting },
      ]),
    ) as Record<Concern, Concerned>,
  };
}

export type FleetSummary = Awaited<ReturnType<typeof fleetSummary>>;
