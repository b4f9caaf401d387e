import { fileURLToPath } from "node:url";
import { bundlePage } from "@fleetwire/map/bundle-page";
import type { Browser } from "playwright-core";
import { expect, it } from "vitest";
import { launchBrowser } from "./programs.ts";

/** Panning moves what is already drawn, so vehicles hardly slow it down. */
const MAX_SLOWDOWN = 2.5;
/** Other programs can only make a round slower. */
const MAX_ROUNDS = 4;

const ENTRY = fileURLToPath(new URL("fleet-page.mjs", import.meta.url));
const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fleet</title><!-- styles -->
<style>html, body, #map { height: 100%; margin: 0 }</style><div id="map"></div><!-- script --></html>`;

/** The median of the milliseconds per frame while a map with these vehicles is dragged. */
async function dragOnce(browser: Browser, html: string, vehicles: number): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
  await page.setContent(html);
  await page.evaluate(`showFleet(${vehicles})`);
  await page.mouse.move(500, 300);
  await page.mouse.down();
  await page.evaluate("recordFrames()");
  for (const [x = 0, y = 0] of [
    [300, 200],
    [650, 430],
    [250, 380],
  ])
    await page.mouse.move(x, y, { steps: 20 });
  const frames = ((await page.evaluate("endRecording()")) as number[]).sort((a, b) => a - b);
  await page.close();
  return frames[Math.floor(frames.length / 2)] ?? Number.NaN;
}

it("a map with 50,000 vehicles is dragged nearly as smoothly as an empty one", async ({ skip }) => {
  const browser = await launchBrowser();
  if (!browser) return skip("no Chromium");
  const html = await bundlePage({ entry: ENTRY, html: HTML });
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS && best >= MAX_SLOWDOWN; round++) {
    const [empty, full] = [await dragOnce(browser, html, 0), await dragOnce(browser, html, 50_000)];
    console.log(`${empty.toFixed(1)} ms a frame without vehicles, ${full.toFixed(1)} with them`);
    best = Math.min(best, full / empty);
  }
  await browser.close();
  expect(best).toBeLessThan(MAX_SLOWDOWN);
});
