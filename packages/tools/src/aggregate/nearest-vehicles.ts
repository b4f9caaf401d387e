import type { Position } from "../fleet/position.ts";
import { forEachInSlices } from "../time-slices.ts";
import { distanceKm, type Point, pointOf } from "./geography.ts";

export interface NearestQuery {
  from: Point;
  /** The id of a vehicle to leave out: the one from which distances are measured. */
  except?: string | undefined;
  groupId?: string | undefined;
  moving?: boolean | undefined;
  /** Case-insensitive. */
  energyType?: string | undefined;
}

export interface NearVehicle {
  position: Position;
  /** Straight-line distance. */
  km: number;
}

export const isMoving = ({ eventType, speed }: Position) => eventType === "driving" || (speed ?? 0) > 0;

/** Returns the matching vehicles with their distances, and separately those without a known position. */
export async function vehiclesWithDistance(
  positions: readonly Position[],
  query: NearestQuery,
): Promise<{ near: NearVehicle[]; unplaced: Position[] }> {
  const { from, except, groupId, moving } = query;
  const energyType = query.energyType?.toLowerCase();
  const near: NearVehicle[] = [];
  const unplaced: Position[] = [];
  await forEachInSlices(positions, (position) => {
    const fits =
      (except === undefined || position.assetId !== except) &&
      (groupId === undefined || position.assetGroupId === groupId) &&
      (moving === undefined || isMoving(position) === moving) &&
      (energyType === undefined || position.energyType?.toLowerCase() === energyType);
    if (!fits) return;
    const point = pointOf(position);
    if (point) near.push({ position, km: distanceKm(from, point) });
    else unplaced.push(position);
  });
  return { near, unplaced };
}
