import { countries, type Position, towns } from "./base-map.ts";
import { type CanvasView, nearestCopy } from "./canvas-layer.ts";
import type { Palette } from "./marker-shapes.ts";

export const LABEL_FONT = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** The population, in thousands, of the smallest towns labelled at each zoom level; closer views label all. */
const MIN_THOUSANDS = [9e9, 9e9, 9e9, 3000, 1000, 400, 150, 50, 20];
const COUNTRY_ZOOMS = { from: 3, to: 6 };
/** Minimum distance between labels, in pixels. */
const GAP = 6;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const CELL = 64;

/** Keeps labels from overlapping: tracks which parts of the screen are taken. */
export class FreeSpace {
  readonly #cells = new Map<string, Box[]>();

  #cellsOf(box: Box): string[] {
    const cells: string[] = [];
    for (let x = Math.floor(box.left / CELL); x <= Math.floor(box.right / CELL); x++)
      for (let y = Math.floor(box.top / CELL); y <= Math.floor(box.bottom / CELL); y++) cells.push(`${x} ${y}`);
    return cells;
  }

  isFree(box: Box): boolean {
    return this.#cellsOf(box).every((cell) =>
      (this.#cells.get(cell) ?? []).every(
        (other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom,
      ),
    );
  }

  take(box: Box): void {
    for (const cell of this.#cellsOf(box)) {
      const boxes = this.#cells.get(cell);
      if (boxes) boxes.push(box);
      else this.#cells.set(cell, [box]);
    }
  }

  /** Takes the space if it is free. */
  claim(box: Box): boolean {
    const free = this.isFree(box);
    if (free) this.take(box);
    return free;
  }
}

/** Labels the places for which markers leave room, largest first. */
export function drawPlaceLabels(context: CanvasRenderingContext2D, view: CanvasView, space: FreeSpace, palette: Palette): void {
  const { zoom, bounds } = view;
  const [west, south, east, north] = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
  const middle = (west + east) / 2;
  const isVisible = ([longitude, y]: Position) => {
    const x = nearestCopy(longitude, middle);
    return x > west && x < east && y > south && y < north;
  };
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = palette.land;
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
    for (const country of countries) {
      const [longitude, latitude] = country.point;
      if (!isVisible(country.point)) continue;
      const name = country.name.toUpperCase();
      const { x, y } = view.pointOf(latitude, longitude);
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
