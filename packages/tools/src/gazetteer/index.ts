import type { Gazetteer, Town } from "../names/town-index.ts";
import { TOWNS_BY_COUNTRY } from "./towns.generated.ts";

const CODE_LENGTH = 9;

const number = (code: string, start: number) => Number.parseInt(code.slice(start, start + 3), 36);

const townOf = (country: string, written: string): Town => ({
  name: written.slice(CODE_LENGTH),
  country,
  latitude: (number(written, 0) - 9_000) / 100,
  longitude: (number(written, 3) - 18_000) / 100,
  population: number(written, 6) * 1000,
});

/**
 * Europe's towns with at least 5,000 people, from GeoNames (CC BY 4.0). Pass `() => import("@fleetwire/tools/gazetteer")` as the option
 * `gazetteer`, so that the list is loaded once a place is asked for that the fleet does not report.
 */
export const gazetteer: Gazetteer = {
  towns: () => Object.entries(TOWNS_BY_COUNTRY).flatMap(([country, towns]) => towns.split("|").map((town) => townOf(country, town))),
};
