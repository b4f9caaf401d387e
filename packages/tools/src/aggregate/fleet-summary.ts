import type { Position } from "../fleet/position.ts";
import { forEachInSlices } from "../time-slices.ts";
import { type Concern, type Concerned, concernCollector, type Thresholds } from "./fleet-concerns.ts";

export interface Count {
  /** The value reported by the service; undefined if there is none. */
  value: string | undefined;
  vehicles: number;
}

export interface FleetSummary {
  vehicles: number;
  /** Number of vehicles on private journeys. */
  hidden: number;
  /** Counts of values per attribute, most frequent first. */
  counts: Readonly<Record<"activity" | "energy" | "type" | "group", readonly Count[]>>;
  thresholds: Thresholds;
  concerns: Readonly<Record<Concern, Concerned>>;
}

const LABELS: Readonly<Record<keyof FleetSummary["counts"], (position: Position) => string | undefined>> = {
  activity: ({ eventType }) => eventType,
  energy: ({ energyType }) => energyType,
  type: ({ assetType }) => assetType,
  group: ({ assetGroupName }) => assetGroupName,
};

interface SummaryOptions {
  /** Whether to include a vehicle. */
  includes: (position: Position) => boolean;
  thresholds: Thresholds;
  now: number;
}

/** Sorts counts, most frequent first. */
export const countsFrom = (counts: ReadonlyMap<string | undefined, number>): Count[] =>
  [...counts].map(([value, vehicles]) => ({ value, vehicles })).sort((a, b) => b.vehicles - a.vehicles);

/** Summarizes all or part of a fleet: counts, and the vehicles that need attention. */
export async function fleetSummary(positions: readonly Position[], { includes, thresholds, now }: SummaryOptions): Promise<FleetSummary> {
  const counted = Object.entries(LABELS).map(([name, labelOf]) => ({ name, labelOf, counts: new Map<string | undefined, number>() }));
  const concerns = concernCollector(thresholds, now);
  let [vehicles, hidden] = [0, 0];
  await forEachInSlices(positions, (position) => {
    if (!includes(position)) return;
    vehicles++;
    if (position.privacy === true) hidden++;
    for (const { labelOf, counts } of counted) {
      const value = labelOf(position);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    concerns.add(position);
  });
  return {
    vehicles,
    hidden,
    counts: Object.fromEntries(
      counted.map(({ name, counts }): [string, readonly Count[]] => [name, countsFrom(counts)]),
    ) as FleetSummary["counts"],
    thresholds,
    concerns: concerns.result(),
  };
}
