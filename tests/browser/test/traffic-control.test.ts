// The console as traffic control uses it: what needs attention, the keyboard, links, other languages, and a service that fails.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LivePosition } from "@fleetwire/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { launchBrowser } from "./browser.ts";
import { openConsole, PHONE, selectVehicle, seriousFindings } from "./console-page.ts";
import { startFleet, vehicle } from "./fleet-service.ts";
import { type StartedSandbox, startSandbox, startServer } from "./started-program.ts";

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString().replace(/\.\d+/, "");

const FLEET = [
  vehicle("Alpha", { longitude: 4.9 }),
  vehicle("Bravo", { eventType: "idling", fuelLevelPercentage: 7 }),
  vehicle("Charlie", { date: inHours(-72), eventType: "driving", speed: 80 }),
  vehicle("Delta", { activeFaultCodes: ["P0420"], assetGroupId: "g1", assetGroupName: "North" }),
  vehicle("Echo", { date: inHours(30), assetGroupId: "g1", assetGroupName: "North" }),
  vehicle("Foxtrot", { eventType: "ping", speed: 0 }),
];

let browser: Browser | undefined;
/** The console of FLEET. */
let url: string;
const ends: (() => Promise<void>)[] = [];

/** Starts the console of a fleet, as `fleetwire-mcp http` serves it. */
async function served(positions: LivePosition[], env: Record<string, string> = {}): Promise<string> {
  const service = await startFleet(positions);
  const server = await startServer({ ...service.env, ...env });
  ends.push(server.stop, service.close);
  return server.ready;
}

beforeAll(async () => {
  browser = await launchBrowser();
  if (browser) url = await served(FLEET);
}, 600_000);
beforeEach(({ skip }) => skip(browser === undefined, "There is no Chromium"));
afterAll(async () => {
  await browser?.close();
  for (const end of ends) await end();
});

async function opened(url: string, opening: Parameters<typeof openConsole>[2] = {}) {
  const { page, complaints, close } = await openConsole(browser as Browser, url, opening);
  onTestFinished(close);
  return { page, complaints };
}

const names = (page: Page) => page.locator(".row-name bdi").allTextContents();
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
const chip = (page: Page, name: RegExp | string) => page.getByRole("region", { name: "Filters" }).getByRole("button", { name });

/** Where a vehicle of the list is drawn, if its name is: the map is a canvas, so it is asked through its list for the keyboard. */
const onMap = (page: Page) => page.getByRole("listbox", { name: "Vehicles in view" }).getByRole("option").allTextContents();

describe("what needs attention", () => {
  it("comes first: faults, silent, low; the list can be sorted otherwise", async () => {
    const { page, complaints } = await opened(url);
    expect(await names(page)).toEqual(["Delta", "Charlie", "Echo", "Bravo", "Alpha", "Foxtrot"]);
    await page.getByLabel("Order").selectOption("By name");
    expect(await names(page)).toEqual(["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot"]);
    await page.getByLabel("Order").selectOption("Oldest report first");
    expect((await names(page)).at(0)).toBe("Charlie");
    expect((await names(page)).at(-1)).toBe("Echo");
    expect(complaints).toEqual([]);
  });

  it("is shown alone by a chip; chips of one kind add up, and the whole fleet comes back", async () => {
    const { page } = await opened(url);
    const shown: [chips: (string | RegExp)[], names: string[]][] = [
      [[/^Faults 1/], ["Delta"]],
      [[/^Silent 2/], ["Delta", "Charlie", "Echo"]],
      [[/^Faults/, /^Silent/, /^Idling 1/], ["Bravo"]],
      [[/^Driving 1/], ["Charlie", "Bravo"]],
      [[/^Low 1/], ["Bravo"]],
    ];
    for (const [chips, expected] of shown) {
      for (const name of chips) await chip(page, name).click();
      await expect.poll(() => names(page)).toEqual(expected);
    }
    await chip(page, "Whole fleet").click();
    await expect.poll(() => names(page)).toHaveLength(FLEET.length);
    expect(await page.locator(".filter[aria-pressed=true]").count()).toBe(0);
  });

  it("looks stale in list and panel if it is old, or from the future", async () => {
    const { page } = await opened(url);
    const rowOf = (name: string) => page.getByRole("button", { name: new RegExp(`^${name}`) });
    expect(await rowOf("Charlie").textContent()).toMatch(/Last: driving.*3 days ago/);
    expect(await rowOf("Echo").textContent()).toMatch(/Last: stopped.*30 h in the future/);
    expect(await rowOf("Foxtrot").textContent()).toMatch(/Unknown activity.*s ago/);
    expect(await page.locator(".row.stale .row-name bdi").allTextContents()).toEqual(["Charlie", "Echo"]);
    await rowOf("Echo").click();
    await page.getByRole("complementary").getByText("Last: stopped").waitFor();
  });
});

describe("the keyboard", () => {
  it("reaches the search with /, the rows with arrows, and returns to the row", async () => {
    const { page } = await opened(url);
    await page.getByRole("tab", { name: "Jobs" }).click();
    await page.keyboard.press("/");
    await expect.poll(() => focused(page)).toBe("Find a vehicle");
    await page.keyboard.type("/");
    expect(await page.getByRole("searchbox").inputValue()).toBe("/");
    await page.getByRole("searchbox").fill("");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page)).toMatch(/^Delta/);
    await page.keyboard.press("End");
    await expect.poll(() => focused(page)).toMatch(/^Foxtrot/);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Alpha" }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.getByRole("heading", { name: "Bravo" }).waitFor();
    await page.getByRole("button", { name: "Close" }).focus();
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toMatch(/^Bravo/);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => focused(page)).toBe("Find a vehicle");
  });

  it("goes along the tabs with arrows, and is trapped nowhere", async () => {
    const { page } = await opened(url);
    await page.getByRole("tab", { name: "Vehicles", selected: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tabpanel", { name: "Groups" }).waitFor();
    expect(await focused(page)).toBe("Groups");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("tab", { name: "Events", selected: true }).waitFor();
    await page.keyboard.press("Home");
    const reached = new Set<string>();
    for (let at = 0; at < 40; at++) {
      await page.keyboard.press("Tab");
      reached.add((await focused(page)) ?? "");
      // Every stop has an outline that can be seen.
      const outline = await page.evaluate(
        () => document.activeElement === document.body || getComputedStyle(document.activeElement as Element).outlineStyle,
      );
      expect(outline).not.toBe("none");
    }
    expect([...reached]).toEqual(expect.arrayContaining(["Find a vehicle", "Order", "Vehicles in view", "Requests", "Whole fleet"]));
  });
});

describe("a link", () => {
  it("holds the vehicle, the group and the filters, and the back button leaves them", async () => {
    const { page } = await opened(url);
    await page.getByRole("tab", { name: "Groups" }).click();
    await page.getByRole("button", { name: /^North/ }).click();
    await chip(page, /^Silent 1/).click();
    await page.getByRole("tab", { name: "Vehicles" }).click();
    await page.getByRole("button", { name: /^Echo/ }).click();
    await page.getByRole("heading", { name: "Echo" }).waitFor();
    const link = page.url();
    expect(new URL(link).hash).toBe("#vehicle=echo&group=g1&only=silent");
    await page.goBack();
    await page.getByRole("heading", { name: "Echo" }).waitFor({ state: "detached" });
    const other = await opened(link, { ready: /^1 of 6 vehicles$/ });
    await other.page.getByRole("heading", { name: "Echo" }).waitFor();
    expect(await names(other.page)).toEqual(["Echo"]);
    await chip(other.page, "Whole fleet").click();
    await expect.poll(() => other.page.url()).toBe(url);
  });

  it("to a vehicle that this fleet has not says so", async () => {
    const { page } = await opened(`${url}#vehicle=gone&only=nonsense&tab=nowhere`);
    await page.getByRole("heading", { name: "Unknown vehicle" }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("complementary").waitFor({ state: "detached" });
  });
});

describe("the map", () => {
  it.each<[string, LivePosition[], RegExp]>([
    ["is not fitted to a vehicle at 0, 0", [...FLEET, vehicle("Zero", { latitude: 0, longitude: 0 })], /^\d+ (?:m|km)$/],
    ["is not fitted to a vehicle next to 0, 0", [...FLEET, vehicle("Near", { latitude: 0.00002, longitude: -0.001 })], /^\d+ (?:m|km)$/],
    [
      "shows a fleet on both sides of the date line",
      [vehicle("Suva", { latitude: -18.1, longitude: 178.4 }), vehicle("Apia", { latitude: -13.8, longitude: -171.8 })],
      /^[1-3]00 km$/,
    ],
  ])("%s", async (_, positions, scale) => {
    const { page } = await opened(await served(positions));
    const placed = positions.filter(({ latitude = 0 }) => Math.abs(latitude) > 1);
    await expect.poll(() => onMap(page)).toHaveLength(placed.length);
    await expect.poll(() => page.locator(".leaflet-control-scale-line").textContent()).toMatch(scale);
    const kilometres = await page.locator(".leaflet-control-scale-line").textContent();
    expect(kilometres).not.toMatch(/^[5-9]00 km$|000 km$/);
  });

  it("shows streets from FLEET_TILES_URL, and loads nothing else", async () => {
    const tile = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
    const tiles = createServer((_, response) => response.setHeader("content-type", "image/png").end(tile)).listen(0, "127.0.0.1");
    await once(tiles, "listening");
    onTestFinished(() => void tiles.close());
    const origin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
    const withTiles = await served(FLEET, { FLEET_TILES_URL: `${origin}/{z}/{x}/{y}.png?a&b` });
    const { page, complaints } = await opened(withTiles, { tiles: origin });
    await expect.poll(() => page.locator("img.leaflet-tile-loaded").count(), { timeout: 10_000 }).toBeGreaterThan(3);
    expect((await fetch(withTiles)).headers.get("content-security-policy")).toContain(`img-src 'self' data: ${origin};`);
    expect(complaints).toEqual([]);
  });
});

it("a service that fails from the first request is reported at once, and counts are unknown", async () => {
  const service = createServer((_, response) => response.writeHead(503).end()).listen(0, "127.0.0.1");
  await once(service, "listening");
  onTestFinished(() => void service.close());
  const failing = await served([], { FLEET_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}` });
  const { page } = await opened(failing, { ready: /^There is no data yet: / });
  await page.getByText("No data yet", { exact: true }).waitFor();
  expect(await page.locator(".filter b").allTextContents()).toEqual(Array(8).fill("–"));
  // Other reads succeed meanwhile, and must not hide it.
  await page.getByRole("button", { name: "Requests" }).click();
  await page.getByRole("row").nth(3).waitFor();
  expect(await page.getByRole("alert").textContent()).toMatch(/^There is no data yet: /);
});

describe("in other languages", () => {
  let sandbox: StartedSandbox | undefined;
  afterAll(() => sandbox?.stop());

  it.each([
    ["en-US", "America/New_York", /^\d{1,2} [AP]M$/],
    ["de-DE", "Europe/Berlin", /^\d\d:00$/],
    ["ja-JP", "Asia/Tokyo", /^\d\d?:00$/],
    ["ko-KR", "Asia/Seoul", /^\S+ \d+시$/],
  ])("the axis of a day in %s has labels that do not overlap", async (locale, timezoneId, label) => {
    sandbox ??= await startSandbox();
    const { page } = await opened(`${sandbox.origin}/`, { locale, timezoneId });
    await selectVehicle(page, "truck 12");
    const labels = page.locator(".timeline text");
    expect(await labels.count()).toBeGreaterThan(1);
    for (const text of await labels.allTextContents()) expect(text).toMatch(label);
    const boxes = await labels.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right] as const),
    );
    for (const [at, [left]] of boxes.entries()) expect(left).toBeGreaterThan((boxes[at - 1]?.[1] ?? 0) + 2);
  });
});

it.each([
  ["desktop", { width: 1440, height: 900 }],
  ["narrow", { width: 1024, height: 700 }],
  ["phone", PHONE],
])("the bar of filters is one line that nothing sticks out of (%s)", async (_, size) => {
  const { page } = await opened(url, { size });
  const tops = await page.locator(".filters button").evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size);
  expect(tops).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await seriousFindings(page)).toEqual([]);
});
