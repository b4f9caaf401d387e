import { parseDateTime } from "@fleetwire/core/internal";
import { vehicleName } from "../fleet/entity-labels.ts";
import type { Position } from "../fleet/position.ts";
import { singleLine } from "../text/clip-values.ts";
import { ageInWords } from "../text/time.ts";
import type { Concern, Thresholds } from "./fleet-concerns.ts";

/** The fields shown for a vehicle that needs attention. */
export interface ConcernRow {
  assetId?: string | undefined;
  assetName?: string | undefined;
  assetRegistration?: string | undefined;
  assetGroupName?: string | undefined;
  city?: string | undefined;
  batteryPercent?: number | undefined;
  rangeKm?: number | undefined;
  chargingMinutesLeft?: number | undefined;
  fuelPercent?: number | undefined;
  fuelLitres?: number | undefined;
  activeFaultCodes?: string[] | undefined;
  date?: string | undefined;
  age?: string | undefined;
}

interface ConcernWords {
  title: (thresholds: Thresholds) => string;
  /** The fields that show why the vehicle needs attention. */
  about: readonly (keyof ConcernRow)[];
  factsOf: (position: Position, now: number) => ConcernRow;
  /** Describes in a few words why the vehicle needs attention. */
  summary: (facts: ConcernRow, position: Position) => string;
}

const MAX_NAME_LENGTH = 60;
const MAX_CODE_LENGTH = 24;
const MAX_DATE_LENGTH = 30;
const MAX_CODES_SHOWN = 10;

const percent = (value: number | undefined) => (value === undefined ? "level not reported" : `${value}%`);

export const CONCERN_WORDS: Readonly<Record<Concern, ConcernWords>> = {
  charging: {
    title: () => "Charging",
    about: ["batteryPercent", "chargingMinutesLeft"],
    factsOf: ({ electricBatteryLevelPercent, electricChargingTimeRemainingMins }) => ({
      batteryPercent: electricBatteryLevelPercent,
      chargingMinutesLeft: electricChargingTimeRemainingMins,
    }),
    summary: ({ batteryPercent, chargingMinutesLeft }) =>
      `${percent(batteryPercent)}${chargingMinutesLeft === undefined ? "" : `, ${chargingMinutesLeft} min left`}`,
  },
  lowFuel: {
    title: ({ fuelBelow }) => `Fuel below ${fuelBelow}%`,
    about: ["fuelPercent", "fuelLitres"],
    factsOf: ({ fuelLevelPercentage, fuelLevelLitres }) => ({ fuelPercent: fuelLevelPercentage, fuelLitres: fuelLevelLitres }),
    summary: ({ fuelPercent, fuelLitres }) => `${percent(fuelPercent)}${fuelLitres === undefined ? "" : ` (${fuelLitres} l)`}`,
  },
  lowBattery: {
    title: ({ batteryBelow }) => `Battery below ${batteryBelow}%`,
    about: ["batteryPercent", "rangeKm"],
    factsOf: ({ electricBatteryLevelPercent, electricRangeKm }) => ({
      batteryPercent: electricBatteryLevelPercent,
      rangeKm: electricRangeKm,
    }),
    summary: ({ batteryPercent }) => percent(batteryPercent),
  },
  activeFaults: {
    title: () => "Active fault codes",
    about: ["activeFaultCodes"],
    factsOf: ({ activeFaultCodes: codes = [] }) => ({
      activeFaultCodes: codes.slice(0, MAX_CODES_SHOWN).map((code) => singleLine(code, MAX_CODE_LENGTH)),
    }),
    summary: ({ activeFaultCodes: shown = [] }, { activeFaultCodes: all = [] }) =>
      `${shown.join(", ")}${all.length > shown.length ? ` and ${all.length - shown.length} more` : ""}`,
  },
  silent: {
    title: ({ silentHours }) => `No report for more than ${silentHours} h`,
    about: ["date", "age"],
    factsOf: ({ date }, now) => {
      const at = parseDateTime(date);
      return at === undefined ? { age: "never" } : { date: singleLine(date ?? "", MAX_DATE_LENGTH), age: ageInWords(at, now) };
    },
    summary: ({ age = "" }) => age,
  },
};

const nameText = (text: string | undefined) => (text === undefined ? undefined : singleLine(text, MAX_NAME_LENGTH));

/** The record of a vehicle that needs attention, among the first of a summary. */
export function briefConcernRow(concern: Concern, position: Position, now: number): ConcernRow {
  return {
    assetId: nameText(position.assetId),
    assetName: nameText(vehicleName(position)),
    ...CONCERN_WORDS[concern].factsOf(position, now),
  };
}

/** The record of a vehicle that needs attention, in a list. */
export function concernRow(concern: Concern, position: Position, now: number): ConcernRow {
  return {
    ...briefConcernRow(concern, position, now),
    assetRegistration: nameText(position.assetRegistration),
    assetGroupName: nameText(position.assetGroupName),
    city: nameText(position.city),
  };
}
