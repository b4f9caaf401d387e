import type { Position } from "../fleet/privacy.ts";
import { type Concern, type ConcernedVehicle, concernsOf, type Thresholds } from "./fleet-concerns.ts";

export interface Count {
  /** The value reported by the service; undefined if there is none. */
  value: string | undefined;
  vehicles: number;
}

export interface FleetSummary {
  vehicles: number;
  /** Counts of values per attribute, most frequent first. */
  counts: Readonly<Record<"activity" | "energy" | "type" | "group", readonly Count[]>>;
  thresholds: Thresholds;
  concerns: Readonly<Record<Concern, readonly ConcernedVehicle[]>>;
}

/** Counts how often each value occurs, most frequent first. */
export function countsOf(positions: readonly Position[], labelOf: (position: Position) => string | undefined): Count[] {
  const counts = new Map<string | undefined, number>();
  for (const position of positions) {
    const value = labelOf(position);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, vehicles]) => ({ value, vehicles })).sort((a, b) => b.vehicles - a.vehicles);
}

/** Summarizes all or part of a fleet: counts, and the vehicles that need attention. */
export function fleetSummary(positions: readonly Position[], thresholds: Thresholds, now: number): FleetSummary {
  return {
    vehicles: positions.length,
    counts: {
      activity: countsOf(positions, ({ eventType }) => eventType),
      energy: countsOf(positions, ({ energyType }) => energyType),
      type: countsOf(positions, ({ assetType }) => assetType),
      group: countsOf(positions, ({ assetGroupName }) => assetGroupName),
    },
    thresholds,
    concerns: concernsOf(positions, thresholds, now),
  };
}
