import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { LivePosition } from "@fleetwire/core";
import { palettes } from "@fleetwire/map/palette";
import type { Client } from "@modelcontextprotocol/client";
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { APPS, connect, MIME_TYPE, readApp, showApp } from "./app-host.ts";
import { faultsOf, NO_FAULTS } from "./pages.ts";
import { launchBrowser, startFleet, vehicle } from "./programs.ts";

const MAP = "ui://fleetwire/map";
const LOCATE = { name: "locate_vehicle", arguments: { query: "truck 12" } };
/** Pixels in a degree of longitude at the zoom of a single vehicle. */
const PIXELS_PER_DEGREE = (256 * 2 ** 8) / 360;
/** A page larger than this would be slow to send. */
const MAX_PAGE_BYTES = 800_000;
const HOSTILE = `<img src=x onerror="alert(1)"></script><script>alert(2)</script>`;

const truck12 = vehicle("Truck 12", { eventType: "driving", speed: 78, heading: 90 });
const positions = [
  truck12,
  vehicle("Van 7", { longitude: 4.84 + 1, formattedAddress: undefined }),
  vehicle("eVan 3", { longitude: 4.84 - 1, electricCharging: true }),
  vehicle(HOSTILE, { assetId: "hostile", latitude: 46.2, formattedAddress: HOSTILE }),
  vehicle("Private car", { latitude: 45.2, privacy: true }),
];

let browser: Browser | undefined;
let service: Awaited<ReturnType<typeof startFleet>>;
let client: Client;

beforeAll(async () => {
  browser = await launchBrowser();
  service = await startFleet(positions);
  client = await connect(service.env, APPS);
}, 600_000);
afterEach(() => {
  service.positions = positions;
});
afterAll(async () => {
  await browser?.close();
  await client?.close();
  await service?.end();
});

async function connected(env: Record<string, string>, ...more: [extensions?: typeof APPS, args?: string[]]) {
  const other = await connect(env, ...more);
  onTestFinished(() => other.close());
  return other;
}

async function show(
  call: { name: string; arguments: Record<string, unknown> } = LOCATE,
  options: Parameters<typeof showApp>[3] = {},
  by = client,
) {
  const app = await showApp(browser as Browser, by, call, options);
  onTestFinished(app.close);
  return app;
}

/** Whether a URL is the host's or the app's. */
const isPage = (url: string) => /^http:\/\/(127\.0\.0\.1|localhost):\d+\/(host|app)$/.test(url);

/** The pixel on the vehicles' canvas at an offset from the centre of the map: red, green, blue and opacity, from 0 to 255. */
const pixelAt = (frame: Frame, right = 0, down = 0): Promise<number[]> =>
  frame.evaluate(
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

/** A colour in hexadecimal notation, in the same form. */
const colourOf = (notation: string): number[] => [1, 3, 5].map((at) => Number.parseInt(notation.slice(at, at + 2), 16));
const isColour = (drawn: readonly number[], notation: string) =>
  colourOf(notation).every((value, channel) => Math.abs(value - (drawn[channel] ?? 0)) <= 8);

/** Waits until what is in the middle of the map has a colour. */
const middleBecomes = (frame: Frame, notation: string) =>
  expect.poll(async () => isColour(await pixelAt(frame), notation), { message: notation }).toBe(true);

const { light, dark } = palettes;

it("a host that does not show apps sees neither the map nor its tool, in any list", async () => {
  const other = await connected(service.env);
  const { tools } = await other.listTools();
  expect(tools.filter(({ name, _meta }) => name === "read_map" || _meta !== undefined)).toEqual([]);
  expect((await other.listResources()).resources.map(({ uri }) => uri)).not.toContain(MAP);
  expect((await other.callTool(LOCATE))._meta?.["fleetwire/record"]).toBeUndefined();
  const { isError, structuredContent } = await other.callTool({ name: "read_map", arguments: {} });
  expect({ isError, structuredContent }).toEqual({ isError: true, structuredContent: undefined });
});

describe("a host that shows apps", () => {
  it("finds the map attached to the tools that answer where, and a tool that only the map sees", async () => {
    const { tools } = await client.listTools();
    const attached = tools.filter(({ _meta }) => (_meta?.["ui"] as { resourceUri?: string } | undefined)?.resourceUri === MAP);
    const names = ["find_nearest_vehicles", "list_live_positions", "locate_vehicle", "read_map", "summarize_fleet"];
    expect(attached.map(({ name }) => name).sort()).toEqual(names);
    expect(tools.find(({ name }) => name === "read_map")?._meta).toEqual({ ui: { resourceUri: MAP, visibility: ["app"] } });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain(MAP);
  });

  it(`reads it as one file of less than ${MAX_PAGE_BYTES / 1000} kB that may load nothing but tiles from FLEET_TILES_URL`, async () => {
    const { html, mimeType, ui } = await readApp(client);
    expect({ mimeType, csp: ui.csp }).toEqual({ mimeType: MIME_TYPE, csp: { connectDomains: [], resourceDomains: [] } });
    expect(new TextEncoder().encode(html).length).toBeLessThan(MAX_PAGE_BYTES);
    expect(html).toBe(await readFile(createRequire(import.meta.url).resolve("@fleetwire/map/map-app.html"), "utf8"));
    const tiles = await readApp(
      await connected({ ...service.env, FLEET_TILES_URL: "https://{s}.tiles.example/{z}/{x}/{y}.png?a&b" }, APPS),
    );
    expect(tiles.ui.csp).toEqual({ connectDomains: [], resourceDomains: ["https://*.tiles.example"] });
    expect(tiles.html).toContain('<meta name="tiles" content="https://{s}.tiles.example/{z}/{x}/{y}.png?a&#38;b">');
  });

  it("gets the record for the map beside the result where the model gets text only", async () => {
    const { structuredContent, _meta } = await (await connected({ ...service.env, FLEET_RESULT: "text" }, APPS)).callTool(LOCATE);
    expect(structuredContent).toBeUndefined();
    expect(_meta?.["fleetwire/record"]).toMatchObject({ vehicle: { assetId: "truck-12" } });
  });
});

describe("the map in a host", () => {
  beforeEach(({ skip }) => skip(browser === undefined, "There is no Chromium"));

  it("introduces itself, asks for its height, shows what the model was told, and sends no request to anywhere", async () => {
    const app = await show();
    const host = await app.page.evaluate(() => (window as unknown as { host: { app: object; sizes: object[] } }).host);
    expect(host.app).toMatchObject({ name: "fleetwire-map" });
    expect(host.sizes.at(-1)).toEqual({ height: 460 });
    expect(await app.frame.locator(".panel-text").textContent()).toBe((app.result.content[0] as { text: string }).text);
    expect(await app.frame.locator("h1").textContent()).toBe("Truck 12");
    expect(await app.frame.locator(".panel-age").textContent()).toMatch(/^Position \d+ (?:s|min) ago$/);
    await app.frame.locator(".fleet-map-area").press("+");
    await app.frame.getByRole("button", { name: "Refresh" }).click();
    expect([app.requests.filter((url) => !isPage(url)), app.complaints]).toEqual([[], []]);
  });

  it("has the vehicle in the middle, and the others faded where they should be", async () => {
    const { frame } = await show();
    await middleBecomes(frame, light.states.driving);
    // The others are drawn once the fleet has been read.
    await expect.poll(async () => (await pixelAt(frame, PIXELS_PER_DEGREE))[3]).toBeGreaterThan(0);
    const [van, eVan] = await Promise.all([pixelAt(frame, PIXELS_PER_DEGREE), pixelAt(frame, 5 - PIXELS_PER_DEGREE)]);
    expect({ van, isColour: isColour(van, light.states.stopped) }).toMatchObject({ isColour: true });
    expect(van[3]).toBeLessThan(140);
    expect({ eVan, isColour: isColour(eVan, light.states.charging) }).toMatchObject({ isColour: true });
  });

  it("joins the stops of one vehicle's trips by straight, dashed lines, and says so", async () => {
    const sandbox = await connected({ FLEET_TIME_ZONE: "UTC", FLEET_LOG: "silent" }, APPS, ["--sandbox"]);
    const trips = { vehicle: "truck 12", period: "yesterday" };
    const { frame, calls, result } = await show({ name: "trips_and_stops", arguments: trips }, {}, sandbox);
    expect(JSON.stringify(result.structuredContent)).not.toContain("endLatitude");
    const legend = frame.locator(".fleet-map-legend");
    await expect.poll(() => legend.textContent()).toContain("Straight lines between stops, not the road");
    expect(calls.find(({ name }) => name === "trips_and_stops")?.arguments).toMatchObject(trips);
    const dashes = (colour: number[]) => {
      const canvas = document.querySelector(".fleet-map-area .leaflet-overlay-pane canvas") as HTMLCanvasElement;
      const { data } = (canvas.getContext("2d") as CanvasRenderingContext2D).getImageData(0, 0, canvas.width, canvas.height);
      return data.reduce(
        (count, _, at) => count + Number(at % 4 === 0 && colour.every((value, channel) => data[at + channel] === value)),
        0,
      );
    };
    await expect.poll(() => frame.evaluate(dashes, colourOf(light.selection))).toBeGreaterThan(100);
    // The rest of the fleet, which is read at the same time, does not widen the view.
    const list = frame.getByLabel("Vehicles in view");
    await list.locator("option").first().waitFor({ state: "attached" });
    expect(Number.parseInt((await frame.locator(".leaflet-control-scale-line").textContent()) ?? "", 10)).toBeLessThan(500);
    await list.selectOption({ index: 0 });
    await expect.poll(() => legend.textContent()).not.toContain("Straight lines");
  });

  it("offers the vehicles of a list, and shows where the chosen one is", async () => {
    const { frame, calls } = await show({ name: "list_live_positions", arguments: {} });
    await frame
      .locator(".panel-row strong")
      .filter({ hasText: /^Van 7$/ })
      .click();
    await expect.poll(() => frame.locator("h1").textContent()).toBe("Van 7");
    await middleBecomes(frame, light.states.stopped);
    expect(calls.at(-1)).toEqual({ name: "locate_vehicle", arguments: { query: "van-7" } });
  });

  it.each<[string, LivePosition[], RegExp]>([
    ["leaves out a vehicle at 0, 0", [truck12, vehicle("Zero", { latitude: 0, longitude: 0 })], /^[1-9]0? km$/],
    ["leaves out a vehicle next to 0, 0", [truck12, vehicle("Near", { latitude: 0.00002, longitude: -0.001 })], /^[1-9]0? km$/],
    [
      "shows a fleet on both sides of the date line from near",
      [vehicle("Suva", { latitude: -18.1, longitude: 178.4 }), vehicle("Apia", { latitude: -13.8, longitude: -171.8 })],
      /^[1-5]00 km$/,
    ],
  ])("%s", async (_, fleet, scale) => {
    service.positions = fleet;
    const { frame } = await show({ name: "summarize_fleet", arguments: {} });
    const placed = fleet.filter(({ latitude = 0 }) => Math.abs(latitude) > 1);
    await expect.poll(() => frame.locator(".fleet-map-list option").count()).toBe(placed.length);
    expect(await frame.locator(".leaflet-control-scale-line").textContent()).toMatch(scale);
  });

  it("shows nothing of a private journey", async () => {
    const { frame } = await show({ name: "locate_vehicle", arguments: { query: "private car" } });
    expect(await frame.locator(".panel-text").textContent()).toContain("private journey");
    expect(await frame.locator(".fleet-map-list option").count()).toBe(positions.length - 1);
    expect(await frame.locator(".fleet-map-list option", { hasText: "Private" }).count()).toBe(0);
    const { structuredContent } = await client.callTool({ name: "read_map", arguments: {} });
    expect(structuredContent).toMatchObject({ total: positions.length, withoutPlace: 1 });
    expect(JSON.stringify(structuredContent)).not.toContain("45.2");
  });

  it("shows hostile names as text", async () => {
    const { frame, complaints } = await show({ name: "locate_vehicle", arguments: { query: "hostile" } });
    expect(await frame.locator("h1").textContent()).toContain("<img src=x");
    expect(await frame.locator(".fleet-map-list option", { hasText: "<img src=x" }).count()).toBe(1);
    expect([await frame.locator("img").count(), complaints]).toEqual([0, []]);
  });

  it("draws tiles from the server in FLEET_TILES_URL, and sends no request to any other", async () => {
    const { origin, env } = service;
    const withTiles = await connected({ ...env, FLEET_TILES_URL: `${origin}/{z}/{x}/{y}.png` }, APPS);
    const { frame, requests, complaints } = await show(LOCATE, {}, withTiles);
    await expect.poll(() => frame.locator("img.leaflet-tile-loaded").count(), { timeout: 10_000 }).toBeGreaterThan(3);
    expect([requests.filter((url) => !url.startsWith(origin) && !isPage(url)), complaints]).toEqual([[], []]);
    expect(requests.find((url) => url.startsWith(origin))).toMatch(/\/\d+\/\d+\/\d+\.png$/);
    await middleBecomes(frame, light.states.driving);
  });

  it("follows the host's theme", async () => {
    const { page, frame } = await show();
    await page.evaluate(() => {
      const { bridge } = (window as unknown as { host: { bridge: { setHostContext(context: object): void } } }).host;
      bridge.setHostContext({ theme: "dark" });
    });
    await middleBecomes(frame, dark.states.driving);
    expect(await frame.locator("html").getAttribute("data-theme")).toBe("dark");
  });

  it("calls the tool again to refresh, and keeps a followed vehicle in the middle until the map is dragged", async () => {
    const { page, frame, calls } = await show();
    const follow = frame.getByRole("button", { name: "Follow" });
    await follow.click();
    service.positions = [{ ...truck12, latitude: 47.1, longitude: 7.4, formattedAddress: "Biel/Bienne, Switzerland" }];
    await frame.getByRole("button", { name: "Refresh" }).click();
    await expect.poll(() => frame.locator(".panel-text").textContent()).toContain("Biel/Bienne");
    expect(calls.filter(({ name }) => name === LOCATE.name)).toEqual([LOCATE]);
    await middleBecomes(frame, light.states.driving);
    expect(await follow.getAttribute("aria-pressed")).toBe("true");
    await drag(page);
    await expect.poll(() => follow.getAttribute("aria-pressed")).toBe("false");
  });

  it("is read and moved by keyboard", async () => {
    const { page, frame } = await show();
    const scale = frame.locator(".leaflet-control-scale-line");
    const before = await scale.textContent();
    await frame.locator(".fleet-map-area").press("+");
    await expect.poll(() => scale.textContent()).not.toBe(before);
    await frame.locator(".fleet-map-area").press("0");
    await frame.locator(".fleet-map-list").focus();
    await expect.poll(() => frame.locator(".fleet-map-list option").count()).toBe(positions.length - 1);
    await page.keyboard.press("End");
    await expect.poll(() => frame.locator("[role=status]").textContent()).toMatch(/^Van 7: stopped, seen /);
    expect(await frame.locator(".fleet-map-list option:checked").textContent()).toMatch(/^Van 7/);
    await expect.poll(() => frame.locator("h1").textContent()).toBe("Van 7");
    await expect.poll(() => frame.locator(".panel-text").textContent()).toContain("Van 7");
  });

  it("shows the answer alone if the host passes on no calls", async () => {
    const { frame } = await show(LOCATE, { callsTools: false });
    await middleBecomes(frame, light.states.driving);
    expect(await frame.getByRole("button", { name: "Refresh" }).count()).toBe(0);
  });

  it.each([
    ["light", { width: 900, height: 520 }],
    ["dark", { width: 900, height: 520 }],
    ["light", { width: 390, height: 700 }],
  ] as const)("has no serious fault of accessibility (%s, %o)", async (theme, viewport) => {
    const { frame } = await show(LOCATE, { theme, viewport });
    expect(await faultsOf(frame)).toEqual(NO_FAULTS);
    const [map, panel] = await Promise.all([".fleet-map", ".panel"].map((part) => frame.locator(part).boundingBox()));
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
