import { parseDateTime } from "@fleetwire/core";
import type { Position } from "../fleet/privacy.ts";

export const concernNames = ["charging", "lowFuel", "lowBattery", "activeFaults", "silent"] as const;
export type Concern = (typeof concernNames)[number];

export interface Thresholds {
  /** In percent. */
  fuelBelow: number;
  /** In percent. */
  batteryBelow: number;
  silentHours: number;
}

export interface ConcernedVehicle {
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

/** Lists all vehicles that need attention by concern, worst first. */
export function concernsOf(
  positions: readonly Position[],
  thresholds: Thresholds,
  now: number,
): Record<Concern, readonly ConcernedVehicle[]> {
  const concerned = (rankOf: RankOf): ConcernedVehicle[] =>
    positions
      .flatMap((position) => {
        const rank = rankOf(position, thresholds, now);
        return rank === undefined ? [] : [{ position, rank }];
      })
      .sort((a, b) => a.rank - b.rank || ((a.position.assetId ?? "") < (b.position.assetId ?? "") ? -1 : 1));
  return Object.fromEntries(concernNames.map((name) => [name, concerned(RANKS[name])])) as Record<Concern, ConcernedVehicle[]>;
}
