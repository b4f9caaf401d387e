import type { AssetType, EnergyType } from "./models.ts";
import { entry } from "./random.ts";
import type { RoundStyle } from "./round-styles.ts";

/** What is set up by hand for a vehicle. */
interface Listing {
  readonly name: string;
  readonly asset: AssetType;
  readonly energy: EnergyType;
  readonly style: RoundStyle;
  /** Index of the truck that pulls this trailer. */
  readonly tractor?: number | undefined;
  readonly isSold?: boolean | undefined;
  readonly isPool?: boolean | undefined;
}

type Use = Pick<Listing, "isSold" | "isPool">;

const HAULS_OF_FIVE = [0, 2, 3];
const DISTRIBUTION: readonly EnergyType[] = ["FECV", "CNG", "EV"];
const truck = (number: number, energy: EnergyType = "ICE", { isSold }: Use = {}, name = "Truck"): Listing => {
  const style = DISTRIBUTION.includes(energy) ? "distribution" : HAULS_OF_FIVE.includes(number % 5) ? "haul" : "regional";
  return { name: `${name} ${number}`, asset: "TRUCK", energy, style, tractor: undefined, isSold, isPool: false };
};
const van = (number: number, energy: EnergyType = "ICE", { isSold, isPool }: Use = {}, name = "Van"): Listing => ({
  name: `${name} ${number}`,
  asset: "VAN",
  energy,
  style: "local",
  tractor: undefined,
  isSold,
  isPool,
});
const car = (number: number, energy: EnergyType, { isSold }: Use = {}): Listing => ({
  name: `Car ${number}`,
  asset: "CAR",
  energy,
  style: "visits",
  tractor: undefined,
  isSold,
  isPool: false,
});
const trailer = (number: number, tractor: number, { isSold }: Use = {}): Listing => ({
  name: `Trailer ${number}`,
  asset: "TRAILER",
  energy: "UNDEFINED",
  style: "haul",
  tractor,
  isSold,
  isPool: false,
});
const electricVan = (number: number): Listing => van(number, "EV", {}, "eVan");

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
  electricVan(1),
  electricVan(2),
  electricVan(3),
  car(1, "PHEV"),
  car(2, "HEV"),
  car(3, "ICE", { isSold: true }),
  truck(1, "EV", {}, "eTruck"),
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
