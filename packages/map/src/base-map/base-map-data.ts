/** The base map as it is shipped: lines, rings and points as text, which {@link decodeLines} reads. */
export interface BaseMapData {
  /** Polygons, each a list of rings. */
  land: readonly string[];
  lakes: readonly string[];
  borders: string;
  rivers: string;
  /** Names of countries, separated by "|", and the points for their labels as one line. */
  countries: { names: string; points: string };
  /** Towns, the largest first: names, separated by "|", the points as one line, and thousands of people, separated by ",". */
  towns: { names: string; points: string; thousands: string };
}

/** A point in degrees: east, north. */
export type Position = [longitude: number, latitude: number];

/** Points per degree: an accuracy of about 100 m. */
const SCALE = 1000;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SEPARATOR = ";";

/** Writes a number in digits of five bits, the lowest first; the sixth bit says that more follow. */
function encodeNumber(value: number): string {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  let text = "";
  while (rest >= 32) {
    text += DIGITS[32 + (rest % 32)];
    rest = Math.floor(rest / 32);
  }
  return text + DIGITS[rest];
}

/** Writes lines as differences from point to point. */
export function encodeLines(lines: readonly (readonly Position[])[]): string {
  return lines
    .map((line) => {
      let last: Position = [0, 0];
      return line
        .map(([longitude, latitude]) => {
          const point: Position = [Math.round(longitude * SCALE), Math.round(latitude * SCALE)];
          const [east, north] = [point[0] - last[0], point[1] - last[1]];
          last = point;
          return encodeNumber(east) + encodeNumber(north);
        })
        .join("");
    })
    .join(SEPARATOR);
}

const digitValues = new Map([...DIGITS].map((digit, value) => [digit.charCodeAt(0), value]));

function decodeLine(text: string): Position[] {
  const points: Position[] = [];
  let at = 0;
  const next = () => {
    let [value, factor] = [0, 1];
    for (;;) {
      const digit = digitValues.get(text.charCodeAt(at++)) ?? 0;
      value += (digit % 32) * factor;
      if (digit < 32) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      factor *= 32;
    }
  };
  let [east, north] = [0, 0];
  while (at < text.length) {
    east += next();
    north += next();
    points.push([east / SCALE, north / SCALE]);
  }
  return points;
}

/** Reads what {@link encodeLines} wrote. */
export const decodeLines = (text: string): Position[][] => (text === "" ? [] : text.split(SEPARATOR).map(decodeLine));
