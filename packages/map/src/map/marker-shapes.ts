import { type MapVehicle, stateNames, type VehicleState, vehicleStates } from "./map-vehicle.ts";

/** The state colours are based on the palette of Okabe and Ito, which colour-blind people can distinguish, adjusted for contrast on each background. */
export const palettes = {
  light: {
    water: "#bcd9ea",
    land: "#f6f3ec",
    town: "#e4ddd0",
    coast: "#8fb4c9",
    river: "#a3cbe2",
    border: "#a796b5",
    countryLabel: "#7d6f8c",
    townLabel: "#4b4a48",
    /** Behind labels and around markers. */
    halo: "#ffffff",
    vehicleLabel: "#10202c",
    selection: "#d6006c",
    states: { driving: "#00805f", idling: "#e08a00", stopped: "#56606b", charging: "#0a6ebd", other: "#a4508b" },
  },
  dark: {
    water: "#101a24",
    land: "#222d38",
    town: "#31404e",
    coast: "#3b5468",
    river: "#2a4a61",
    border: "#6d6680",
    countryLabel: "#9a91ad",
    townLabel: "#b4bcc4",
    halo: "#0c141c",
    vehicleLabel: "#f4f7fa",
    selection: "#ff5fae",
    states: { driving: "#1fcf9d", idling: "#ffb432", stopped: "#9aa7b4", charging: "#5ab8f7", other: "#d98cc2" },
  },
};

export type Theme = keyof typeof palettes;
export type Palette = (typeof palettes)[Theme];

type Context = CanvasRenderingContext2D;

function polygon(context: Context, points: readonly (readonly [x: number, y: number])[]): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.closePath();
}

const ARROW = [
  [0, -1.3],
  [0.95, 1],
  [0, 0.5],
  [-0.95, 1],
] as const;
const DIAMOND = [
  [0, -1.15],
  [1.15, 0],
  [0, 1.15],
  [-1.15, 0],
] as const;
const BOLT = [
  [0.15, -0.75],
  [-0.45, 0.12],
  [-0.05, 0.12],
  [-0.15, 0.75],
  [0.45, -0.12],
  [0.05, -0.12],
] as const;

/** The outline of each state's marker, with a radius of 1: states differ in shape, not only in colour. */
const outlines: Readonly<Record<VehicleState, (context: Context) => void>> = {
  driving: (context) => polygon(context, ARROW),
  idling: (context) => {
    context.beginPath();
    context.arc(0, 0, 1, 0, 2 * Math.PI);
  },
  stopped: (context) => {
    context.beginPath();
    context.roundRect(-0.9, -0.9, 1.8, 1.8, 0.35);
  },
  charging: (context) => {
    context.beginPath();
    context.arc(0, 0, 1.1, 0, 2 * Math.PI);
  },
  other: (context) => polygon(context, DIAMOND),
};

/** The symbol inside the outline. */
const signs: Readonly<Partial<Record<VehicleState, (context: Context) => void>>> = {
  idling: (context) => {
    context.beginPath();
    context.rect(-0.45, -0.5, 0.3, 1);
    context.rect(0.15, -0.5, 0.3, 1);
  },
  charging: (context) => polygon(context, BOLT),
};

/** With the radius in pixels. */
type Marker = Pick<MapVehicle, "state" | "heading" | "isStale"> & { radius: number };

/** Draws a marker around the origin of the context. */
export function drawMarker(context: Context, { state, heading = 0, isStale = false, radius }: Marker, palette: Palette): void {
  const colour = palette.states[state];
  context.save();
  context.scale(radius, radius);
  if (state === "driving") context.rotate((heading * Math.PI) / 180);
  context.lineJoin = "round";
  outlines[state](context);
  context.lineWidth = 5 / radius;
  context.strokeStyle = palette.halo;
  context.stroke();
  context.fillStyle = isStale ? palette.halo : colour;
  context.fill();
  if (isStale) {
    context.lineWidth = 2 / radius;
    context.strokeStyle = colour;
    context.stroke();
  }
  const sign = signs[state];
  if (sign) {
    sign(context);
    context.fillStyle = isStale ? colour : palette.halo;
    context.fill();
  }
  context.restore();
}

const LEGEND_SIZE = 20;

function icon(palette: Palette, marker: Omit<Marker, "radius">): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const ratio = window.devicePixelRatio || 1;
  canvas.width = canvas.height = LEGEND_SIZE * ratio;
  canvas.setAttribute("aria-hidden", "true");
  const context = canvas.getContext("2d");
  if (context) {
    context.scale(ratio, ratio);
    context.translate(LEGEND_SIZE / 2, LEGEND_SIZE / 2);
    drawMarker(context, { ...marker, radius: 6 }, palette);
  }
  return canvas;
}

/** Explains the markers of the states that are on the map. */
export function createLegend() {
  const element = document.createElement("ul");
  element.className = "fleet-map-legend";
  element.setAttribute("aria-label", "Legend");
  return {
    element,
    show: (vehicles: Iterable<MapVehicle>, palette: Palette, hasTrack: boolean) => {
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
