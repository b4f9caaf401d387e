import { parseDateTime } from "@fleetwire/core/internal";
import type { Position } from "../fleet/position.ts";
import { Smallest } from "../runtime/smallest.ts";

export const concernNames = ["charging", "lowFuel", "lowBattery", "activeFaults", "silent"] as const;
export type Concern = (typeof concernNames)[number];

export interface Thresholds {
  /** In percent. */
  fuelBelow: number;
  /** In percent. */
  batteryBelow: number;
  silentHours: number;
}

interface ConcernedVehicle {
  position: Position;
  /** Lower is worse. The rank stays the same as long as the position does. */
  rank: number;
}

const DEFAULTS: Thresholds = { fuelBelow: 20, batteryBelow: 20, silentHours: 24 };
const HOUR = 3_600_000;

export const thresholdsFrom = ({ fuelBelow, batteryBelow, silentHours }: Partial<Thresholds>): Thresholds => ({
  fuelBelow: fuelBelow ?? DEFAULTS.fuelBelow,
  batteryBelow: batteryBelow ?? DEFAULTS.batteryBelow,
  silentHours: silentHours ?? DEFAULTS.silentHours,
});

/** Ranks a vehicle that needs attention; returns undefined for any other. */
type RankOf = (position: Position, thresholds: Thresholds, now: number) => number | undefined;

const below = (level: number | undefined, limit: number) => ((level ?? limit) < limit ? level : undefined);

const RANKS: Readonly<Record<Concern, RankOf>> = {
  charging: ({ electricCharging, electricBatteryLevelPercent: level }) => (electricCharging === true ? (level ?? -1) : undefined),
  lowFuel: ({ fuelLevelPercentage: level }, { fuelBelow }) => below(level, fuelBelow),
  lowBattery: ({ electricBatteryLevelPercent: level }, { batteryBelow }) => below(level, batteryBelow),
  activeFaults: ({ activeFaultCodes: codes = [] }) => (codes.length > 0 ? -codes.length : undefined),
  silent: ({ date }, { silentHours }, now) => {
    const at = parseDateTime(date);
    if (at === undefined) return 0;
    return now - at > silentHours * HOUR ? at : undefined;
  },
};

/** Whether a vehicle reports the level that a concern is about. */
const REPORTS: Readonly<Partial<Record<Concern, (position: Position) => boolean>>> = {
  lowFuel: ({ fuelLevelPercentage }) => fuelLevelPercentage !== undefined,
  lowBattery: ({ electricBatteryLevelPercent }) => electricBatteryLevelPercent !== undefined,
};

/** The vehicles with one concern. */
export interface Concerned {
  /** In no particular order. */
  vehicles: ConcernedVehicle[];
  /** The first of them, worst first. */
  worst: readonly ConcernedVehicle[];
  /** The number of vehicles that report the level; undefined if the concern is not about one. */
  reporting: number | undefined;
}

export const MAX_WORST = 5;

const byRank = (a: ConcernedVehicle, b: ConcernedVehicle) =>
  a.rank - b.rank || ((a.position.assetId ?? "") < (b.position.assetId ?? "") ? -1 : 1);

/** Collects the vehicles that need attention, by concern. */
export function concernCollector(thresholds: Thresholds, now: number) {
  const collected = concernNames.map((name) => ({
    name,
    rankOf: RANKS[name],
    reports: REPORTS[name],
    reporting: 0,
    vehicles: [] as ConcernedVehicle[],
    worst: new Smallest(MAX_WORST, byRank),
  }));
  return {
    add: (position: Position) => {
      for (const concern of collected) {
        const { rankOf, reports, vehicles, worst } = concern;
        if (reports?.(position)) concern.reporting++;
        const rank = rankOf(position, thresholds, now);
        if (rank === undefined) continue;
        const concerned = { position, rank };
        vehicles.push(concerned);
        worst.add(concerned);
      }
    },
    result: () =>
      Object.fromEntries(
        collected.map(({ name, vehicles, worst, reports, reporting }): [string, Concerned] => [
          name,
          { vehicles, worst: worst.items, reporting: reports && reporting },
        ]),
      ) as Record<Concern, Concerned>,
  };
}
