import { isMoving } from "@fleetwire/core/internal";
import { isHidden, type Position } from "../fleet/position.ts";
import { reportedCountry } from "../lookup/fleet-towns.ts";
import { countryNameOf } from "../places/countries.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { type Concern, type Concerned, concernCollector, type Thresholds } from "./fleet-concerns.ts";

export interface Count {
  /** The value reported by the service; undefined if there is none. */
  value: string | undefined;
  vehicles: number;
}

export interface FleetSummary {
  vehicles: number;
  /** Number of vehicles that are moving now. */
  moving: number;
  /** Number of vehicles on private journeys. Counts by country and city never include them; if the summary is of a place, no count does. */
  hidden: number;
  /** Counts of values per attribute, most frequent first. */
  counts: Readonly<Record<"activity" | "energy" | "type" | "group" | "country" | "city", readonly Count[]>>;
  thresholds: Thresholds;
  concerns: Readonly<Record<Concern, Concerned>>;
}

const LABELS: Readonly<Record<keyof FleetSummary["counts"], (position: Position) => string | undefined>> = {
  activity: ({ eventType }) => eventType,
  energy: ({ energyType }) => energyType,
  type: ({ assetType }) => assetType,
  group: ({ assetGroupName }) => assetGroupName,
  country: (position) => {
    const country = reportedCountry(position);
    return country && countryNameOf(country);
  },
  city: ({ city }) => city,
};

const PLACES: ReadonlySet<string> = new Set(["country", "city"]);

interface SummaryOptions {
  /** Whether to include a vehicle, wherever it is. */
  includes: (position: Position) => boolean;
  /** Whether to include a vehicle because of where it is. */
  isThere?: ((position: Position) => boolean) | undefined;
  thresholds: Thresholds;
  now: number;
}

/** Sorts counts, most frequent first. */
const countsFrom = (counts: ReadonlyMap<string | undefined, number>): Count[] =>
  [...counts].map(([value, vehicles]) => ({ value, vehicles })).sort((a, b) => b.vehicles - a.vehicles);

/** Summarizes all or part of a fleet: counts, and the vehicles that need attention. */
export async function fleetSummary(
  positions: readonly Position[],
  { includes, isThere, thresholds, now }: SummaryOptions,
): Promise<FleetSummary> {
  const counted = Object.entries(LABELS).map(([name, labelOf]) => ({ name, labelOf, counts: new Map<string | undefined, number>() }));
  const concerns = concernCollector(thresholds, now);
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
    concerns.add(position);
  });
  return {
    vehicles,
    moving,
    hidden,
    counts: Object.fromEntries(
      counted.map(({ name, counts }): [string, readonly Count[]] => [name, countsFrom(counts)]),
    ) as FleetSummary["counts"],
    thresholds,
    concerns: concerns.result(),
  };
}
