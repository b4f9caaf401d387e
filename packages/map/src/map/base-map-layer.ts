import type { Feature, MultiLineString, Polygon } from "geojson";
import GeoJSONVT from "geojson-vt";
import { type Coords, GridLayer } from "leaflet";
import { borders, decodeLines, lakes, land, rivers, towns } from "./base-map.ts";
import type { Palette } from "./marker-shapes.ts";

type Kind = "land" | "lake" | "river" | "border";

/** The data has no more detail: closer views enlarge these tiles. */
const MAX_TILE_ZOOM = 10;
/** The coordinates within a tile. */
const EXTENT = 4096;
/** Towns with fewer people would be too small to see. */
const AREA_THOUSANDS = 20;

type Shape = Feature<Polygon | MultiLineString, { kind: Kind }>;

const polygons = (kind: Kind, texts: readonly string[]): Shape[] =>
  texts.map((text) => ({ type: "Feature", geometry: { type: "Polygon", coordinates: decodeLines(text) }, properties: { kind } }));

const lines = (kind: Kind, text: string): Shape => ({
  type: "Feature",
  geometry: { type: "MultiLineString", coordinates: decodeLines(text) },
  properties: { kind },
});

/** Slices the base map into tiles. */
function baseMapTiles(): GeoJSONVT {
  const features = [...polygons("land", land), lines("river", rivers), ...polygons("lake", lakes), lines("border", borders)];
  // Tiles are sliced when first shown: slicing whole levels up front would delay startup.
  const options = { maxZoom: MAX_TILE_ZOOM, indexMaxPoints: Number.POSITIVE_INFINITY, extent: EXTENT, tolerance: 4, buffer: 128 };
  return new GeoJSONVT({ type: "FeatureCollection", features }, options);
}

/** The circumference of the earth. */
const EARTH_KM = 40_075;
const AREA_KM = 0.16;
const INK_ORDER: readonly Kind[] = ["land", "lake", "river", "border"];

/** Draws land, water, borders and towns, tile by tile, so that panning draws only what is new. */
export class BaseMapLayer extends GridLayer {
  readonly #tiles = baseMapTiles();
  #palette: Palette;

  constructor(palette: Palette) {
    super({ attribution: "Natural Earth · GeoNames (CC BY 4.0)", updateWhenIdle: false, keepBuffer: 1 });
    this.#palette = palette;
  }

  setPalette(palette: Palette): void {
    this.#palette = palette;
    this.redraw();
  }

  protected override createTile(coords: Coords): HTMLElement {
    const { x, y, z } = coords;
    const canvas = document.createElement("canvas");
    const size = this.getTileSize().x;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = canvas.height = size * ratio;
    const context = canvas.getContext("2d");
    if (!context) return canvas;
    context.fillStyle = this.#palette.water;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const depth = Math.max(0, z - MAX_TILE_ZOOM);
    const parts = 2 ** depth;
    const features = this.#tiles.getTile(z - depth, Math.floor(x / parts), Math.floor(y / parts))?.features ?? [];
    const scale = ((size * ratio) / EXTENT) * parts;
    for (const kind of INK_ORDER) {
      context.setTransform(scale, 0, 0, scale, -(x % parts) * size * ratio, -(y % parts) * size * ratio);
      for (const { tags, type, geometry } of features)
        if (type !== 1 && tags?.["kind"] === kind) this.#drawLines(context, kind, geometry, ratio / scale, z);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (kind === "land") this.#drawTowns(context, coords, size);
    }
    return canvas;
  }

  /** Draws the approximate built-up area of each town: a disc whose area depends on its population. */
  #drawTowns(context: CanvasRenderingContext2D, { x, y, z }: Coords, size: number): void {
    const width = size * 2 ** z;
    context.fillStyle = this.#palette.town;
    for (const { point, thousands } of towns) {
      const latitude = (point[1] * Math.PI) / 180;
      const radius = (AREA_KM * Math.sqrt(thousands) * width) / (EARTH_KM * Math.cos(latitude));
      if (thousands < AREA_THOUSANDS || radius < 0.4) break;
      const left = (point[0] / 360 + 0.5) * width - x * size;
      const top = (0.5 - Math.asinh(Math.tan(latitude)) / (2 * Math.PI)) * width - y * size;
      if (left < -radius || left > size + radius || top < -radius || top > size + radius) continue;
      context.beginPath();
      context.arc(left, top, radius, 0, 2 * Math.PI);
      context.fill();
    }
  }

  #drawLines(
    context: CanvasRenderingContext2D,
    kind: Kind,
    geometry: readonly (readonly (readonly [number, number])[])[],
    pixel: number,
    zoom: number,
  ): void {
    const palette = this.#palette;
    context.beginPath();
    for (const line of geometry)
      for (const [at, [x, y]] of line.entries())
        if (at === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
    context.lineJoin = "round";
    context.setLineDash([]);
    if (kind === "land" || kind === "lake") {
      context.fillStyle = kind === "land" ? palette.land : palette.water;
      context.fill("evenodd");
      context.strokeStyle = palette.coast;
      context.lineWidth = 0.8 * pixel;
    } else if (kind === "river") {
      context.strokeStyle = palette.river;
      context.lineWidth = (zoom < 5 ? 0.8 : zoom < 8 ? 1.4 : 2.4) * pixel;
    } else {
      context.strokeStyle = palette.border;
      context.lineWidth = (zoom < 6 ? 0.9 : 1.4) * pixel;
      if (zoom >= 5) context.setLineDash([6 * pixel, 2.5 * pixel]);
    }
    context.stroke();
  }
}
