import { entry, scramble, topic } from "./random.ts";
import type { RoundStyle } from "./rounds.ts";

/** The sandbox's own labels for asset types. */
type AssetType = "TRUCK" | "VAN" | "CAR" | "TRAILER";

/** Documented values (interface 2.4). */
type EnergyType = "UNDEFINED" | "EV" | "PHEV" | "HEV" | "FECV" | "ICE" | "CNG" | "LNG" | "LPG" | "BI-FUEL";
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
const electric = (kWh: number, kWhPerKm: number, chargingKw: number, isEstimated = false): Pick<Model, "energy" | "fuels" | "battery"> => ({
  energy: "EV",
  fuels: ["ELECTRIC"],
  battery: { kWh, kWhPerKm, chargingKw, isEstimated },
});
const named = (make: string, model: string, version: string, manufacturer: string) => ({ make, model, version, manufacturer });

const TRUCK = { asset: "TRUCK", volts: 24, hasBus: true, idleRpm: 560, cruiseRpm: 1250 } as const;
const DIESEL_TRUCK = { ...TRUCK, energy: "ICE", fuels: ["DIESEL"] } as const;
const VAN = { asset: "VAN", volts: 12, hasBus: true, idleRpm: 790, cruiseRpm: 2150 } as const;
const DIESEL_VAN = { ...VAN, energy: "ICE", fuels: ["DIESEL"] } as const;
const CAR = { asset: "CAR", volts: 12, hasBus: true, idleRpm: 760, cruiseRpm: 2300 } as const;
const TRAILER = { asset: "TRAILER", volts: 24, hasBus: false, energy: "UNDEFINED", fuels: [] } as const;

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
  { asset: "TRUCK", volts: 24, hasBus: true, ...named("Volvo", "FM Electric", "4x2", "YV2"), ...electric(450, 1.15, 43) },
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
  { asset: "VAN", volts: 12, hasBus: true, ...named("Mercedes-Benz", "eSprinter", "113 kWh", "W1V"), ...electric(113, 0.31, 11) },
  { asset: "VAN", volts: 12, hasBus: false, ...named("Ford", "E-Transit", "350 L3H2", "WF0"), ...electric(89, 0.27, 11, true) },
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

export const modelsOf = (asset: AssetType, energy: EnergyType) =>
  MODELS.filter((model) => model.asset === asset && model.energy === energy);

const VIN_CHARACTERS = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789";
const YEAR_CHARACTERS = "KLMNPRSTVWXY";
const VIN = topic("vehicle identification number");

/** A 17-character VIN: manufacturer, description, model year from 2019 on, plant and serial number. */
export function vehicleIdentificationNumber(manufacturer: string, seed: number, number: number, year: number): string {
  let description = "";
  for (let at = 0; at < 6; at++) description += VIN_CHARACTERS.charAt(scramble(seed, VIN, at) % VIN_CHARACTERS.length);
  const plant = VIN_CHARACTERS.charAt(scramble(seed, VIN, 7) % 23);
  return `${manufacturer}${description}${YEAR_CHARACTERS.charAt(year - 2019)}${plant}${String(100_000 + number)
    .padStart(6, "0")
    .slice(-6)}`;
}

/** What is set up by hand for a vehicle. */
interface Listing {
  readonly name: string;
  readonly asset: AssetType;
  readonly energy: EnergyType;
  readonly style: RoundStyle;
  /** Index of the truck that pulls this trailer. */
  readonly tractor?: number;
  readonly isSold?: boolean;
  readonly isPool?: boolean;
}

type Use = Pick<Listing, "tractor" | "isSold" | "isPool">;

const listed = (name: string, number: number, asset: AssetType, energy: EnergyType, style: RoundStyle, use?: Use): Listing => ({
  ...{ name: `${name} ${number}`, asset, energy, style, ...use },
});
const HAULS_OF_FIVE = [0, 2, 3];
const DISTRIBUTION: readonly EnergyType[] = ["FECV", "CNG", "EV"];
const truck = (number: number, energy: EnergyType = "ICE", use?: Use, name = "Truck") => {
  const style = DISTRIBUTION.includes(energy) ? "distribution" : HAULS_OF_FIVE.includes(number % 5) ? "haul" : "regional";
  return listed(name, number, "TRUCK", energy, style, use);
};
const van = (number: number, energy: EnergyType = "ICE", use?: Use) => listed("Van", number, "VAN", energy, "local", use);
const electricVan = (number: number) => listed("eVan", number, "VAN", "EV", "local");
const car = (number: number, energy: EnergyType, use?: Use) => listed("Car", number, "CAR", energy, "visits", use);
const trailer = (number: number, tractor: number, use?: Use) =>
  listed("Trailer", number, "TRAILER", "UNDEFINED", "haul", { tractor, ...use });

const UNUSUAL_TRUCKS: Record<number, EnergyType> = { 7: "LNG", 14: "FECV", 18: "CNG" };
const UNUSUAL_VANS: Record<number, EnergyType> = { 4: "LPG", 9: "BI-FUEL", 12: "CNG" };

/** The first fifty vehicles; smaller fleets use the beginning of this list. */
const FIRST_FIFTY: readonly Listing[] = [
  ...Array.from({ length: 20 }, (_, at) => truck(at + 1, UNUSUAL_TRUCKS[at + 1])),
  truck(112),
  truck(121),
  ...Array.from({ length: 14 }, (_, at) => van(at + 1, UNUSUAL_VANS[at + 1])),
  van(15, "ICE", { isPool: true }),
  ...[0, 4, 9, 11, 16].map((tractor, at) => trailer(at + 1, tractor)),
  trailer(6, 19, { isSold: true }),
  ...[1, 2, 3].map(electricVan),
  car(1, "PHEV"),
  car(2, "HEV"),
  car(3, "ICE", { isSold: true }),
  truck(1, "EV", undefined, "eTruck"),
];

const BLOCK = 20;

/** Larger fleets continue in blocks of twenty: nine trucks, six vans, three trailers, an electric van and a car. */
export function listingAt(index: number): Listing {
  const first = FIRST_FIFTY[index];
  if (first) return first;
  const block = Math.floor((index - FIRST_FIFTY.length) / BLOCK);
  const place = (index - FIRST_FIFTY.length) % BLOCK;
  const start = index - place;
  const use = { isSold: place % 6 === 4 && block % 3 === 0, isPool: place === 12 };
  if (place < 9) return truck(200 + block * 9 + place, place === 8 ? "LNG" : "ICE", use);
  if (place < 15) return van(16 + block * 6 + place - 9, place === 14 ? "LPG" : "ICE", use);
  if (place < 18) return trailer(7 + block * 3 + place - 15, start + (place - 15), use);
  if (place === 18) return electricVan(4 + block);
  return car(4 + block, entry<EnergyType>(["HEV", "PHEV", "ICE"], block));
}
