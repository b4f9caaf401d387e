import { distanceKm, type Point } from "@fleetwire/core/internal";

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
