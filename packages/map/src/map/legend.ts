import { type MapVehicle, stateNames, vehicleStates } from "./map-vehicle.ts";
import { drawMarker } from "./marker-shapes.ts";
import type { Palette } from "./palette.ts";

const SIZE = 20;

/** Explains the markers of the states that are on the map. */
interface Legend {
  element: HTMLElement;
  show: (vehicles: Iterable<MapVehicle>, palette: Palette, hasTrack: boolean) => void;
}

function icon(palette: Palette, marker: Omit<Parameters<typeof drawMarker>[1], "radius">): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const ratio = window.devicePixelRatio || 1;
  canvas.width = canvas.height = SIZE * ratio;
  canvas.setAttribute("aria-hidden", "true");
  const context = canvas.getContext("2d");
  if (context) {
    context.scale(ratio, ratio);
    context.translate(SIZE / 2, SIZE / 2);
    drawMarker(context, { ...marker, radius: 6 }, palette);
  }
  return canvas;
}

export function createLegend(): Legend {
  const element = document.createElement("ul");
  element.className = "fleet-map-legend";
  element.setAttribute("aria-label", "Legend");
  return {
    element,
    show: (vehicles, palette, hasTrack) => {
      const counts = new Map<string, number>();
      for (const { state, isStale } of vehicles) {
        counts.set(state, (counts.get(state) ?? 0) + 1);
        if (isStale) counts.set("stale", (counts.get("stale") ?? 0) + 1);
      }
      const rows = [
        ...vehicleStates.map((state) => ({ count: counts.get(state), marker: { state, heading: 45 }, text: stateNames[state] })),
        { count: counts.get("stale"), marker: { state: "stopped", isStale: true } as const, text: "Old position" },
      ];
      element.replaceChildren(
        ...rows.flatMap(({ count, marker, text }) => {
          if (count === undefined) return [];
          const row = document.createElement("li");
          row.append(icon(palette, marker), `${text} ${count.toLocaleString()}`);
          return [row];
        }),
      );
      if (hasTrack) {
        const row = document.createElement("li");
        row.append("╌ Straight lines between stops, not the road");
        element.append(row);
      }
      element.hidden = element.childElementCount === 0;
    },
  };
}
