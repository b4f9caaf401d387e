import { LOW_PERCENT } from "@fleetwire/core/internal";
import { isStale } from "@fleetwire/map";
import { computed } from "@preact/signals";
import { type Position, positions, serviceNow, tick } from "./console-state.ts";

/** Why a vehicle needs attention, most urgent first. */
export const concerns = ["faults", "silent", "low"] as const;
export type Concern = (typeof concerns)[number];

export const concernNames: Readonly<Record<Concern, string>> = { faults: "Faults", silent: "Silent", low: "Low" };
export const concernMeanings: Readonly<Record<Concern, string>> = {
  faults: "Active fault codes",
  silent: "No report for 24 hours, or for 10 minutes while driving, or one with a wrong date",
  low: `Less than ${LOW_PERCENT} % fuel or battery`,
};

const isLow = (level: number | undefined) => level !== undefined && level < LOW_PERCENT;

const applies: Readonly<Record<Concern, (position: Position, now: number) => boolean>> = {
  faults: ({ activeFaultCodes = [] }) => activeFaultCodes.length > 0,
  silent: isStale,
  low: ({ fuelLevelPercentage, electricBatteryLevelPercent }) => isLow(fuelLevelPercentage) || isLow(electricBatteryLevelPercent),
};

/** Changes often enough for vehicles that fall silent. */
const minute = computed(() => {
  void tick.value;
  return Math.floor(serviceNow() / 60_000);
});

const concernsByPosition = computed(() => {
  void minute.value;
  const now = serviceNow();
  return new Map(positions.value.map((position) => [position, concerns.filter((concern) => applies[concern](position, now))]));
});

export const concernsOf = (position: Position): readonly Concern[] => concernsByPosition.value.get(position) ?? [];

/** Smaller for a vehicle with more urgent concerns. */
export function urgencyOf(position: Position): number {
  const [first] = concernsOf(position);
  return first === undefined ? concerns.length : concerns.indexOf(first);
}
