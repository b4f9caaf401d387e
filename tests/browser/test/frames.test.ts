import { expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";
import { slowdown } from "./frames.ts";

/** Panning moves what is already drawn, so vehicles hardly slow it down. */
const MAX_SLOWDOWN = 2.5;

it("a map with 5,000 vehicles is dragged nearly as smoothly as an empty one", async ({ skip }) => {
  const browser = await launchBrowser();
  if (!browser) return skip("no Chromium");
  const factor = await slowdown(browser, 5_000, MAX_SLOWDOWN, 4).finally(() => browser.close());
  expect(factor).toBeLessThan(MAX_SLOWDOWN);
}, 600_000);
