import { isHidden, type Position } from "../fleet/position.ts";
import { distanceKm, type Point, pointOf } from "../places/geography.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";

export interface NearestQuery {
  from: Point;
  /** The id of a vehicle to leave out: the one from which distances are measured. */
  except?: string | undefined;
  /** Whether to include a vehicle, wherever it is. */
  includes?: ((position: Position) => boolean) | undefined;
  /** Whether to include a vehicle because of where it is. */
  isThere?: ((position: Position) => boolean) | undefined;
  withinKm?: number | undefined;
}

export interface NearVehicle {
  position: Position;
  /** Straight-line distance. */
  km: number;
}

interface Nearest {
  near: NearVehicle[];
  /** The distance to the nearest vehicle beyond the limit; undefined if there is none. */
  beyondKm: number | undefined;
  /** The vehicles whose whereabouts are unknown: on private journeys, and without a position. */
  hidden: number;
  unlocated: number;
}

/** Returns the matching vehicles with their distances, and counts those with unknown whereabouts, which match no place. */
export async function vehiclesWithDistance(positions: readonly Position[], query: NearestQuery): Promise<Nearest> {
  const { from, except, includes, isThere, withinKm = Number.POSITIVE_INFINITY } = query;
  const near: NearVehicle[] = [];
  let [hidden, unlocated, beyondKm] = [0, 0, Number.POSITIVE_INFINITY];
  await forEachInSlices(positions, (position) => {
    if ((except !== undefined && position.assetId === except) || includes?.(position) === false) return;
    const point = pointOf(position);
    if (isHidden(position)) hidden++;
    else if (isThere?.(position) === false) return;
    else if (!point) unlocated++;
    else {
      const km = distanceKm(from, point);
      if (km <= withinKm) near.push({ position, km });
      else if (km < beyondKm) beyondKm = km;
    }
  });
  return { near, beyondKm: Number.isFinite(beyondKm) ? beyondKm : undefined, hidden, unlocated };
}
