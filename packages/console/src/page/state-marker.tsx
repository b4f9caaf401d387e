import { drawMarker, type MapVehicle, palettes, type Theme, type VehicleState } from "@fleetwire/map";
import { signal } from "@preact/signals";

const dark = matchMedia("(prefers-color-scheme: dark)");
const themeNow = (): Theme => (dark.matches ? "dark" : "light");

/** Follows the system's colour scheme. */
export const theme = signal<Theme>(themeNow());
dark.addEventListener("change", () => {
  theme.value = themeNow();
});

const SIZE = 18;
const SCALE = 2;
const DIRECTION = 15;

const images = new Map<string, string>();

/** The map's marker as an image, so that the list and the map use the same symbols. */
function markerImage(state: VehicleState, heading: number, isStale: boolean): string {
  const direction = Math.round(heading / DIRECTION) * DIRECTION;
  const key = `${theme.value} ${state} ${direction} ${isStale}`;
  const known = images.get(key);
  if (known !== undefined) return known;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE * SCALE;
  const context = canvas.getContext("2d");
  if (!context) return "";
  context.scale(SCALE, SCALE);
  context.translate(SIZE / 2, SIZE / 2);
  drawMarker(context, { state, heading: direction, isStale, radius: 5.5 }, palettes[theme.value]);
  const image = canvas.toDataURL();
  images.set(key, image);
  return image;
}

/** Shows what a vehicle is doing, next to the same in words. */
export function StateMarker({ state, heading = 0, isStale = false }: Pick<MapVehicle, "state" | "heading" | "isStale">) {
  return <img class="marker" alt="" width={SIZE} height={SIZE} src={markerImage(state, state === "driving" ? heading : 0, isStale)} />;
}
