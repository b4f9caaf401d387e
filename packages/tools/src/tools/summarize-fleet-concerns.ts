import { parseDateTime } from "@fleetwire/core/internal";
import type { Position } from "../fleet/position.ts";
import { singleLine } from "../text/clip-values.ts";
import { ageInWords } from "../text/time.ts";

export interface Thresholds {
  /** In percent. */
  fuelBelow: number;
  /** In percent. */
  batteryBelow: number;
  silentHours: number;
}

/** A reason why a vehicle needs attention. */
interface ConcernSpec {
  title: (thresholds: Thresholds) => string;
  /** The level that the concern is about, which not every vehicle reports. */
  level?: "fuelLevelPercentage" | "electricBatteryLevelPercent";
  /** Ranks a vehicle that needs attention, lower is worse; undefined for any other. The rank stays the same as long as the position does. */
  rankOf: (position: Position, thresholds: Thresholds, now: number) => number | undefined;
  /** The fields of a record that show why. */
  facts: Readonly<Record<string, (position: Position, now: number) => unknown>>;
  /** The condition by which list_live_positions lists them all. */
  where: (thresholds: Thresholds) => string;
  /** Says why in a few words. */
  describe: (position: Position, now: number) => string;
}

const HOUR = 3_600_000;
const MAX_CODES_SHOWN = 10;

const below = (level: number | undefined, limit: number) => ((level ?? limit) < limit ? level : undefined);
const percent = (level: number | undefined) => (level === undefined ? "level not reported" : `${level}%`);
const codesShown = ({ activeFaultCodes: codes = [] }: Position) => codes.slice(0, MAX_CODES_SHOWN).map((code) => singleLine(code, 24));

function ageShown({ date }: Position, now: number): string {
  const at = parseDateTime(date);
  return at === undefined ? "never" : ageInWords(at, now);
}

const CONCERN_SPECS = {
  charging: {
    title: () => "Charging",
    rankOf: ({ electricCharging, electricBatteryLevelPercent: level }) => (electricCharging === true ? (level ?? -1) : undefined),
    facts: {
      batteryPercent: ({ electricBatteryLevelPercent }) => electricBatteryLevelPercent,
      chargingMinutesLeft: ({ electricChargingTimeRemainingMins }) => electricChargingTimeRemainingMins,
    },
    where: () => "electricCharging=true",
    describe: ({ electricBatteryLevelPercent: level, electricChargingTimeRemainingMins: minutes }) =>
      `${percent(level)}${minutes === undefined ? "" : `, ${minutes} min left`}`,
  },
  lowFuel: {
    title: ({ fuelBelow }) => `Fuel below ${fuelBelow}%`,
    level: "fuelLevelPercentage",
    rankOf: ({ fuelLevelPercentage: level }, { fuelBelow }) => below(level, fuelBelow),
    facts: {
      fuelPercent: ({ fuelLevelPercentage }) => fuelLevelPercentage,
      fuelLitres: ({ fuelLevelLitres }) => fuelLevelLitres,
    },
    where: ({ fuelBelow }) => `fuelLevelPercentage<${fuelBelow}`,
    describe: ({ fuelLevelPercentage: level, fuelLevelLitres: litres }) =>
      `${percent(level)}${litres === undefined ? "" : ` (${litres} l)`}`,
  },
  lowBattery: {
    title: ({ batteryBelow }) => `Battery below ${batteryBelow}%`,
    level: "electricBatteryLevelPercent",
    rankOf: ({ electricBatteryLevelPercent: level }, { batteryBelow }) => below(level, batteryBelow),
    facts: {
      batteryPercent: ({ electricBatteryLevelPercent }) => electricBatteryLevelPercent,
      rangeKm: ({ electricRangeKm }) => electricRangeKm,
    },
    where: ({ batteryBelow }) => `electricBatteryLevelPercent<${batteryBelow}`,
    describe: ({ electricBatteryLevelPercent }) => percent(electricBatteryLevelPercent),
  },
  activeFaults: {
    title: () => "Active fault codes",
    rankOf: ({ activeFaultCodes: codes = [] }) => (codes.length > 0 ? -codes.length : undefined),
    facts: { activeFaultCodes: codesShown },
    where: () => "activeFaultCodes!=none",
    describe: (position) => {
      const shown = codesShown(position);
      const more = (position.activeFaultCodes?.length ?? 0) - shown.length;
      return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    },
  },
  silent: {
    title: ({ silentHours }) => `No report for more than ${silentHours} h`,
    rankOf: ({ date }, { silentHours }, now) => {
      const at = parseDateTime(date);
      if (at === undefined) return 0;
      return now - at > silentHours * HOUR ? at : undefined;
    },
    facts: {
      date: ({ date = "" }) => (parseDateTime(date) === undefined ? undefined : singleLine(date, 30)),
      age: ageShown,
    },
    where: ({ silentHours: hours }) => `date<${Number.isInteger(hours) ? `${hours} hours` : `${Math.round(hours * 60)} min`} ago`,
    describe: ageShown,
  },
} as const satisfies Record<string, ConcernSpec>;

type Concern = keyof typeof CONCERN_SPECS;

export const CONCERNS: Readonly<Record<Concern, ConcernSpec>> = CONCERN_SPECS;

export const concernNames = Object.keys(CONCERN_SPECS) as Concern[];
