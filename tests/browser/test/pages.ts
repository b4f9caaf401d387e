import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Frame, Page } from "playwright-core";

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface Look {
  scheme?: "light" | "dark";
  size?: { width: number; height: number };
  /** @default en-GB, Europe/Berlin */
  locale?: string;
  timezoneId?: string;
  /** Another origin that may be asked: that of a tile server. */
  tiles?: string;
  /** What the list says when the page is ready. */
  ready?: RegExp;
}

/** Opens the console in a context of its own, in which errors in the page and requests to other origins are complaints. */
export async function openConsole(
  browser: Browser,
  url: string,
  { scheme = "light", size = DESKTOP, locale = "en-GB", timezoneId = "Europe/Berlin", tiles, ready = /^\d+ vehicles$/ }: Look = {},
) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, locale, timezoneId });
  const complaints: string[] = [];
  const { origin } = new URL(url);
  context.on("request", (request) => {
    const asked = request.url();
    if (![origin, tiles].includes(new URL(asked).origin)) complaints.push(`request to ${asked}`);
  });
  const page = await context.newPage();
  page.on("pageerror", ({ message }) => complaints.push(message));
  // Content-Security-Policy violations are reported here.
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(url);
  await page.getByText(ready).first().waitFor();
  return { page, complaints, context };
}

/** Finds a vehicle by typing a query, and waits for its panel. */
export async function selectVehicle(page: Page, query: string): Promise<void> {
  await page.getByRole("searchbox").fill(query);
  await page.getByText("One vehicle matches").waitFor();
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("heading", { name: "Energy" }).waitFor();
}

/** What axe calls serious or critical, and by how much the page is too wide. */
export async function faultsOf(page: Page | Frame): Promise<{ serious: string[]; overflow: number }> {
  // The page's policy forbids inline scripts, but not scripts evaluated by the debugger.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string }[];
    }
    const { violations } = await (globalThis as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } }).axe.run();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    return {
      serious: serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`),
      overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    };
  });
}

export const NO_FAULTS = { serious: [], overflow: 0 };
