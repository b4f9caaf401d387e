import { NameIndex } from "../names/name-index.ts";
import { type Point, pointOf } from "../places/geography.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import type { Location } from "./fleet-names.ts";
import { VEHICLES_AND_LOCATIONS } from "./fleet-naming.ts";
import type { Position } from "./position.ts";

/** How many locations are kept, and how many points of each: a few megabytes. */
const MAX_SEEN = 10_000;
const MAX_POINTS = 16;
/** Points nearer than this, in degrees, tell the same. */
const SAME_POINT = 0.0005;

const isSame = (a: Point, b: Point) => Math.abs(a.latitude - b.latitude) < SAME_POINT && Math.abs(a.longitude - b.longitude) < SAME_POINT;

/**
 * The locations in whose geo-fences vehicles were while this process ran, as live positions gave them to this caller: the interface lists no locations, and one
 * that its last vehicle has left is in no live position.
 */
export class SeenLocations {
  readonly #seen = new Map<string, { name: string; points: Point[] }>();

  see(position: Position): void {
    const { locationId, locationName } = position;
    const point = locationName ? pointOf(position) : undefined;
    if (!locationName || !point) return;
    const key = locationId ?? locationName;
    const points = this.#seen.get(key)?.points ?? [];
    if (!points.some((one) => isSame(one, point))) points.push(point);
    if (points.length > MAX_POINTS) points.shift();
    // Where a vehicle was last is kept longest.
    this.#seen.delete(key);
    this.#seen.set(key, { name: locationName, points });
    const [first] = this.#seen.keys();
    if (this.#seen.size > MAX_SEEN && first !== undefined) this.#seen.delete(first);
  }

  /** Where vehicles were in a location. */
  pointsIn(id: string): readonly Point[] {
    return this.#seen.get(id)?.points ?? [];
  }

  /** Those in which no vehicle is now, by their names. */
  async without(present: NameIndex<Position | Location>): Promise<NameIndex<Position | Location>> {
    const index = new NameIndex(VEHICLES_AND_LOCATIONS.naming);
    await forEachInSlices(this.#seen, ([id, { name }]) => {
      if (!present.get(`location ${id}`)) index.set(`location ${id}`, { id, name, inside: [] });
    });
    return index;
  }
}
