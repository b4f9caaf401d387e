import { baseMapData } from "../base-map/base-map.generated.ts";
import { decodeLines, type Position } from "../base-map/base-map-data.ts";
import type { Town } from "./base-map-layer.ts";
import type { CanvasView } from "./canvas-layer.ts";
import { nearestCopy } from "./date-line.ts";
import type { FreeSpace } from "./free-space.ts";
import type { Palette } from "./palette.ts";

export const LABEL_FONT = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** The population, in thousands, of the smallest towns labelled at each zoom level; closer views label all. */
const MIN_THOUSANDS = [9e9, 9e9, 9e9, 3000, 1000, 400, 150, 50, 20];
const COUNTRY_ZOOMS = { from: 3, to: 6 };
/** Minimum distance between labels, in pixels. */
const GAP = 6;

const { names, points } = baseMapData.countries;
const countryPoints = decodeLines(points)[0] ?? [];
const countries = names.split("|").map((name, at) => ({ name: name.toUpperCase(), point: countryPoints[at] as Position }));

/** Labels the places for which markers leave room, largest first. */
export function drawPlaceLabels(
  context: CanvasRenderingContext2D,
  view: CanvasView,
  towns: readonly Town[],
  space: FreeSpace,
  palette: Palette,
) {
  const { zoom, bounds } = view;
  const [west, south, east, north] = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
  const middle = (west + east) / 2;
  const isVisible = ([longitude, y]: Position) => {
    const x = nearestCopy(longitude, middle);
    return x > west && x < east && y > south && y < north;
  };
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = palette.waterHalo;
  context.textBaseline = "middle";
  const write = (text: string, x: number, y: number) => {
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  };

  if (zoom >= COUNTRY_ZOOMS.from && zoom <= COUNTRY_ZOOMS.to) {
    context.fillStyle = palette.countryLabel;
    context.textAlign = "center";
    context.font = `600 ${zoom < 5 ? 10 : 12}px ${LABEL_FONT}`;
    context.letterSpacing = "1.5px";
    for (const { name, point } of countries) {
      if (!isVisible(point)) continue;
      const { x, y } = view.pointOf(point[1], point[0]);
      const half = context.measureText(name).width / 2;
      if (space.claim({ left: x - half, right: x + half, top: y - 8, bottom: y + 8 })) write(name, x, y);
    }
    context.letterSpacing = "0px";
  }

  context.textAlign = "left";
  const least = MIN_THOUSANDS[Math.floor(zoom)] ?? 0;
  for (const { name, point, thousands } of towns) {
    if (thousands < least) break;
    if (!isVisible(point)) continue;
    const { x, y } = view.pointOf(point[1], point[0]);
    const size = thousands >= 1000 ? 14 : thousands >= 200 ? 13 : thousands >= 50 ? 12 : 11;
    context.font = `${thousands >= 500 ? "600 " : ""}${size}px ${LABEL_FONT}`;
    const width = context.measureText(name).width;
    const left = [x + 6, x - 6 - width, x - width / 2].find((start, at) => {
      const middle = at === 2 ? y - size : y;
      return space.claim({ left: start - GAP, right: start + width + GAP, top: middle - size / 2 - 2, bottom: middle + size / 2 + 2 });
    });
    if (left === undefined) continue;
    context.fillStyle = palette.townLabel;
    context.beginPath();
    context.arc(x, y, thousands >= 500 ? 2.6 : 1.9, 0, 2 * Math.PI);
    context.stroke();
    context.fill();
    write(name, left, left > x || left + width < x ? y : y - size);
  }
}
