import type { Position } from "../fleet/privacy.ts";
import { bearingDegrees, distanceKm, type Point, pointOf } from "./geography.ts";

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
  /** Bearing from the point to the vehicle, in whole degrees clockwise from north. */
  bearing: number;
}

const isMoving = ({ eventType, speed }: Position) => eventType === "driving" || (speed ?? 0) > 0;

/** Returns the matching vehicles, nearest first, and separately those without a known position. */
export function nearestVehicles(positions: readonly Position[], query: NearestQuery): { near: NearVehicle[]; unplaced: Position[] } {
  const { from, except, groupId, moving } = query;
  const energyType = query.energyType?.toLowerCase();
  const near: NearVehicle[] = [];
  const unplaced: Position[] = [];
  for (const position of positions) {
    const fits =
      (except === undefined || position.assetId !== except) &&
      (groupId === undefined || position.assetGroupId === groupId) &&
      (moving === undefined || isMoving(position) === moving) &&
      (energyType === undefined || position.energyType?.toLowerCase() === energyType);
    if (!fits) continue;
    const point = pointOf(position);
    if (point) near.push({ position, km: distanceKm(from, point), bearing: Math.round(bearingDegrees(from, point)) % 360 });
    else unplaced.push(position);
  }
  return { near: near.sort((a, b) => a.km - b.km), unplaced };
}
