import type { Position } from "../fleet/privacy.ts";
import { type Concern, type ConcernedVehicle, concernsOf, type Thresholds } from "./fleet-concerns.ts";

export interface Count {
  /** As the service labels it; undefined where it does not. */
  value: string | undefined;
  vehicles: number;
}

export interface FleetSummary {
  vehicles: number;
  /** By what vehicles have in common, the most frequent value first. */
  counts: Readonly<Record<"activity" | "energy" | "type" | "group", readonly Count[]>>;
  thresholds: Thresholds;
  concerns: Readonly<Record<Concern, readonly ConcernedVehicle[]>>;
}

/** How often each value occurs, the most frequent first. */
export function countsOf(positions: readonly Position[], labelOf: (position: Position) => string | undefined): Count[] {
  const counts = new Map<string | undefined, number>();
  for (const position of positions) {
    const value = labelOf(position);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, vehicles]) => ({ value, vehicles })).sort((a, b) => b.vehicles - a.vehicles);
}

/** Counts of a fleet, or of a part of it, and the vehicles that need a look. */
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
