import type { Position } from "../fleet/position.ts";
import { meaning, withoutFillers } from "../names/word-meanings.ts";
import { singleLine } from "../text/clip-values.ts";
import { compact } from "../text/spelling.ts";

/** Energy types by the words for them, in ten languages, without accents. */
const ENERGY_WORDS: readonly [types: readonly string[], words: string][] = [
  [
    ["EV"],
    "ev evs bev electric electrical elektro elektrisch elektrische elektrischer electrique electrico electrica elettrico elettrica eletrico eletrica elektryczny elektricky el",
  ],
  [["PHEV"], "phev plugin"],
  [["HEV", "PHEV"], "hybrid hybride hibrido hibrida ibrido ibrida hybryda hybrydowy hybridni"],
  [
    ["FECV"],
    "fecv fcev hydrogen wasserstoff hydrogene hidrogeno idrogeno hidrogenio waterstof wodor wodorowy vodik vodikovy vatgas fuelcell",
  ],
  [["CNG", "LNG", "LPG"], "gas gaz"],
];

const FUEL_WORDS: readonly [type: string, words: string][] = [
  ["DIESEL", "diesel gasoil gasolio gazole nafta"],
  ["PETROL", "petrol gasoline benzin essence gasolina benzina benzine benzyna bensin"],
];

const split = <Type>(rows: readonly [Type, string][]) =>
  new Map(rows.flatMap(([types, words]) => words.split(" ").map((word): [string, Type] => [word, types])));
const energyTypes = split(ENERGY_WORDS);
const fuelTypes = split(FUEL_WORDS);

type Test = (position: Position) => boolean;

const hasEnergy =
  (types: readonly string[]): Test =>
  ({ energyType }) =>
    energyType !== undefined && types.includes(energyType.toUpperCase());

const isLabel =
  (text: string): Test =>
  ({ assetType, energyType }) =>
    (assetType !== undefined && compact(assetType) === text) || (energyType !== undefined && compact(energyType) === text);

/** The test for one word, such as van, evan, hybrid, diesel or LNG. */
function testOf(word: string): Test {
  const types = energyTypes.get(word);
  if (types) return hasEnergy(types);
  const fuel = fuelTypes.get(word);
  if (fuel !== undefined) return ({ fuelType }) => fuelType?.some((type) => type.toUpperCase() === fuel) ?? false;
  const kind = meaning(word);
  const isElectric = /^e(?:truck|van|car)$/.test(kind);
  const plain = isElectric ? kind.slice(1) : kind;
  const isNamed = isLabel(word);
  return (position) => {
    const isKind = position.assetType !== undefined && meaning(compact(position.assetType)) === plain;
    return isNamed(position) || (isKind && (!isElectric || hasEnergy(["EV"])(position)));
  };
}

/** Whether a vehicle is a trailer, which takes no job by itself. */
export const isTrailer: Test = ({ assetType }) => assetType !== undefined && meaning(compact(assetType)) === "trailer";

/**
 * Returns a test for vehicles of a type, an energy type, a fuel or several of these, in everyday words or in the service's labels: "van",
 * "LKW", "EV", "electric trucks".
 */
export function vehicleKind(text: string): Test {
  const isNamed = isLabel(compact(text));
  const tests = withoutFillers(text.replace(/(?<!\p{L})e-(?=\p{L})/giu, "e")).map(testOf);
  // A fleet has few combinations of these fields.
  const known = new Map<string, boolean>();
  return (position) => {
    const key = [position.assetType, position.energyType, ...(position.fuelType ?? [])].join("|");
    const is = known.get(key) ?? (isNamed(position) || (tests.length > 0 && tests.every((test) => test(position))));
    known.set(key, is);
    return is;
  };
}

/** Returns the labels of types, energy or fuel that a word means in one of the languages: EV for electric, TRUCK for LKW. */
export function labelsMeaning(text: string, labels: readonly string[]): string[] {
  const [word = "", ...more] = withoutFillers(text);
  if (more.length > 0) return [];
  const known = new Set([...(energyTypes.get(word) ?? []), ...[fuelTypes.get(word) ?? []].flat()]);
  const kind = meaning(word);
  return labels.filter((label) => known.has(label.toUpperCase()) || meaning(compact(label)) === kind);
}

const MAX_KINDS_NAMED = 8;

/** Counts the kinds that exist: "types: TRUCK 30, VAN 20; energy: ICE 40, EV 10". */
export function kindsIn(positions: readonly Position[]): string {
  const counted = (of: (position: Position) => string | undefined) => {
    const counts = new Map<string, number>();
    for (const position of positions) {
      const label = of(position);
      if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1);
    }
    const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_KINDS_NAMED);
    return most.map(([label, count]) => `${singleLine(label, 24)} ${count}`).join(", ");
  };
  return `types: ${counted(({ assetType }) => assetType) || "none"}; energy: ${counted(({ energyType }) => energyType) || "none"}`;
}
