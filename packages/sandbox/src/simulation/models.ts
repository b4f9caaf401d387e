/** The sandbox's own labels for asset types. */
export type AssetType = "TRUCK" | "VAN" | "CAR" | "TRAILER";

/** Documented values (interface 2.4). */
export type EnergyType = "UNDEFINED" | "EV" | "PHEV" | "HEV" | "FECV" | "ICE" | "CNG" | "LNG" | "LPG" | "BI-FUEL";
type FuelType = "PETROL" | "DIESEL" | "PROPANE" | "METHANE" | "ELECTRIC" | "HYDROGEN";

interface Tank {
  /** Litres, or kg for compressed gas, for which no volume is reported. */
  readonly capacity: number;
  readonly unit: "l" | "kg";
  readonly per100Km: number;
}

interface Battery {
  readonly kWh: number;
  readonly kWhPerKm: number;
  readonly chargingKw: number;
  /** Whether the service estimates the level instead of reading it from the vehicle. */
  readonly isEstimated: boolean;
  /** Electric range in km before another source takes over; absent for purely electric vehicles. */
  readonly kmFirst?: number;
}

/** A vehicle model, with everything needed to compute a vehicle's state. */
export interface Model {
  readonly make: string;
  readonly model: string;
  readonly version: string;
  /** First three characters of the vehicle identification number. */
  readonly manufacturer: string;
  readonly asset: AssetType;
  readonly energy: EnergyType;
  readonly fuels: readonly FuelType[];
  readonly tank?: Tank;
  readonly battery?: Battery;
  readonly volts: 12 | 24;
  /** Whether engine hours and speed come from the CAN bus. */
  readonly hasBus: boolean;
  readonly idleRpm?: number;
  readonly cruiseRpm?: number;
}

const litres = (capacity: number, per100Km: number): Tank => ({ capacity, unit: "l", per100Km });
const kilograms = (capacity: number, per100Km: number): Tank => ({ capacity, unit: "kg", per100Km });
const named = (make: string, model: string, version: string, manufacturer: string) => ({ make, model, version, manufacturer });

const TRUCK = { asset: "TRUCK", volts: 24, hasBus: true, idleRpm: 560, cruiseRpm: 1250 } as const;
const DIESEL_TRUCK = { ...TRUCK, energy: "ICE", fuels: ["DIESEL"] } as const;
const VAN = { asset: "VAN", volts: 12, hasBus: true, idleRpm: 790, cruiseRpm: 2150 } as const;
const DIESEL_VAN = { ...VAN, energy: "ICE", fuels: ["DIESEL"] } as const;
const CAR = { asset: "CAR", volts: 12, hasBus: true, idleRpm: 760, cruiseRpm: 2300 } as const;
const TRAILER = { asset: "TRAILER", volts: 24, hasBus: false, energy: "UNDEFINED", fuels: [] } as const;

/** The models by asset type and energy. */
const MODELS: readonly Model[] = [
  { ...DIESEL_TRUCK, ...named("Volvo", "FH", "460 4x2", "YV2"), tank: litres(780, 28.4) },
  { ...DIESEL_TRUCK, ...named("Scania", "R 450", "A4x2NA", "YS2"), tank: litres(800, 27.6) },
  { ...DIESEL_TRUCK, ...named("MAN", "TGX", "18.470", "WMA"), tank: litres(860, 28.9) },
  { ...DIESEL_TRUCK, ...named("DAF", "XF", "480 FT", "XLR"), tank: litres(845, 28.1) },
  { ...DIESEL_TRUCK, ...named("Mercedes-Benz", "Actros", "1845 LS", "WDB"), tank: litres(790, 27.9) },
  { ...DIESEL_TRUCK, ...named("Renault Trucks", "T", "480 High", "VF6"), tank: litres(820, 28.8) },
  { ...TRUCK, ...named("Iveco", "S-Way", "AS440 NP", "WJM"), energy: "LNG", fuels: ["METHANE"], tank: kilograms(390, 24.5) },
  { ...TRUCK, ...named("Scania", "G 340", "CNG 4x2", "YS2"), energy: "CNG", fuels: ["METHANE"], tank: kilograms(118, 24.8) },
  {
    ...TRUCK,
    ...named("Hyundai", "XCIENT", "Fuel Cell 4x2", "KMF"),
    energy: "FECV",
    fuels: ["HYDROGEN", "ELECTRIC"],
    tank: kilograms(31, 8.1),
  },
  {
    asset: "TRUCK",
    volts: 24,
    hasBus: true,
    ...named("Volvo", "FM Electric", "4x2", "YV2"),
    energy: "EV",
    fuels: ["ELECTRIC"],
    battery: { kWh: 450, kWhPerKm: 1.15, chargingKw: 43, isEstimated: false },
  },
  { ...DIESEL_VAN, ...named("Ford", "Transit", "350 L3H2", "WF0"), tank: litres(70, 9.4) },
  { ...DIESEL_VAN, ...named("Mercedes-Benz", "Sprinter", "316 CDI", "W1V"), tank: litres(71, 9.1) },
  { ...DIESEL_VAN, ...named("Volkswagen", "Crafter", "35 TDI", "WV1"), tank: litres(75, 9.6) },
  { ...DIESEL_VAN, ...named("Renault", "Master", "dCi 150", "VF1"), tank: litres(80, 8.9), hasBus: false },
  { ...VAN, ...named("Ford", "Transit Custom", "2.0 LPG", "WF0"), energy: "LPG", fuels: ["PROPANE"], tank: litres(72, 11.2) },
  {
    ...VAN,
    ...named("Fiat", "Ducato", "140 Natural Power", "ZFA"),
    energy: "BI-FUEL",
    fuels: ["METHANE", "PETROL"],
    tank: kilograms(36, 7.9),
  },
  { ...VAN, ...named("Volkswagen", "Caddy", "TGI Maxi", "WV1"), energy: "CNG", fuels: ["METHANE"], tank: kilograms(37, 5.2) },
  {
    asset: "VAN",
    volts: 12,
    hasBus: true,
    ...named("Mercedes-Benz", "eSprinter", "113 kWh", "W1V"),
    energy: "EV",
    fuels: ["ELECTRIC"],
    battery: { kWh: 113, kWhPerKm: 0.31, chargingKw: 11, isEstimated: false },
  },
  {
    asset: "VAN",
    volts: 12,
    hasBus: false,
    ...named("Ford", "E-Transit", "350 L3H2", "WF0"),
    energy: "EV",
    fuels: ["ELECTRIC"],
    battery: { kWh: 89, kWhPerKm: 0.27, chargingKw: 11, isEstimated: true },
  },
  {
    ...CAR,
    ...named("Volkswagen", "Passat Variant", "GTE", "WVW"),
    energy: "PHEV",
    fuels: ["PETROL", "ELECTRIC"],
    tank: litres(50, 5.6),
    battery: { kWh: 13, kWhPerKm: 0.19, chargingKw: 3.6, isEstimated: false, kmFirst: 48 },
  },
  { ...CAR, ...named("Toyota", "Corolla", "2.0 Hybrid", "SB1"), energy: "HEV", fuels: ["PETROL", "ELECTRIC"], tank: litres(43, 4.9) },
  { ...CAR, ...named("Škoda", "Octavia", "2.0 TDI", "TMB"), energy: "ICE", fuels: ["DIESEL"], tank: litres(45, 5.1) },
  { ...TRAILER, ...named("Schmitz Cargobull", "S.KO", "Cool", "WSM") },
  { ...TRAILER, ...named("Krone", "Cool Liner", "SDR 27", "WKE") },
  { ...TRAILER, ...named("Kögel", "Cargo", "SN24", "WK0") },
];

const byKind = new Map<string, readonly Model[]>();

export function modelsOf(asset: AssetType, energy: EnergyType): readonly Model[] {
  const kind = `${asset} ${energy}`;
  const known = byKind.get(kind);
  if (known) return known;
  const models = MODELS.filter((model) => model.asset === asset && model.energy === energy);
  byKind.set(kind, models);
  return models;
}
