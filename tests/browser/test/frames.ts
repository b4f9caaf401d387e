import { fileURLToPath } from "node:url";
import { bundlePage } from "@fleetwire/map/bundle-page";
import type { Browser } from "playwright-core";

const ENTRY = fileURLToPath(new URL("fleet-page.mjs", import.meta.url));
const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fleet</title><!-- styles -->
<style>html, body, #map { height: 100%; margin: 0 }</style><div id="map"></div><!-- script --></html>`;

interface Frames {
  vehicles: number;
  /** Milliseconds until the vehicles are drawn. */
  drawn: number;
  /** Milliseconds per frame while the map is dragged. */
  median: number;
  longest: number;
}

const PATH = [
  [300, 200],
  [650, 430],
  [250, 380],
] as const;

async function dragOnce(browser: Browser, html: string, vehicles: number): Promise<Frames> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
  await page.setContent(html);
  const drawn = (await page.evaluate(`showFleet(${vehicles})`)) as number;
  await page.mouse.move(500, 300);
  await page.mouse.down();
  await page.evaluate("recordFrames()");
  for (const [x, y] of PATH) await page.mouse.move(x, y, { steps: 20 });
  const frames = ((await page.evaluate("endRecording()")) as number[]).sort((a, b) => a - b);
  await page.close();
  return { vehicles, drawn, median: frames[Math.floor(frames.length / 2)] ?? Number.NaN, longest: frames.at(-1) ?? Number.NaN };
}

const text = ({ vehicles, drawn, median, longest }: Frames) =>
  `${vehicles} vehicles: drawn in ${drawn.toFixed(0)} ms; dragged at ${median.toFixed(1)} ms a frame (median), ${longest.toFixed(0)} ms at most`;

/**
 * Drags a map with these vehicles and an empty one alternately, and prints how long frames took. Returns how many times as long a frame
 * takes as on the empty map, in the first round below a maximum or the best of some: other programs can only make a round slower.
 */
export async function slowdown(browser: Browser, vehicles: number, max: number, rounds: number): Promise<number> {
  const html = await bundlePage({ entry: ENTRY, html: HTML });
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && best >= max; round++) {
    const [empty, full] = [await dragOnce(browser, html, 0), await dragOnce(browser, html, vehicles)];
    console.log(`${text(empty)}\n${text(full)}`);
    best = Math.min(best, full.median / empty.median);
  }
  return best;
}
