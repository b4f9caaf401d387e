interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Degrees; `east` is beyond 180 if the box extends over the date line. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Returns the longitude of the same place, in that copy of the world in which it is nearest to another longitude. */
export const nearestCopy = (longitude: number, to: number): number => longitude + 360 * Math.round((to - longitude) / 360);

/** Returns the smallest box around places: its ends are on either side of the widest gap between them. */
export function boxAround(places: readonly Place[]): Box | undefined {
  const longitudes = places.map(({ longitude }) => longitude).sort((a, b) => a - b);
  const [first, last] = [longitudes[0], longitudes.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  let [south, north] = [90, -90];
  for (const { latitude } of places) [south, north] = [Math.min(south, latitude), Math.max(north, latitude)];
  let [west, east, widest] = [first, last, first + 360 - last];
  for (const [at, longitude] of longitudes.entries()) {
    const before = longitudes[at - 1];
    if (before === undefined || longitude - before <= widest) continue;
    [west, east, widest] = [longitude, before + 360, longitude - before];
  }
  return { west, south, east, north };
}

/** Returns a line without jumps from one end of the world to the other. A ring around a pole is closed along it. */
export function withoutJumps(line: readonly (readonly [number, number])[]): [number, number][] {
  let before = line[0]?.[0] ?? 0;
  const continuous = line.map(([longitude, latitude]): [number, number] => {
    before = nearestCopy(longitude, before);
    return [before, latitude];
  });
  const [start, end] = [continuous[0], continuous.at(-1)];
  if (!start || !end || line.length < 4 || Math.abs(end[0] - start[0]) < 359) return continuous;
  const pole = start[1] < 0 ? -90 : 90;
  return [...continuous, [end[0], pole], [start[0], pole], start];
}
