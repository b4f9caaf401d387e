import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface Look {
  scheme?: "light" | "dark";
  size?: { width: number; height: number };
  /** @default en-GB, Europe/Berlin */
  locale?: string;
  timezoneId?: string;
}

interface Opening extends Look {
  /** Another origin that may be asked: that of a tile server. */
  tiles?: string;
  /** What the list says when the page is ready. */
  ready?: RegExp;
}

export interface OpenedConsole {
  page: Page;
  /** All errors in the page, and requests to other origins. */
  complaints: string[];
  close: () => Promise<void>;
}

/** Opens the console in a context of its own, in which any request to another origin is a complaint. */
export async function openConsole(
  browser: Browser,
  url: string,
  { scheme = "light", size = DESKTOP, locale = "en-GB", timezoneId = "Europe/Berlin", tiles, ready = /^\d+ vehicles$/ }: Opening = {},
): Promise<OpenedConsole> {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, locale, timezoneId });
  const complaints: string[] = [];
  const { origin } = new URL(url);
  // The browser reaches nothing outside this machine (browser.ts).
  context.on("request", (request) => {
    const asked = request.url();
    if (![origin, tiles].includes(new URL(asked).origin)) complaints.push(`request to ${asked}`);
  });
  const page = await context.newPage();
  page.on("pageerror", ({ message }) => complaints.push(message));
  // Content-Security-Policy violations are reported here.
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(url);
  await page.getByText(ready).waitFor();
  return { page, complaints, close: () => context.close() };
}

/** Finds a vehicle by typing a query, and waits for its panel. */
export async function selectVehicle(page: Page, query: string): Promise<void> {
  await page.getByRole("searchbox").fill(query);
  await page.getByText("One vehicle matches").waitFor();
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("heading", { name: "Energy" }).waitFor();
}

/** The accessibility problems that axe calls serious or critical. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // The page's policy forbids inline scripts, but not scripts evaluated by the debugger.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } }).axe.run();
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string }[];
    }
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  });
}
