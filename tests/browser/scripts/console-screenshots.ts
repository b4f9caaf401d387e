// Takes pictures of the console in every state, from the built sandbox and the built server. Check them whenever you change how it looks:
//   node --conditions=fleetwire-source --import tsx scripts/console-screenshots.ts [LOOK | picture]
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../test/browser.ts";
import { DESKTOP, type Look, openConsole, PHONE, selectVehicle } from "../test/console-page.ts";
import { startFleet, vehicle } from "../test/fleet-service.ts";
import { addToken, SUNDAY_AT_THREE, startConsoleScript, startServer } from "../test/started-program.ts";

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
    await page.getByRole("tab", { name: "Groups" }).click();
    await page.getByRole("button", { name: /^Poznań Depot/ }).click();
  },
  jobs: (page) => page.getByRole("tab", { name: /^Jobs/ }).click(),
  "job-of-vehicle": async (page) => {
    await selectVehicle(page, "truck 12");
    await page.getByRole("heading", { name: "Jobs" }).scrollIntoViewIfNeeded();
  },
  "only-faults": (page) =>
    page
      .getByRole("region", { name: "Filters" })
      .getByRole("button", { name: /^Faults/ })
      .click(),
  "by-name": async (page) => {
    await page.getByLabel("Order").selectOption("By name");
    await page.getByRole("button", { name: /^Truck 3\b/ }).focus();
    await page.keyboard.press("ArrowDown");
  },
  "unknown-vehicle": (page) =>
    page.evaluate(() => {
      location.hash = "vehicle=gone";
    }),
  "no-match": async (page) => {
    await page.getByRole("searchbox").fill("zeppelin 9");
    await page.getByText(/^No vehicle matches/).waitFor();
  },
  faults: async (page) => {
    await selectVehicle(page, "truck 12");
    await page.getByRole("contentinfo").getByRole("button", { name: "Faults", exact: true }).click();
  },
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

const DAY = 24 * 3_600_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString().replace(/\.\d+/, "");

/** Fleets that the sandbox does not simulate, served by the server. */
const fleets: Readonly<Record<string, Parameters<typeof startFleet>[0]>> = {
  stale: [
    vehicle("Fresh", { eventType: "driving", speed: 71, heading: 200, latitude: 45.9 }),
    vehicle("Silent for days", { eventType: "driving", speed: 80, date: inDays(-3), longitude: 5.4 }),
    vehicle("From the future", { date: inDays(400), longitude: 4.3 }),
    vehicle("Without a date", { date: undefined as never, latitude: 45.4 }),
    vehicle("At 0, 0", { latitude: 0, longitude: 0 }),
    vehicle("Faulty, low and silent", { activeFaultCodes: ["P0420", "P2002"], fuelLevelPercentage: 4, date: inDays(-2), longitude: 5.9 }),
    vehicle("Pinging", { eventType: "ping", latitude: 46.1, longitude: 5.2 }),
  ],
  "date-line": [
    vehicle("Suva", { latitude: -18.1, longitude: 178.4 }),
    vehicle("Apia", { latitude: -13.8, longitude: -171.8 }),
    vehicle("Nuku'alofa", { latitude: -21.1, longitude: -175.2 }),
    vehicle("Auckland", { latitude: -36.8, longitude: 174.8 }),
  ],
  empty: [],
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

async function takeFleets(browser: Browser, look: string): Promise<void> {
  const take = async (state: string, env: Record<string, string>, ready: RegExp) => {
    const server = await startServer(env);
    const { page, close } = await openConsole(browser, server.ready, {
      ...looks[look],
      ready,
      locale: "en-US",
      timezoneId: "America/New_York",
    });
    await page.waitForTimeout(SETTLED_MS);
    await page.screenshot({ path: `${folder}/${state}-${look}.png` });
    await close();
    await server.stop();
  };
  for (const [state, positions] of Object.entries(fleets)) {
    const service = await startFleet(positions);
    await take(state, service.env, /^\d+ vehicles$/);
    if (state === "empty")
      await take("failing-from-start", { ...service.env, FLEET_BASE_URL: "http://127.0.0.1:9" }, /^There is no data yet/);
    await service.close();
  }
}

const EVENT_RULES = [
  { id: "set-off", when: "starts" },
  { id: "too-fast", when: "speedOver", kmh: 90 },
  { id: "arrive", when: "arrives", vehicle: "Pinging", at: { lat: 45.76, lng: 4.84, radiusMetres: 300 } },
];

/** The events: none yet, several with one noticed late, a service that fails, rules that are refused, and no rules. */
async function takeEvents(browser: Browser, look: string): Promise<void> {
  const rules = `${await mkdtemp(join(tmpdir(), "fleetwire-console-"))}/rules.json`;
  const write = (list: object[]) => writeFile(rules, JSON.stringify({ rules: list }));
  const service = await startFleet((fleets["stale"] ?? []).filter(({ date }) => date !== undefined));
  const take = async (state: string, env: Record<string, string>, happen: (page: Page) => Promise<void>) => {
    const server = await startServer({ ...service.env, ...env });
    const { page, close } = await openConsole(browser, `${server.ready}#tab=events`, {
      ...looks[look],
      ready: /^Nothing has|^Rules not |^No rules/,
    });
    await happen(page);
    await page.waitForTimeout(SETTLED_MS);
    await page.screenshot({ path: `${folder}/${state}-${look}.png` });
    await close();
    await server.stop();
  };
  const report = (name: string, changes: Parameters<typeof vehicle>[1]) => {
    service.positions = [...service.positions.filter(({ assetName }) => assetName !== name), vehicle(name, changes)];
  };
  await write(EVENT_RULES);
  await take("events-none-yet", { FLEET_RULES: rules }, async () => {});
  await take("events", { FLEET_RULES: rules }, async (page) => {
    await page.getByRole("switch", { name: /^Alert me/ }).click();
    await page.getByText("3 rules", { exact: true }).click();
    report("Pinging", { eventType: "stopped", latitude: 45.76, longitude: 4.84 });
    await page
      .getByText(/arrived/)
      .first()
      .waitFor();
    report("Silent for days", { eventType: "driving", speed: 97, date: inDays(-480 / 86_400) });
    // Dates have no fraction: this record has to be later than the one before.
    report("Pinging", { eventType: "driving", speed: 30, date: inDays(2 / 86_400) });
    await page
      .getByText(/started driving/)
      .first()
      .waitFor();
    await page.getByRole("tab", { name: "Events" }).focus();
  });
  await write([{ id: "arrive", when: "arrives", vehicle: "Pinging 7", at: { location: "Lyon Depot" } }]);
  await take("events-refused", { FLEET_RULES: rules }, async () => {});
  await take("events-no-rules", {}, async () => {});
  await service.close();
  await rm(dirname(rules), { recursive: true });
}

/** What a caller sees before the fleet, and when choosing to leave it. */
async function takeSignIn(browser: Browser, look: string): Promise<void> {
  const tokens = `${await mkdtemp(join(tmpdir(), "fleetwire-console-"))}/tokens.json`;
  const token = addToken(tokens, "night-shift");
  const service = await startFleet(fleets["stale"] ?? []);
  const server = await startServer({ ...service.env, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: tokens });
  const { scheme = "light", size = DESKTOP } = looks[look] ?? {};
  const page = await browser.newPage({ colorScheme: scheme, viewport: size });
  const take = (state: string) => page.screenshot({ path: `${folder}/${state}-${look}.png` });
  await page.goto(server.ready);
  await take("sign-in");
  for (const [typed, state] of [
    ["canary-wrong", "sign-in-refused"],
    [token, "signed-in"],
  ] as const) {
    await page.getByLabel("Token").fill(typed);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(state === "signed-in" ? /^\d+ vehicles$/ : "This token is not valid.").waitFor();
    await page.waitForTimeout(SETTLED_MS);
    await take(state);
  }
  await page.getByRole("link", { name: "night-shift" }).click();
  await page.getByText("Signed in as night-shift").waitFor();
  await take("sign-out");
  await page.close();
  await server.stop();
  await service.close();
  await rm(dirname(tokens), { recursive: true });
}

/** The timeline's labels in a locale with twelve hours. */
async function takeTwelveHours(browser: Browser, look: string): Promise<void> {
  const { origin, stop } = await startConsoleScript("--clock", SUNDAY_AT_THREE);
  const { page, close } = await openConsole(browser, `${origin}/`, { ...looks[look], locale: "en-US", timezoneId: "America/New_York" });
  await selectVehicle(page, "truck 12");
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: `${folder}/twelve-hours-${look}.png` });
  await close();
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
  for (const look of Object.keys(looks)) {
    if (only !== undefined && look !== only) continue;
    await takeSignIn(browser, look);
    await takeFleets(browser, look);
    await takeEvents(browser, look);
    await takeTwelveHours(browser, look);
    await takeAll(browser, look);
  }
  if (only === undefined || only === "picture") await takePicture(browser);
}
await browser?.close();
