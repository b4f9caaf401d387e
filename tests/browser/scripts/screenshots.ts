// Takes pictures of the console in every state, from the built sandbox. Look at them before you change how it looks:
//   npx tsx scripts/screenshots.ts [FOLDER]
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { findChromium, launchChromium } from "../src/chromium.ts";
import { DESKTOP, type Look, openConsole, PHONE, selectVehicle } from "../src/console-page.ts";
import { SUNDAY_AT_THREE, startConsoleScript } from "../src/started-program.ts";

const [folder = fileURLToPath(new URL("../screenshots", import.meta.url))] = process.argv.slice(2);
const { path } = findChromium() as { path: string };

/** Long enough for the map to be drawn and the panel to be read. */
const SETTLED_MS = 1_500;

const states: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  fleet: async () => {},
  vehicle: (page) => selectVehicle(page, "truck 12"),
  electric: (page) => selectVehicle(page, "evan 3"),
  private: async (page) => {
    await page
      .getByRole("button", { name: /Private journey/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Energy" }).waitFor();
  },
  groups: async (page) => {
    await page.getByRole("button", { name: "Groups" }).click();
    await page.getByRole("button", { name: /^Poznań Depot/ }).click();
  },
  jobs: (page) => page.getByRole("button", { name: /^Jobs/ }).click(),
  "no-match": async (page) => {
    await page.getByRole("searchbox").fill("zeppelin 9");
    await page.getByText(/^No vehicle matches/).waitFor();
  },
  faults: async (page) => {
    await selectVehicle(page, "truck 12");
    await page.getByRole("button", { name: "Faults", exact: true }).click();
  },
  failing: async (page) => {
    await page.getByRole("button", { name: "Faults", exact: true }).click();
    await page.getByLabel("Affect").selectOption("every request");
    await page.getByRole("switch", { name: /^503/ }).click();
    await page.getByText(/^The service is failing/).waitFor();
    await page.getByRole("button", { name: "Requests" }).click();
  },
  clock: async (page) => {
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Jump", { exact: true }).click();
  },
};

const looks: Readonly<Record<string, Look>> = {
  light: { scheme: "light", size: DESKTOP },
  dark: { scheme: "dark", size: DESKTOP },
  phone: { scheme: "light", size: PHONE },
  "phone-dark": { scheme: "dark", size: PHONE },
};

async function take(browser: Browser, look: string, state: string): Promise<void> {
  // Each state has a sandbox of its own, as some of them change it.
  const { origin, stop } = await startConsoleScript("--clock", SUNDAY_AT_THREE);
  const { page, close } = await openConsole(browser, `${origin}/`, looks[look]);
  await states[state]?.(page);
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: `${folder}/${state}-${look}.png` });
  await close();
  await stop();
  console.log(`${state}-${look}.png`);
}

await mkdir(folder, { recursive: true });
const browser = await launchChromium(path);
for (const look of Object.keys(looks)) for (const state of Object.keys(states)) await take(browser, look, state);
await browser.close();
