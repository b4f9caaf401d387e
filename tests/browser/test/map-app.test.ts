import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { LivePosition } from "@fleetwire/core";
import { palettes } from "@fleetwire/map/palette";
import type { Client } from "@modelcontextprotocol/client";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { APPS, connect, MIME_TYPE, readApp, type ShownApp, showApp } from "./app-host.ts";
import { launchBrowser } from "./browser.ts";
import { colourOf, countPixels, difference, pixelAt } from "./canvas-pixels.ts";
import { type FleetService, startFleet, vehicle } from "./fleet-service.ts";

const require = createRequire(import.meta.url);

const LOCATE = { name: "locate_vehicle", arguments: { query: "truck 12" } };
/** Pixels in a degree of longitude at the zoom of a single vehicle. */
const PIXELS_PER_DEGREE = (256 * 2 ** 8) / 360;
/** A page larger than this would be slow to send. */
const MAX_PAGE_BYTES = 800_000;

const HOSTILE = `<img src=x onerror="alert(1)"></script><script>alert(2)</script>`;

/** An image of one pixel. */
const TILE = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

const truck12 = vehicle("Truck 12", { eventType: "driving", speed: 78, heading: 90 });
const positions = [
  truck12,
  vehicle("Van 7", { longitude: 4.84 + 1, formattedAddress: undefined }),
  vehicle("eVan 3", { longitude: 4.84 - 1, electricCharging: true }),
  vehicle(HOSTILE, { assetId: "hostile", latitude: 46.2, formattedAddress: HOSTILE }),
  vehicle("Private car", { latitude: 45.2, privacy: true }),
];

let browser: Browser | undefined;
let service: FleetService;
let client: Client;
beforeAll(async () => {
  browser = await launchBrowser();
  service = await startFleet(positions);
  client = await connect(service.env, APPS);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await client?.close();
  await service?.close();
});
let shown: ShownApp | undefined;
afterEach(async () => {
  await shown?.close();
  shown = undefined;
  service.positions = positions;
});

async function show(
  call: typeof LOCATE | { name: string; arguments: Record<string, unknown> } = LOCATE,
  options: Parameters<typeof showApp>[3] = {},
) {
  if (!browser) throw new Error("no browser");
  shown = await showApp(browser, client, call, options);
  return shown;
}

/** Whether a URL is the host's or the app's. */
const isPage = (url: string) => /^http:\/\/(127\.0\.0\.1|localhost):\d+\/(host|app)$/.test(url);

/** The centre of the map, where the requested vehicle is. */
const middle = (app: ShownApp) => pixelAt(app.frame, 0, 0);
const isColour = (drawn: readonly number[], notation: string) => difference(drawn, colourOf(notation)) <= 8;
const { light, dark } = palettes;

describe("a host that does not show apps (packages/mcp-server/src/mcp/map-app.ts)", () => {
  it("sees neither the map nor its tool, in any list", async () => {
    const other = await connect(service.env);
    const { tools } = await other.listTools();
    expect(tools.map(({ name }) => name)).not.toContain("read_map");
    expect(tools.filter(({ _meta }) => _meta !== undefined)).toEqual([]);
    expect((await other.listResources()).resources.map(({ uri }) => uri)).not.toContain("ui://fleetwire/map");
    expect((await other.callTool(LOCATE))._meta?.["fleetwire/record"]).toBeUndefined();
    const { isError, structuredContent } = await other.callTool({ name: "read_map", arguments: {} });
    expect({ isError, structuredContent }).toEqual({ isError: true, structuredContent: undefined });
    await other.close();
  });
});

describe("a host that shows apps (packages/mcp-server/src/mcp/map-app.ts)", () => {
  it("finds the map attached to the tools that answer where, and a tool that only the map sees", async () => {
    const { tools } = await client.listTools();
    const attached = tools.filter(
      ({ _meta }) => (_meta?.["ui"] as { resourceUri?: string } | undefined)?.resourceUri === "ui://fleetwire/map",
    );
    expect(attached.map(({ name }) => name).sort()).toEqual([
      "find_nearest_vehicles",
      "list_live_positions",
      "locate_vehicle",
      "read_map",
      "summarize_fleet",
    ]);
    expect(tools.find(({ name }) => name === "read_map")?._meta).toEqual({
      ui: { resourceUri: "ui://fleetwire/map", visibility: ["app"] },
    });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain("ui://fleetwire/map");
  });

  it(`reads it as one file of less than ${MAX_PAGE_BYTES / 1000} kB that may load nothing`, async () => {
    const { html, mimeType, ui } = await readApp(client);
    const bytes = new TextEncoder().encode(html).length;
    console.log(`map-app.html: ${(bytes / 1000).toFixed(0)} kB`);
    expect(mimeType).toBe(MIME_TYPE);
    expect(ui.csp).toEqual({ connectDomains: [], resourceDomains: [] });
    expect(bytes).toBeLessThan(MAX_PAGE_BYTES);
    expect(html).toBe(await readFile(require.resolve("@fleetwire/map/map-app.html"), "utf8"));
  });

  it("lets it load tiles from the server in FLEET_TILES_URL, and from nowhere else", async () => {
    const tiles = await connect({ ...service.env, FLEET_TILES_URL: "https://{s}.tiles.example/{z}/{x}/{y}.png?a&b" }, APPS);
    const { html, ui } = await readApp(tiles);
    expect(ui.csp).toEqual({ connectDomains: [], resourceDomains: ["https://*.tiles.example"] });
    expect(html).toContain('<meta name="tiles" content="https://{s}.tiles.example/{z}/{x}/{y}.png?a&#38;b">');
    await tiles.close();
  });

  it("gets the record for the map beside the result where the model gets text only", async () => {
    const text = await connect({ ...service.env, FLEET_RESULT: "text" }, APPS);
    const { structuredContent, _meta } = await text.callTool(LOCATE);
    expect(structuredContent).toBeUndefined();
    expect(_meta?.["fleetwire/record"]).toMatchObject({ vehicle: { assetId: "truck-12" } });
    await text.close();
  });

  it("gets at most a megabyte of a large fleet, those asked for and those near them first", async () => {
    service.positions = Array.from({ length: 20_000 }, (_, at) => vehicle(`Truck ${at}`, { longitude: at / 200 }));
    const { structuredContent } = await client.callTool({ name: "read_map", arguments: { asked: ["Truck 15000"] } });
    const { rows, total } = structuredContent as { rows: string[][]; total: number };
    expect(total).toBe(20_000);
    expect(JSON.stringify(structuredContent).length).toBeLessThan(1_100_000);
    expect(rows.slice(0, 3).map(([, name]) => name)).toEqual(["Truck 15000", "Truck 14999", "Truck 15001"]);
  });
});

describe("the map in a host (packages/map/src/app)", () => {
  beforeEach(({ skip }) => {
    if (!browser) skip("no Chromium");
  });

  it("introduces itself, asks for its height, and shows what the model was told", async () => {
    const app = await show();
    const host = await app.page.evaluate(() => (window as unknown as { host: { app: object; sizes: object[] } }).host);
    expect(host.app).toMatchObject({ name: "fleetwire-map" });
    expect(host.sizes.at(-1)).toEqual({ height: 460 });
    expect(await app.frame.locator(".panel-text").textContent()).toBe((app.result.content[0] as { text: string }).text);
    expect(await app.frame.locator("h1").textContent()).toBe("Truck 12");
    expect(await app.frame.locator(".panel-age").textContent()).toMatch(/^Position \d+ (?:s|min) ago$/);
  });

  it("has the vehicle in the middle, and the others faded where they should be", async () => {
    const app = await show();
    await expect.poll(() => middle(app).then((drawn) => isColour(drawn, light.states.driving))).toBe(true);
    // The others are drawn once the fleet has been read.
    await expect.poll(() => pixelAt(app.frame, PIXELS_PER_DEGREE, 0).then(([, , , opacity]) => opacity)).toBeGreaterThan(0);
    const [van, eVan] = await Promise.all([pixelAt(app.frame, PIXELS_PER_DEGREE, 0), pixelAt(app.frame, 5 - PIXELS_PER_DEGREE, 0)]);
    expect({ van, isColour: isColour(van, light.states.stopped) }).toMatchObject({ isColour: true });
    expect(van[3]).toBeLessThan(140);
    expect({ eVan, isColour: isColour(eVan, light.states.charging) }).toMatchObject({ isColour: true });
  });

  it("joins the stops of one vehicle's trips by straight, dashed lines, and says so", async () => {
    if (!browser) return;
    const sandbox = await connect({ FLEET_TIME_ZONE: "UTC", FLEET_LOG: "silent" }, APPS, ["--sandbox"]);
    onTestFinished(() => sandbox.close());
    const trips = { vehicle: "truck 12", period: "yesterday" };
    shown = await showApp(browser, sandbox, { name: "trips_and_stops", arguments: trips });
    const { frame, calls, result } = shown;
    expect(JSON.stringify(result.structuredContent)).not.toContain("endLatitude");
    const legend = frame.locator(".fleet-map-legend");
    await expect.poll(() => legend.textContent()).toContain("Straight lines between stops, not the road");
    expect(calls.find(({ name }) => name === "trips_and_stops")?.arguments).toMatchObject(trips);
    await expect.poll(() => countPixels(frame, colourOf(palettes.light.selection))).toBeGreaterThan(100);
    // The rest of the fleet, which is read at the same time, does not widen the view.
    const option = frame.locator("[role=option]").first();
    await option.waitFor({ state: "attached" });
    const scale = await frame.locator(".leaflet-control-scale-line").textContent();
    expect(Number.parseInt(scale ?? "", 10)).toBeLessThan(500);
    await option.evaluate((row) => (row as HTMLElement).click());
    await expect.poll(() => legend.textContent()).not.toContain("Straight lines");
  });

  it("offers the vehicles of a list, and shows where the chosen one is", async () => {
    const app = await show({ name: "list_live_positions", arguments: {} });
    const rows = app.frame.locator(".panel-row strong");
    await expect.poll(() => rows.allTextContents()).toContain("Van 7");
    await rows.filter({ hasText: /^Van 7$/ }).click();
    await expect.poll(() => app.frame.locator("h1").textContent()).toBe("Van 7");
    await expect.poll(() => middle(app).then((drawn) => isColour(drawn, light.states.stopped))).toBe(true);
    expect(app.calls.at(-1)).toEqual({ name: "locate_vehicle", arguments: { query: "van-7" } });
  });

  it.each<[string, LivePosition[], RegExp]>([
    ["leaves out a vehicle at 0, 0", [truck12, vehicle("Zero", { latitude: 0, longitude: 0 })], /^[1-9]0? km$/],
    [
      "shows a fleet on both sides of the date line from near",
      [vehicle("Suva", { latitude: -18.1, longitude: 178.4 }), vehicle("Apia", { latitude: -13.8, longitude: -171.8 })],
      /^[1-5]00 km$/,
    ],
  ])("%s", async (_, fleet, scale) => {
    service.positions = fleet;
    const app = await show({ name: "summarize_fleet", arguments: {} });
    const placed = fleet.filter(({ latitude }) => latitude !== 0);
    await expect.poll(() => app.frame.locator("[role=option]").count()).toBe(placed.length);
    expect(await app.frame.locator(".leaflet-control-scale-line").textContent()).toMatch(scale);
  });

  it("shows nothing of a private journey (packages/tools/src/map-positions.ts)", async () => {
    const app = await show({ name: "locate_vehicle", arguments: { query: "private car" } });
    expect(await app.frame.locator(".panel-text").textContent()).toContain("private journey");
    expect(await app.frame.locator("[role=option]").allTextContents()).toHaveLength(positions.length - 1);
    expect(await app.frame.locator("[role=option]", { hasText: "Private" }).count()).toBe(0);
    const { structuredContent } = await client.callTool({ name: "read_map", arguments: {} });
    expect(structuredContent).toMatchObject({ total: positions.length, withoutPlace: 1 });
    expect(JSON.stringify(structuredContent)).not.toContain("45.2");
  });

  it("shows hostile names as text (panel.ts, vehicle-list.ts)", async () => {
    const app = await show({ name: "locate_vehicle", arguments: { query: "hostile" } });
    expect(await app.frame.locator("h1").textContent()).toContain("<img src=x");
    expect(await app.frame.locator("[role=option]", { hasText: "<img src=x" }).count()).toBe(1);
    expect(await app.frame.locator("img").count()).toBe(0);
    expect(app.complaints).toEqual([]);
  });

  it("sends no request to anywhere, and does nothing that the policy forbids", async () => {
    const app = await show();
    await app.frame.locator(".fleet-map-area").press("+");
    await app.frame.getByRole("button", { name: "Refresh" }).click();
    expect(app.requests.filter((url) => !isPage(url))).toEqual([]);
    expect(app.complaints).toEqual([]);
  });

  it("draws tiles from the server in FLEET_TILES_URL, and sends no request to any other", async () => {
    if (!browser) return;
    const tiles = createServer((_, response) => response.setHeader("content-type", "image/png").end(TILE));
    tiles.listen(0, "127.0.0.1");
    await once(tiles, "listening");
    onTestFinished(() => void tiles.close());
    const origin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
    const withTiles = await connect({ ...service.env, FLEET_TILES_URL: `${origin}/{z}/{x}/{y}.png` }, APPS);
    onTestFinished(() => withTiles.close());
    shown = await showApp(browser, withTiles, LOCATE);
    const { frame, requests, complaints } = shown;
    await expect.poll(() => frame.locator("img.leaflet-tile-loaded").count(), { timeout: 10_000 }).toBeGreaterThan(3);
    const others = requests.filter((url) => !url.startsWith(origin) && !isPage(url));
    expect({ others, complaints }).toEqual({ others: [], complaints: [] });
    expect(requests.find((url) => url.startsWith(origin))).toMatch(/\/\d+\/\d+\/\d+\.png$/);
    await expect.poll(() => pixelAt(frame, 0, 0).then((drawn) => isColour(drawn, light.states.driving))).toBe(true);
  });

  it("follows the host's theme", async () => {
    const app = await show();
    await app.page.evaluate(() => {
      const { bridge } = (window as unknown as { host: { bridge: { setHostContext(context: object): void } } }).host;
      bridge.setHostContext({ theme: "dark" });
    });
    await expect.poll(() => middle(app).then((drawn) => isColour(drawn, dark.states.driving))).toBe(true);
    expect(await app.frame.locator("html").getAttribute("data-theme")).toBe("dark");
  });

  it("calls the tool again to refresh, and keeps a followed vehicle in the middle until the map is dragged", async () => {
    const app = await show();
    const [refresh, follow] = [app.frame.getByRole("button", { name: "Refresh" }), app.frame.getByRole("button", { name: "Follow" })];
    await follow.click();
    service.positions = [{ ...truck12, latitude: 47.1, longitude: 7.4, formattedAddress: "Biel/Bienne, Switzerland" }];
    await refresh.click();
    await expect.poll(() => app.frame.locator(".panel-text").textContent()).toContain("Biel/Bienne");
    expect(app.calls.filter(({ name }) => name === LOCATE.name)).toEqual([{ name: LOCATE.name, arguments: LOCATE.arguments }]);
    await expect.poll(() => middle(app).then((drawn) => isColour(drawn, light.states.driving))).toBe(true);
    expect(await follow.getAttribute("aria-pressed")).toBe("true");
    await drag(app.page);
    await expect.poll(() => follow.getAttribute("aria-pressed")).toBe("false");
  });

  it("is read and moved by keyboard", async () => {
    const app = await show();
    const scale = app.frame.locator(".leaflet-control-scale-line");
    const before = await scale.textContent();
    await app.frame.locator(".fleet-map-area").press("+");
    await expect.poll(() => scale.textContent()).not.toBe(before);
    await app.frame.locator(".fleet-map-area").press("0");
    await app.frame.locator(".fleet-map-list").focus();
    await expect.poll(() => app.frame.locator("[role=option]").count()).toBe(positions.length - 1);
    await app.page.keyboard.press("End");
    await expect.poll(() => app.frame.locator("[role=status]").textContent()).toMatch(/^Van 7: stopped, seen /);
    expect(await app.frame.locator("[aria-selected=true]").textContent()).toMatch(/^Van 7/);
    await expect.poll(() => app.frame.locator("h1").textContent()).toBe("Van 7");
    await expect.poll(() => app.frame.locator(".panel-text").textContent()).toContain("Van 7");
  });

  it("shows the answer alone if the host passes on no calls", async () => {
    const app = await show(LOCATE, { callsTools: false });
    await expect.poll(() => middle(app).then((drawn) => isColour(drawn, light.states.driving))).toBe(true);
    expect(await app.frame.getByRole("button", { name: "Refresh" }).count()).toBe(0);
  });

  it.each([
    ["light", { width: 900, height: 520 }],
    ["dark", { width: 900, height: 520 }],
    ["light", { width: 390, height: 700 }],
  ] as const)("has no serious fault of accessibility (%s, %o)", async (theme, viewport) => {
    const app = await show(LOCATE, { theme, viewport });
    // The policy forbids adding scripts to the page, but not evaluating them with the debugger.
    await app.frame.evaluate(await readFile(require.resolve("axe-core"), "utf8"));
    const violations = await app.frame.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
      };
      return (await axe.run()).violations;
    });
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
    const width = await app.frame.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);
    const [map, panel] = await Promise.all([".fleet-map", ".panel"].map((part) => app.frame.locator(part).boundingBox()));
    expect(map?.height).toBeGreaterThan(250);
    expect(panel?.height).toBeGreaterThan(120);
  });
});

async function drag(page: Page): Promise<void> {
  await page.mouse.move(300, 200);
  await page.mouse.down();
  await page.mouse.move(360, 240, { steps: 5 });
  await page.mouse.up();
}
