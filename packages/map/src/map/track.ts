import type { CanvasView } from "./canvas-layer.ts";
import type { Palette } from "./palette.ts";

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
