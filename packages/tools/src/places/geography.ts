import { distanceKm, type Point } from "@fleetwire/core/internal";
import { fold, rawWords } from "../text/spelling.ts";

export { bearingDegrees, distanceKm, type Point } from "@fleetwire/core/internal";

const TOGETHER_KM = 5;
const MAX_COMPARED = 64;

/** Returns the points around the one that is nearest to all others, without the few that lie elsewhere. Compares a sample of them. */
export function pointsTogether(points: readonly Point[]): Point[] {
  const sample = points.filter((_, at) => at % Math.ceil(points.length / MAX_COMPARED) === 0);
  const sums = sample.map((point) => sample.reduce((sum, other) => sum + distanceKm(point, other), 0));
  const nearest = sample[sums.indexOf(Math.min(...sums))];
  return nearest ? points.filter((point) => distanceKm(nearest, point) <= TOGETHER_KM) : [];
}

/** Returns the center of points that lie close together, even if they are on both sides of the date line. */
export function middleOf(points: readonly Point[]): Point | undefined {
  const [first] = points;
  if (!first) return undefined;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const turned = points.map(({ longitude }) => ((longitude - first.longitude + 540) % 360) - 180);
  const longitude = first.longitude + mean(turned);
  return { latitude: mean(points.map(({ latitude }) => latitude)), longitude: ((longitude + 540) % 360) - 180 };
}

/** Returns a point, or undefined if a coordinate is unknown. */
export function pointOf({ latitude, longitude }: { latitude?: number | undefined; longitude?: number | undefined }): Point | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

const CODES = (
  "AD AL AM AT AX AZ BA BE BG BY CH CY CZ DE DK DZ EE EG ES FI FO FR GB GE GG GI GR HR HU IE IL IM IR IS IT JE JO KG KZ LB LI LT LU LV LY MA MC MD ME MK MT " +
  "NL NO PL PT RO RS RU SE SI SK SM SY TJ TM TN TR UA UZ VA XK AE AR AU BR CA CL CN CO IN JP KR MX NZ SA SG TH US ZA"
).split(" ");

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sv"];

/** Names that Intl does not know, by country. */
const MORE: Readonly<Record<string, string>> = {
  CZ: "Czech Republic,Tschechische Republik,République tchèque,República Checa,Repubblica Ceca,Tsjechische Republiek,Česká republika",
  GB: "UK,Great Britain,Britain,Großbritannien,Grande-Bretagne,Gran Bretaña,Gran Bretagna,Grã-Bretanha,Groot-Brittannië,Wielka Brytania,Velká Británie,Storbritannien",
  NL: "Holland,Hollande,Holanda,Olanda,The Netherlands",
  US: "USA,United States of America",
  RU: "Russian Federation",
  SK: "Slovak Republic",
  TR: "Turkey",
  MK: "Macedonia",
};

const keyOf = (text: string) => rawWords(fold(text)).join(" ");

/** The codes by name, in the languages read so far. Most services write English, so the others are rarely read. */
const byName = new Map(Object.entries(MORE).flatMap(([code, names]) => names.split(",").map((name) => [keyOf(name), code])));
const unread = [...LANGUAGES];

function readNames(language: string): void {
  const namer = new Intl.DisplayNames([language], { type: "region" });
  for (const code of CODES) byName.set(keyOf(namer.of(code) ?? code), code);
}

/** Returns the ISO 3166 code of a country, given by name in one of ten languages or by its code; undefined for anything else. */
export function countryCodeOf(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (CODES.includes(code)) return code;
  const key = keyOf(text);
  while (!byName.has(key)) {
    const language = unread.shift();
    if (language === undefined) return undefined;
    readNames(language);
  }
  return byName.get(key);
}

let english: Intl.DisplayNames | undefined;

/** Returns the English name of the country with an ISO 3166 code; other texts are returned unchanged. */
export function countryNameOf(code: string): string {
  english ??= new Intl.DisplayNames(["en"], { type: "region" });
  return CODES.includes(code) ? (english.of(code) ?? code) : code;
}

/** The name of a town with its country, if that is known. */
export const townLabel = (name: string, country: string | undefined): string =>
  country === undefined ? name : `${name}, ${countryNameOf(country)}`;
