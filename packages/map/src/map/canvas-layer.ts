import {
  Bounds,
  DomUtil,
  type LatLng,
  type LatLngBounds,
  Layer,
  type LeafletEventHandlerFn,
  type Map as LeafletMap,
  type Point,
  type ZoomAnimEvent,
} from "leaflet";
import type { Palette } from "./marker-shapes.ts";

/** Returns the longitude of the same place, in that copy of the world in which it is nearest to another longitude. */
export const nearestCopy = (longitude: number, to: number): number => longitude + 360 * Math.round((to - longitude) / 360);

/** The part of the map that a canvas covers. */
export interface CanvasView {
  zoom: number;
  bounds: LatLngBounds;
  /** In pixels. */
  width: number;
  height: number;
  /** The visible part of the canvas; the rest is there for panning. */
  visible: Bounds;
  /** Pixels on the canvas, in the copy of the world nearest to the middle. */
  pointOf: (latitude: number, longitude: number) => Point;
}

/** How far the canvas extends beyond each side of the window, as a fraction of the window: panning shows this margin before the next redraw. */
const PADDING = 0.4;

/** A canvas that moves with the map, and is redrawn when the map stops moving or moves beyond what is drawn. */
export class CanvasLayer extends Layer {
  readonly #paint: (context: CanvasRenderingContext2D, view: CanvasView) => void;
  readonly #canvas = DomUtil.create("canvas", "leaflet-zoom-animated");
  #origin: LatLng | undefined;
  #zoom = 0;
  #frame = 0;
  #drawn: Bounds | undefined;

  constructor(paint: (context: CanvasRenderingContext2D, view: CanvasView) => void) {
    super();
    this.#paint = paint;
    this.#canvas.style.pointerEvents = "none";
    this.#canvas.setAttribute("aria-hidden", "true");
  }

  override onAdd(map: LeafletMap): this {
    map.getPane("overlayPane")?.append(this.#canvas);
    this.redraw();
    return this;
  }

  override onRemove(): this {
    cancelAnimationFrame(this.#frame);
    this.#canvas.remove();
    return this;
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      moveend: () => this.redraw(),
      resize: () => this.redraw(),
      viewreset: () => this.redraw(),
      move: () => this.#redrawIfLeft(),
      zoomanim: (event) => this.#scale(event as ZoomAnimEvent),
    };
  }

  /** Redraws in the next frame. */
  draw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.redraw());
  }

  redraw(): void {
    cancelAnimationFrame(this.#frame);
    const map = this._map;
    if (!map) return;
    const size = map.getSize();
    const padding = size.multiplyBy(PADDING).round();
    const corner = map.containerPointToLayerPoint(padding.multiplyBy(-1)).round();
    const whole = size.add(padding.multiplyBy(2));
    const ratio = window.devicePixelRatio || 1;
    this.#canvas.width = whole.x * ratio;
    this.#canvas.height = whole.y * ratio;
    this.#canvas.style.width = `${whole.x}px`;
    this.#canvas.style.height = `${whole.y}px`;
    DomUtil.setTransform(this.#canvas, corner, 1);
    this.#origin = map.layerPointToLatLng(corner);
    this.#zoom = map.getZoom();
    this.#drawn = new Bounds(corner, corner.add(whole));
    const context = this.#canvas.getContext("2d");
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const [northWest, southEast] = [map.layerPointToLatLng(corner), map.layerPointToLatLng(corner.add(whole))];
    const middle = map.getCenter().lng;
    this.#paint(context, {
      zoom: this.#zoom,
      bounds: map.getBounds().extend(northWest).extend(southEast),
      width: whole.x,
      height: whole.y,
      visible: new Bounds(padding, padding.add(size)),
      pointOf: (latitude, longitude) => map.latLngToLayerPoint([latitude, nearestCopy(longitude, middle)]).subtract(corner),
    });
  }

  #redrawIfLeft(): void {
    const map = this._map;
    if (map.getZoom() !== this.#zoom) return;
    const corner = map.containerPointToLayerPoint([0, 0]);
    if (!this.#drawn?.contains(new Bounds(corner, corner.add(map.getSize())))) this.draw();
  }

  #scale({ center, zoom }: ZoomAnimEvent): void {
    const map = this._map;
    if (!this.#origin) return;
    const pane = map.getPane("mapPane");
    const panned = pane ? DomUtil.getPosition(pane) : map.getSize().multiplyBy(0);
    const newOrigin = map.project(center, zoom).subtract(map.getSize().divideBy(2)).add(panned).round();
    DomUtil.setTransform(this.#canvas, map.project(this.#origin, zoom).subtract(newOrigin), map.getZoomScale(zoom, this.#zoom));
  }
}

/** A place where a vehicle stood, or where a trip began or ended; undefined where the place is not known. */
export type TrackPoint = { latitude: number; longitude: number } | undefined;

const DASH = [7, 6];
const LINE_WIDTH = 2.5;
const STOP_RADIUS = 4;

/** Straight, so nobody takes it for the road. */
export function drawTrack(context: CanvasRenderingContext2D, view: CanvasView, track: readonly TrackPoint[], palette: Palette): void {
  context.save();
  context.strokeStyle = palette.selection;
  context.lineWidth = LINE_WIDTH;
  context.setLineDash(DASH);
  context.beginPath();
  track.forEach((point, at) => {
    const before = track[at - 1];
    if (!point || !before || Math.abs(point.longitude - before.longitude) > 180) return;
    const [from, to] = [view.pointOf(before.latitude, before.longitude), view.pointOf(point.latitude, point.longitude)];
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
  });
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = palette.halo;
  for (const point of track) {
    if (!point) continue;
    const { x, y } = view.pointOf(point.latitude, point.longitude);
    context.beginPath();
    context.arc(x, y, STOP_RADIUS, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
  context.restore();
}
