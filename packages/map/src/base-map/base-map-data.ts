/** The base map as shipped: lines, rings and points as text for {@link decodeLines}. */
export interface BaseMapData {
  /** Polygons, each a list of rings. */
  land: readonly string[];
  lakes: readonly string[];
  borders: string;
  rivers: string;
  /** Names of countries, separated by "|", and the positions of their labels as one line. */
  countries: { names: string; points: string };
  /** Towns, largest first: names separated by "|", positions as one line, and populations in thousands separated by ",". */
  towns: { names: string; points: string; thousands: string };
}

/** A point in degrees: east, north. */
export type Position = [longitude: number, latitude: number];

/** Points per degree: an accuracy of about 100 m. */
const SCALE = 1000;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SEPARATOR = ";";

/** Encodes a number in five-bit digits, lowest first; the sixth bit says that more follow. */
function encodeNumber(value: number): string {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  let text = "";
  while (rest >= 32) {
    text += DIGITS[32 + (rest % 32)];
    rest = Math.floor(rest / 32);
  }
  return text + DIGITS[rest];
}

/** Encodes lines as differences from point to point. */
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

/** Decodes what {@link encodeLines} returns. */
export const decodeLines = (text: string): Position[][] => (text === "" ? [] : text.split(SEPARATOR).map(decodeLine));
