// Takes pictures of the map in a host, in each state, into screenshots/, and updates the one in the README.
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { APPS, connect, type ShownApp, showApp } from "../test/app-host.ts";
import { launchBrowser } from "../test/browser.ts";

const folder = fileURLToPath(new URL("../screenshots/", import.meta.url));
const README_PICTURE = fileURLToPath(new URL("../../../docs/images/where-is-truck-12.png", import.meta.url));
/** Milliseconds until tiles and markers are drawn. */
const SETTLE = 1500;

const WIDE = { width: 960, height: 460 };
const PHONE = { width: 390, height: 620 };
const TRACK = { name: "trips_and_stops", arguments: { vehicle: "truck 12", period: "yesterday", where: "kind=stop" } };
const locate = (query: string) => ({ name: "locate_vehicle", arguments: { query } });

type Shot = [
  name: string,
  call: ReturnType<typeof locate> | { name: string; arguments: Record<string, unknown> },
  options: object,
  act?: (app: ShownApp) => Promise<unknown>,
];

const shots: Shot[] = [
  ["one-vehicle", locate("truck 12"), { viewport: WIDE }],
  ["one-vehicle-dark", locate("truck 12"), { viewport: WIDE, theme: "dark" }],
  ["one-vehicle-phone", locate("truck 12"), { viewport: PHONE }],
  ["one-vehicle-phone-dark", locate("truck 12"), { viewport: PHONE, theme: "dark" }],
  ["nearest", { name: "find_nearest_vehicles", arguments: { to: "Lyon", limit: 5 } }, { viewport: WIDE }],
  ["fleet", { name: "summarize_fleet", arguments: {} }, { viewport: WIDE }],
  ["fleet-dark", { name: "summarize_fleet", arguments: {} }, { viewport: WIDE, theme: "dark" }],
  ["list", { name: "list_live_positions", arguments: {} }, { viewport: WIDE }],
  ["ambiguous", locate("truck"), { viewport: WIDE }],
  ["closer", locate("truck 12"), { viewport: WIDE }, (app) => zoom(app, 3)],
  ["far", locate("truck 12"), { viewport: WIDE }, (app) => zoom(app, -4)],
  ["vehicle-list", { name: "summarize_fleet", arguments: {} }, { viewport: WIDE }, (app) => app.frame.locator(".fleet-map-list").focus()],
  ["track", TRACK, { viewport: WIDE }],
  ["track-dark", TRACK, { viewport: WIDE, theme: "dark" }],
  ["track-phone", TRACK, { viewport: PHONE }],
  ["following", locate("truck 12"), { viewport: WIDE }, (app) => app.frame.getByRole("button", { name: "Follow" }).click()],
];

async function zoom(app: ShownApp, steps: number): Promise<void> {
  for (let step = 0; step < Math.abs(steps); step++) {
    await app.frame.locator(".fleet-map-area").press(steps > 0 ? "+" : "-");
    await app.page.waitForTimeout(400);
  }
}

const wanted = process.argv.slice(2);
const browser = await launchBrowser();
if (!browser) process.exit(1);
await mkdir(folder, { recursive: true });
const client = await connect({}, APPS, ["--sandbox"]);
for (const [name, call, options, act] of shots) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const app = await showApp(browser, client, call, options);
  await act?.(app);
  await app.page.waitForTimeout(SETTLE);
  await app.page.screenshot({ path: `${folder}${name}.png` });
  if (name === "one-vehicle") await app.page.screenshot({ path: README_PICTURE });
  if (app.complaints.length > 0) console.error(name, app.complaints);
  await app.close();
}
await client.close();
await browser.close();
console.log(folder);
