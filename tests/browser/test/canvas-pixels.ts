import type { Frame } from "playwright-core";

/** The pixel on the vehicles' canvas at an offset from the centre of the map: red, green, blue and opacity, from 0 to 255. */
export function pixelAt(frame: Frame, right: number, down: number): Promise<number[]> {
  return frame.evaluate(
    ([x, y]) => {
      const area = document.querySelector(".fleet-map-area") as HTMLElement;
      const canvas = area.querySelector(".leaflet-overlay-pane canvas") as HTMLCanvasElement;
      const [outer, inner] = [area.getBoundingClientRect(), canvas.getBoundingClientRect()];
      const ratio = canvas.width / inner.width;
      const left = outer.left + Math.floor(outer.width / 2) + x - inner.left;
      const top = outer.top + Math.floor(outer.height / 2) + y - inner.top;
      return [...(canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(left * ratio, top * ratio, 1, 1).data];
    },
    [right, down] as const,
  );
}

/** How many pixels on the vehicles' canvas have a colour. */
export function countPixels(frame: Frame, colour: readonly number[]): Promise<number> {
  return frame.evaluate((wanted) => {
    const canvas = document.querySelector(".fleet-map-area .leaflet-overlay-pane canvas") as HTMLCanvasElement;
    const { data } = (canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (wanted.every((value, channel) => data[at + channel] === value)) count++;
    return count;
  }, colour);
}

/** A colour in hexadecimal notation, in the same form. */
export const colourOf = (notation: string): number[] => [1, 3, 5].map((at) => Number.parseInt(notation.slice(at, at + 2), 16));

/** The largest difference between two colours in any channel. */
export const difference = (drawn: readonly number[], colour: readonly number[]): number =>
  Math.max(...colour.map((value, at) => Math.abs(value - (drawn[at] ?? 0))));
