import type { Gazetteer } from "../../src/places/town-index.ts";

/** A town's name, degrees north and east, and thousands of people. */
type Town = readonly [name: string, latitude: number, longitude: number, population: number];

const digits = (value: number) => Math.round(value).toString(36).padStart(3, "0");

/** A gazetteer of few towns, by country, the largest first. */
export const gazetteerOf = (countries: Readonly<Record<string, readonly Town[]>>): Gazetteer =>
  Object.fromEntries(
    Object.entries(countries).map(([country, towns]) => {
      const codes = towns.map(
        ([, latitude, longitude, population]) => digits(100 * (latitude + 90)) + digits(100 * (longitude + 180)) + digits(population),
      );
      return [country, { names: towns.map(([name]) => name).join("|"), codes: codes.join("") }];
    }),
  );
