import type { Position } from "../fleet/privacy.ts";
import { vehicleName } from "../names/labels.ts";
import { plainText } from "../results/cell.ts";
import { ageInWords, readInstant } from "../results/time.ts";

export const concernNames = ["charging", "lowFuel", "lowBattery", "activeFaults", "silent"] as const;
export type Concern = (typeof concernNames)[number];

/** What is told of a vehicle that is of concern. */
export interface ConcernRow {
  assetId?: string;
  assetName?: string;
  assetRegistration?: string;
  assetGroupName?: string;
  batteryPercent?: number;
  chargingMinutesLeft?: number;
  fuelPercent?: number;
  activeFaultCodes?: string[];
  date?: string;
  age?: string;
}

export interface Concerned {
  row: ConcernRow;
  /** By which the worst comes first; it does not change while nothing happens. */
  rank: number;
}

export interface ConcernGroup {
  title: string;
  /** The worst first. */
  vehicles: Concerned[];
  /** The fields that say what it is about. */
  about: readonly (keyof ConcernRow)[];
  tell: (vehicle: Concerned) => string;
}

export interface Thresholds {
  fuelBelow?: number;
  batteryBelow?: number;
  silentHours?: number;
}

const DEFAULTS = { fuelBelow: 20, batteryBelow: 20, silentHours: 24 };
const HOUR = 3_600_000;
const CODES_SHOWN = 10;

function named(position: Position): ConcernRow {
  const { assetId, assetRegistration, assetGroupName } = position;
  const texts = { assetId, assetName: vehicleName(position), assetRegistration, assetGroupName };
  return Object.fromEntries(Object.entries(texts).flatMap(([field, text]) => (text === undefined ? [] : [[field, plainText(text, 60)]])));
}

const percent = (value: number | undefined) => (value === undefined ? "level not reported" : `${value} %`);

/** Who of all these vehicles needs a look, each list complete. */
export function concernsOf(positions: readonly Position[], given: Thresholds, now: number): Record<Concern, ConcernGroup> {
  const { fuelBelow = DEFAULTS.fuelBelow, batteryBelow = DEFAULTS.batteryBelow, silentHours = DEFAULTS.silentHours } = given;
  const listed = (choose: (position: Position) => { row: ConcernRow; rank: number } | undefined): Concerned[] =>
    positions
      .flatMap((position) => {
        const chosen = choose(position);
        return chosen ? [{ row: { ...named(position), ...chosen.row }, rank: chosen.rank }] : [];
      })
      .sort((a, b) => a.rank - b.rank || ((a.row.assetId ?? "") < (b.row.assetId ?? "") ? -1 : 1));

  return {
    charging: {
      title: "Charging",
      about: ["batteryPercent", "chargingMinutesLeft"],
      vehicles: listed(({ electricCharging, electricBatteryLevelPercent: level, electricChargingTimeRemainingMins: left }) =>
        electricCharging === true
          ? {
              rank: level ?? -1,
              row: { ...(level !== undefined && { batteryPercent: level }), ...(left !== undefined && { chargingMinutesLeft: left }) },
            }
          : undefined,
      ),
      tell: ({ row }) =>
        `${percent(row.batteryPercent)}${row.chargingMinutesLeft === undefined ? "" : `, ${row.chargingMinutesLeft} min left`}`,
    },
    lowFuel: {
      title: `Fuel below ${fuelBelow} %`,
      about: ["fuelPercent"],
      vehicles: listed(({ fuelLevelPercentage: level }) =>
        level !== undefined && level < fuelBelow ? { rank: level, row: { fuelPercent: level } } : undefined,
      ),
      tell: ({ row }) => percent(row.fuelPercent),
    },
    lowBattery: {
      title: `Battery below ${batteryBelow} %`,
      about: ["batteryPercent"],
      vehicles: listed(({ electricBatteryLevelPercent: level }) =>
        level !== undefined && level < batteryBelow ? { rank: level, row: { batteryPercent: level } } : undefined,
      ),
      tell: ({ row }) => percent(row.batteryPercent),
    },
    activeFaults: {
      title: "Active fault codes",
      about: ["activeFaultCodes"],
      vehicles: listed(({ activeFaultCodes: codes = [] }) =>
        codes.length > 0
          ? { rank: -codes.length, row: { activeFaultCodes: codes.slice(0, CODES_SHOWN).map((code) => plainText(code, 24)) } }
          : undefined,
      ),
      tell: ({ row, rank }) => {
        const codes = row.activeFaultCodes ?? [];
        return `${codes.join(", ")}${-rank > codes.length ? ` and ${-rank - codes.length} more` : ""}`;
      },
    },
    silent: {
      title: `No report for more than ${silentHours} h`,
      about: ["date", "age"],
      vehicles: listed(({ date }) => {
        const at = readInstant(date);
        if (at === undefined) return { rank: 0, row: { age: "never" } };
        return now - at > silentHours * HOUR ? { rank: at, row: { date: plainText(date ?? "", 30), age: ageInWords(at, now) } } : undefined;
      }),
      tell: ({ row }) => row.age ?? "",
    },
  };
}
