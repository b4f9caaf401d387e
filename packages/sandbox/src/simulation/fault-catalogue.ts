import type { Model } from "./models.ts";

/** A fault that a vehicle can report. Codes and descriptions follow SAE J1939 for heavy vehicles and OBD for light ones. */
export interface FaultKind {
  readonly code: string;
  readonly description: string;
  readonly source: string;
  readonly sourceDescription: string;
  readonly fmi?: string;
  readonly fmiDescription?: string;
  /** The sandbox's own labels. */
  readonly lamps: readonly string[];
}

const heavy = (
  spn: number,
  fmi: number,
  description: string,
  fmiDescription: string,
  source: string,
  sourceDescription: string,
  ...lamps: string[]
): FaultKind => ({ code: `SPN ${spn} FMI ${fmi}`, description, source, sourceDescription, fmi: String(fmi), fmiDescription, lamps });

const light = (code: string, description: string, sourceDescription: string, ...lamps: string[]): FaultKind => ({
  code,
  description,
  source: "OBD",
  sourceDescription,
  lamps,
});

const HIGH = "Above the normal range, moderately severe";
const LOW = "Below the normal range, moderately severe";
const ERRATIC = "Data erratic or incorrect";
const SHORTED = "Voltage below normal or shorted to ground";
const ENGINE = ["0", "Engine control unit"] as const;
const AFTERTREATMENT = ["61", "Exhaust aftertreatment control unit"] as const;
const BRAKES = ["11", "Brake control unit"] as const;

const HEAVY_ANY = [
  heavy(168, 18, "Battery potential low", LOW, ...ENGINE, "AMBER_WARNING"),
  heavy(597, 2, "Brake switch signal implausible", ERRATIC, ...BRAKES, "AMBER_WARNING"),
  heavy(1086, 18, "Parking brake circuit pressure low", LOW, ...BRAKES, "RED_STOP"),
  heavy(84, 2, "Wheel speed signal implausible", ERRATIC, ...BRAKES, "AMBER_WARNING"),
];

const HEAVY_COMBUSTION = [
  heavy(110, 16, "Engine coolant temperature high", HIGH, ...ENGINE, "AMBER_WARNING", "PROTECT"),
  heavy(100, 18, "Engine oil pressure low", LOW, ...ENGINE, "RED_STOP"),
  heavy(102, 4, "Boost pressure sensor circuit", SHORTED, ...ENGINE, "AMBER_WARNING"),
  heavy(97, 15, "Water in the fuel", HIGH, ...ENGINE, "AMBER_WARNING"),
  heavy(1761, 18, "Exhaust fluid tank low", LOW, ...AFTERTREATMENT, "AMBER_WARNING"),
  heavy(3251, 16, "Particulate filter differential pressure high", HIGH, ...AFTERTREATMENT, "MALFUNCTION_INDICATOR"),
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
export function faultsOf(model: Model): readonly FaultKind[] {
  if (model.asset === "TRAILER") return [];
  const isElectric = model.energy === "EV" || model.energy === "FECV";
  if (model.asset === "TRUCK") return isElectric ? HEAVY_ANY : [...HEAVY_ANY, ...HEAVY_COMBUSTION];
  return isElectric ? [...LIGHT_ANY, ...ELECTRIC] : [...LIGHT_ANY, ...LIGHT_COMBUSTION];
}
