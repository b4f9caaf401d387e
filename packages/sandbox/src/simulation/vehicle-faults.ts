import { dayOf, daysPerDate, legsOf, planDay, shiftStart } from "./day-plan.ts";
import type { Model } from "./models.ts";
import { drawIndex, entry, topic } from "./random.ts";
import type { Vehicle } from "./roster.ts";

/** A fault that a vehicle can report. Codes and descriptions follow SAE J1939 for heavy vehicles and OBD for light ones. */
interface FaultKind {
  readonly code: string;
  readonly description: string;
  readonly source: string;
  readonly sourceDescription: string;
  readonly fmi?: string;
  readonly fmiDescription?: string;
  /** The sandbox's own labels. */
  readonly lamps: readonly string[];
}

type Unit = Pick<FaultKind, "source" | "sourceDescription">;

const heavy = (spn: number, fmi: number, description: string, fmiDescription: string, unit: Unit, ...lamps: string[]): FaultKind => ({
  ...{ code: `SPN ${spn} FMI ${fmi}`, description, ...unit, fmi: String(fmi), fmiDescription, lamps },
});

const light = (code: string, description: string, sourceDescription: string, ...lamps: string[]): FaultKind => ({
  ...{ code, description, source: "OBD", sourceDescription, lamps },
});

const HIGH = "Above the normal range, moderately severe";
const LOW = "Below the normal range, moderately severe";
const ERRATIC = "Data erratic or incorrect";
const SHORTED = "Voltage below normal or shorted to ground";
const ENGINE = { source: "0", sourceDescription: "Engine control unit" };
const AFTERTREATMENT = { source: "61", sourceDescription: "Exhaust aftertreatment control unit" };
const BRAKES = { source: "11", sourceDescription: "Brake control unit" };

const HEAVY_ANY = [
  heavy(168, 18, "Battery potential low", LOW, ENGINE, "AMBER_WARNING"),
  heavy(597, 2, "Brake switch signal implausible", ERRATIC, BRAKES, "AMBER_WARNING"),
  heavy(1086, 18, "Parking brake circuit pressure low", LOW, BRAKES, "RED_STOP"),
  heavy(84, 2, "Wheel speed signal implausible", ERRATIC, BRAKES, "AMBER_WARNING"),
];

const HEAVY_COMBUSTION = [
  heavy(110, 16, "Engine coolant temperature high", HIGH, ENGINE, "AMBER_WARNING", "PROTECT"),
  heavy(100, 18, "Engine oil pressure low", LOW, ENGINE, "RED_STOP"),
  heavy(102, 4, "Boost pressure sensor circuit", SHORTED, ENGINE, "AMBER_WARNING"),
  heavy(97, 15, "Water in the fuel", HIGH, ENGINE, "AMBER_WARNING"),
  heavy(1761, 18, "Exhaust fluid tank low", LOW, AFTERTREATMENT, "AMBER_WARNING"),
  heavy(3251, 16, "Particulate filter differential pressure high", HIGH, AFTERTREATMENT, "MALFUNCTION_INDICATOR"),
];

const LIGHT_ANY = [
  light("C0035", "Wheel speed sensor, front left", "Brake control unit", "ABS"),
  light("U0121", "No communication with the brake control unit", "Gateway", "ABS"),
  light("B1318", "Battery voltage low", "Body control unit", "CHARGE"),
];

const LIGHT_COMBUSTION = [
  light("P0299", "Turbocharger underboost", "Engine control unit", "MALFUNCTION_INDICATOR"),
  light("P0401", "Exhaust gas recirculation flow insufficient", "Engine control unit", "MALFUNCTION_INDICATOR"),
  light("P0128", "Coolant thermostat below regulating temperature", "Engine control unit", "MALFUNCTION_INDICATOR"),
  light("P2002", "Particulate filter efficiency below threshold", "Engine control unit", "MALFUNCTION_INDICATOR", "PARTICULATE_FILTER"),
];

const ELECTRIC = [
  light("P0AA6", "Hybrid battery voltage system isolation", "Battery control unit", "MALFUNCTION_INDICATOR", "RED_STOP"),
  light("P0A80", "Traction battery pack worn", "Battery control unit", "MALFUNCTION_INDICATOR"),
];

/** The faults that a model can report; none for trailers, which have no CAN bus. */
function faultsOf(model: Model): readonly FaultKind[] {
  if (model.asset === "TRAILER") return [];
  const isElectric = model.energy === "EV" || model.energy === "FECV";
  if (model.asset === "TRUCK") return isElectric ? HEAVY_ANY : [...HEAVY_ANY, ...HEAVY_COMBUSTION];
  return isElectric ? [...LIGHT_ANY, ...ELECTRIC] : [...LIGHT_ANY, ...LIGHT_COMBUSTION];
}

/** A vehicle's past or current fault. Times are epoch ms. */
export interface VehicleFault {
  readonly kind: FaultKind;
  readonly start: number;
  /** When the workshop cleared it: at the start of a shift, so the vehicle's next report no longer includes it. */
  readonly end: number;
  readonly occurrences: number;
}

/** Interval of reports while driving, in ms; faults appear with a report. */
export const DRIVING_REPORT_MS = 30_000;

/** Each period of this many days has up to two faults. */
const PERIOD_DAYS = 28;
const LONGEST_FAULT_DAYS = 24;
/** Length of the fault history. */
const FAULT_HISTORY_DAYS = 12 * PERIOD_DAYS;
const DAY_MS = 86_400_000;

const COUNT = topic("faults of a period");
const DAY = topic("day of a fault");
const KIND = topic("kind of a fault");
const MOMENT = topic("moment of a fault");
const LENGTH = topic("days of a fault");
const OCCURRENCES = topic("occurrences of a fault");

const COUNTS = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2];

/** A fault of a period if it overlaps the time between two instants. Its dates are compared first, since planning its day takes longest. */
function faultOf(vehicle: Vehicle, period: number, ordinal: number, from: number, to: number): VehicleFault | undefined {
  const { duty } = vehicle;
  const kinds = faultsOf(vehicle.model);
  if (kinds.length === 0) return undefined;
  const daily = daysPerDate(duty);
  const day = (period * PERIOD_DAYS + drawIndex(PERIOD_DAYS, duty.seed, DAY, period, ordinal)) * daily;
  if (shiftStart(duty, day) > to) return undefined;
  const kind = entry(kinds, drawIndex(kinds.length, duty.seed, KIND, period) + ordinal);
  // Nobody drives on for days with a red stop lamp: the vehicle is repaired before its next shift.
  const stops = kind.lamps.includes("RED_STOP");
  let repaired = day + (stops ? 1 : 1 + drawIndex(13, duty.seed, LENGTH, period, ordinal)) * daily;
  while (legsOf(duty, repaired).length === 0 && repaired < day + LONGEST_FAULT_DAYS * daily) repaired++;
  const end = shiftStart(duty, repaired);
  if (end <= from) return undefined;
  const drives = planDay(duty, day).filter((spell) => spell.kind === "drive");
  const drive = stops ? drives.at(-1) : drives[drawIndex(drives.length, duty.seed, MOMENT, period, ordinal)];
  if (!drive) return undefined;
  const reports = Math.floor((drive.end - drive.start) / DRIVING_REPORT_MS);
  const start = drive.start + drawIndex(Math.max(1, reports), duty.seed, MOMENT, period, ordinal, 1) * DRIVING_REPORT_MS;
  if (start > to) return undefined;
  return { kind, start, end, occurrences: 1 + drawIndex(9, duty.seed, OCCURRENCES, period, ordinal) };
}

/** A vehicle's faults that overlap a period, oldest first. Sold vehicles have none. */
export function faultsBetween(vehicle: Vehicle, from: number, to: number): VehicleFault[] {
  if (vehicle.soldAt !== undefined) return [];
  const found: VehicleFault[] = [];
  const daily = daysPerDate(vehicle.duty);
  const first = Math.floor((dayOf(vehicle.duty, from) / daily - LONGEST_FAULT_DAYS) / PERIOD_DAYS);
  const last = Math.floor((dayOf(vehicle.duty, to) / daily + 1) / PERIOD_DAYS);
  for (let period = first; period <= last; period++) {
    const count = entry(COUNTS, drawIndex(COUNTS.length, vehicle.duty.seed, COUNT, period));
    for (let ordinal = 0; ordinal < count; ordinal++) {
      const fault = faultOf(vehicle, period, ordinal, from, to);
      if (fault) found.push(fault);
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

/** The start of the fault history. */
export function faultHistoryStart(now: number): number {
  return now - FAULT_HISTORY_DAYS * DAY_MS;
}
