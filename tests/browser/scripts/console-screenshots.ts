// Takes pictures of the console in every state, from the built sandbox. Check them whenever you change how it looks:
//   node --conditions=fleetwire-source --import tsx scripts/console-screenshots.ts [LOOK | picture]
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../test/browser.ts";
import { DESKTOP, type Look, openConsole, PHONE, selectVehicle } from "../test/console-page.ts";
import { SUNDAY_AT_THREE, startConsoleScript } from "../test/started-program.ts";

const folder = fileURLToPath(new URL("../screenshots/console", import.meta.url));
const [only] = process.argv.slice(2);

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
  clock: async (page) => {
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Jump", { exact: true }).click();
  },
  failing: async (page) => {
    await page.getByRole("button", { name: "Faults", exact: true }).click();
    await page.getByLabel("Affect").selectOption("every request");
    await page.getByRole("switch", { name: /^503/ }).click();
    await page.getByText(/^The service is failing/).waitFor();
    await page.getByRole("button", { name: "Requests" }).click();
  },
};

const looks: Readonly<Record<string, Look>> = {
  light: { scheme: "light", size: DESKTOP },
  dark: { scheme: "dark", size: DESKTOP },
  phone: { scheme: "light", size: PHONE },
  "phone-dark": { scheme: "dark", size: PHONE },
};

/** Every state gets its own page, and every look its own sandbox. The states that change the sandbox come last. */
async function takeAll(browser: Browser, look: string): Promise<void> {
  const { origin, stop } = await startConsoleScript("--clock", SUNDAY_AT_THREE);
  for (const [state, reach] of Object.entries(states)) {
    const { page, close } = await openConsole(browser, `${origin}/`, looks[look]);
    await reach(page);
    await page.waitForTimeout(SETTLED_MS);
    await page.screenshot({ path: `${folder}/${state}-${look}.png` });
    await close();
  }
  await stop();
}

/** The picture in the README: truck 12, followed on a map zoomed in far enough to show its road. */
async function takePicture(browser: Browser): Promise<void> {
  const { origin, stop } = await startConsoleScript("--clock", SUNDAY_AT_THREE);
  const { page, close } = await openConsole(browser, `${origin}/`, { size: { width: 1440, height: 800 } });
  await selectVehicle(page, "truck 12");
  await page.getByRole("searchbox").fill("");
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: fileURLToPath(new URL("../../../docs/images/console.png", import.meta.url)) });
  await close();
  await stop();
}

await mkdir(folder, { recursive: true });
const browser = await launchBrowser();
if (browser) {
  for (const look of Object.keys(looks)) if (only === undefined || look === only) await takeAll(browser, look);
  if (only === undefined || only === "picture") await takePicture(browser);
}
await browser?.close();
