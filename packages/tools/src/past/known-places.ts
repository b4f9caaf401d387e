import { isLocation, type Location } from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { bearingDegrees, distanceKm, middleOf, type Point, pointOf, pointsTogether } from "../places/geography.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { singleLine } from "../text/clip-values.ts";
import { compassPoint } from "../text/time.ts";

/** A geo-fenced location, as far as vehicles inside it have shown where it is. */
interface Fence {
  name: string;
  center: Point;
  /** In km: how far from the center vehicles have reported it. */
  radius: number;
  /** Whether no vehicle is in it now. */
  isEarlier: boolean;
}

/** The smallest fence, in km: a yard. */
const MIN_RADIUS = 0.3;
const MAX_RADIUS = 2;
const NAME_LENGTH = 40;
/** This near, in km, is in a town. */
const IN_TOWN = 3;

/** The degrees of a cell in which fences are looked up; no fence is larger. */
const CELL = 0.05;

const cellsAround = ({ latitude, longitude }: Point): string[] => {
  const [row, column] = [Math.floor(latitude / CELL), Math.floor(longitude / CELL)];
  return [-1, 0, 1].flatMap((dRow) => [-1, 0, 1].map((dColumn) => `${row + dRow},${column + dColumn}`));
};

/** Returns the locations in which vehicles are now, or were while this process ran: the interface does not state where locations are. */
async function fencesIn(fleet: FleetView): Promise<Fence[]> {
  const fences: Fence[] = [];
  const add = ([, { value }]: readonly [unknown, { value: Position | Location }]) => {
    if (!isLocation(value)) return;
    const here = value.inside.flatMap((position) => pointOf(position) ?? []);
    const together = pointsTogether([...here, ...fleet.seenLocations.pointsIn(value.id)]);
    const center = middleOf(together);
    if (!center) return;
    const reach = together.reduce((far, point) => Math.max(far, distanceKm(center, point)), 0) + 0.1;
    fences.push({
      name: singleLine(value.name, NAME_LENGTH),
      center,
      radius: Math.min(MAX_RADIUS, Math.max(MIN_RADIUS, reach)),
      isEarlier: value.inside.length === 0,
    });
  };
  await forEachInSlices((await fleet.vehiclesAndLocations()).keyed(), add);
  await forEachInSlices((await fleet.leftLocations()).keyed(), add);
  return fences;
}

/** Names points by what is known of them. */
export interface KnownPlaces {
  /** The location in which vehicles report that they are, otherwise the nearest town, otherwise coordinates; never an address. */
  nameOf: (point: Point) => string;
  /** Returns the fence that contains a point. */
  fenceAt: (point: Point) => Fence | undefined;
  /** Says how the locations among the names of these points are known. */
  howKnown: (points: readonly (Point | undefined)[]) => string[];
}

const cached = Symbol("known places");

export function knownPlaces(fleet: FleetView, context: FleetContext): Promise<KnownPlaces> {
  return fleet.once(cached, async () => {
    const [fences, towns] = [await fencesIn(fleet), await context.towns()];
    const byCell = new Map<string, Fence[]>();
    for (const fence of fences) for (const cell of cellsAround(fence.center)) byCell.set(cell, [...(byCell.get(cell) ?? []), fence]);
    const fenceAt = (point: Point) => {
      const cell = `${Math.floor(point.latitude / CELL)},${Math.floor(point.longitude / CELL)}`;
      const around = (byCell.get(cell) ?? []).map((fence) => ({ fence, km: distanceKm(fence.center, point) }));
      return around.filter(({ fence, km }) => km <= fence.radius).sort((a, b) => a.km - b.km)[0]?.fence;
    };
    const nameOf = (point: Point) => {
      const fence = fenceAt(point);
      if (fence) return fence.name;
      const near = towns?.nearest(point);
      if (!near) return `${point.latitude.toFixed(3)}, ${point.longitude.toFixed(3)}`;
      const label = `${near.town.name}, ${near.town.country}`;
      if (near.km <= IN_TOWN) return label;
      return `${Math.round(near.km)} km ${compassPoint(bearingDegrees(near.town, point))} of ${label}`;
    };
    const names = new Map<string, string>();
    return {
      nameOf: (point) => {
        const key = `${point.latitude.toFixed(3)},${point.longitude.toFixed(3)}`;
        const name = names.get(key) ?? nameOf(point);
        if (names.size < 50_000) names.set(key, name);
        return name;
      },
      fenceAt,
      howKnown: (points) => {
        const used = points.flatMap((point) => (point && fenceAt(point)) || []);
        if (used.length === 0) return [];
        return [
          `Locations: where vehicles report them now${used.some(({ isEarlier }) => isEarlier) ? ", or did since this server started" : ""}.`,
        ];
      },
    };
  });
}
