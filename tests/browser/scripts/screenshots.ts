// Takes pictures of the console and of the map in a host into screenshots/, and updates those in the README. Check them whenever you change how either looks:
//   npm run -s screenshots -- [picture ...]
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { APPS, connect, showApp } from "../test/app-host.ts";
import { DESKTOP, openConsole, PHONE, selectVehicle } from "../test/pages.ts";
import { launchBrowser, SUNDAY_AT_THREE, startConsoleScript } from "../test/programs.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const folder = here("../screenshots");
/** Long enough for the map to be drawn. */
const SETTLED_MS = 1_500;

/** How the console gets into each state. Those that change the sandbox come last. */
const states: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  fleet: async () => {},
  vehicle: (page) => selectVehicle(page, "truck 12"),
  electric: (page) => selectVehicle(page, "evan 3"),
  private: (page) =>
    page
      .getByRole("button", { name: /Private journey/ })
      .first()
      .click(),
  groups: (page) => page.getByRole("tab", { name: "Groups" }).click(),
  jobs: (page) => page.getByRole("tab", { name: /^Jobs/ }).click(),
  events: (page) => page.getByRole("tab", { name: /^Events/ }).click(),
  "no-match": (page) => page.getByRole("searchbox").fill("zeppelin 9"),
  clock: async (page) => {
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Jump", { exact: true }).click();
  },
  failing: async (page) => {
    await page.getByRole("contentinfo").getByRole("button", { name: "Faults", exact: true }).click();
    await page.getByLabel("Affect").selectOption("every request");
    await page.getByRole("switch", { name: /^503/ }).click();
    await page.getByText(/^The service is failing/).waitFor();
    await page.getByRole("button", { name: "Requests" }).click();
  },
};

const calls: Readonly<Record<string, { name: string; arguments: Record<string, unknown> }>> = {
  "one-vehicle": { name: "locate_vehicle", arguments: { query: "truck 12" } },
  nearest: { name: "find_nearest_vehicles", arguments: { to: "Lyon", limit: 5 } },
  list: { name: "list_live_positions", arguments: {} },
  ambiguous: { name: "locate_vehicle", arguments: { query: "truck" } },
  track: { name: "trips_and_stops", arguments: { vehicle: "truck 12", period: "yesterday", where: "kind=stop" } },
};

const looks = [
  { look: "light", scheme: "light", size: DESKTOP, host: { width: 960, height: 460 } },
  { look: "dark", scheme: "dark", size: DESKTOP, host: { width: 960, height: 460 } },
  { look: "phone", scheme: "light", size: PHONE, host: { width: 390, height: 620 } },
] as const;
const README: Readonly<Record<string, string>> = {
  "map-one-vehicle-light": "where-is-truck-12.png",
  "console-picture-light": "console.png",
};

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

async function take(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: `${folder}/${name}.png` });
  const picture = README[name];
  if (picture !== undefined) await page.screenshot({ path: here(`../../../docs/images/${picture}`) });
}

const browser = await launchBrowser();
if (!browser) process.exit(1);
await mkdir(folder, { recursive: true });
const client = await connect({}, APPS, ["--sandbox"]);
for (const { look, scheme, size, host } of looks) {
  for (const [name, call] of Object.entries(calls)) {
    if (!isWanted(`map-${name}-${look}`)) continue;
    const app = await showApp(browser, client, call, { viewport: host, theme: scheme });
    await take(app.page, `map-${name}-${look}`);
    await app.close();
  }
  const console = await startConsoleScript("--clock", SUNDAY_AT_THREE);
  for (const [name, reach] of Object.entries({ picture: states["vehicle"] ?? states["fleet"], ...states })) {
    if (!isWanted(`console-${name}-${look}`)) continue;
    const viewport = name === "picture" ? { width: 1440, height: 800 } : size;
    const { page, context } = await openConsole(browser, `${console.ready}/`, { scheme, size: viewport });
    await reach?.(page);
    if (name === "picture") await page.getByRole("searchbox").fill("");
    await take(page, `console-${name}-${look}`);
    await context.close();
  }
  await console.end();
}
await client.close();
await browser.close();
