import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { runProgram } from "@fleetwire/packaging";
import { type Program, SERVER } from "@fleetwire/packaging/started-program";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { DESKTOP, faultsOf, type Look, NO_FAULTS, openConsole, PHONE, selectVehicle } from "./pages.ts";
import { fleetEnv, launchBrowser, SUNDAY_AT_THREE, startConsole, startFleet, startSandbox, vehicle } from "./programs.ts";

const HOSTILE = `<img src=x onerror="document.title='owned'">`;

let browser: Browser | undefined;
const folder = mkdtempSync(join(tmpdir(), "fleetwire-console-"));
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
const ending = <Started extends Pick<Program, "end">>(started: Started) => {
  ends.unshift(started.end);
  return started;
};

beforeAll(async () => {
  browser = await launchBrowser();
}, 600_000);

beforeEach(({ skip }) => skip(browser === undefined, "There is no Chromium"));

afterAll(async () => {
  await browser?.close();
  for (const end of ends) await end();
});

async function opened(url: string, look?: Look) {
  const one = await openConsole(browser as Browser, url, look);
  onTestFinished(() => one.context.close());
  return one;
}

const bottomButton = (page: Page, name: string) => page.getByRole("contentinfo").getByRole("button", { name, exact: true });

describe("the console of a sandbox, on a Sunday at three in the morning,", () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  let url: string;

  beforeAll(async () => {
    sandbox = ending(await startSandbox("--clock", SUNDAY_AT_THREE));
    url = `${sandbox.origin}/`;
  });

  it("shows a fleet that drives, and a vehicle: what it does, its driver's day, energy, faults and jobs, and follows it", async () => {
    const { page, complaints } = await opened(url);
    const driving = await page.getByRole("button", { name: /^Driving \d+/ }).textContent();
    expect(Number(/\d+/.exec(driving ?? "")?.[0])).toBeGreaterThanOrEqual(12);
    expect(await page.locator(".map canvas").count()).toBeGreaterThan(0);
    await page.getByRole("searchbox").fill("zeppelin");
    await page.getByText(/^No vehicle matches/).waitFor();
    await selectVehicle(page, "trucl 12");
    expect(await page.getByRole("listitem").filter({ hasText: "Truck 12" }).first().textContent()).toMatch(/km\/h.*s ago/);
    const panel = page.getByRole("complementary");
    await panel.getByText(/^Driving \d+ km\/h/).waitFor();
    const day = panel.getByRole("img", { name: /^Tachograph of the last 24 hours: Driving [1-9]\d?:\d\d/ });
    expect(await day.locator("rect").count()).toBeGreaterThan(4);
    for (const name of [/^Before a break: driven \d:\d\d of 4:30$/, /^Today: driven \d+:\d\d of 9:00$/, /^Fuel \d+ percent$/])
      expect(await panel.getByRole("meter", { name }).count()).toBe(1);
    expect(await panel.getByText(/open faults|lamp/).count()).toBeGreaterThan(0);
    await panel.getByText("No jobs.").waitFor();
    await panel.getByRole("button", { name: "Follow on the map" }).click();
    await panel.getByRole("button", { name: "Following on the map", pressed: true }).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("lists jobs with number and time, and leads from one to its vehicle", async () => {
    const { job } = await createFleetClient(fleetConfigFromEnv(sandbox.env)).createJob({
      jobTitle: "Collect 4 pallets",
      vehicleName: "Van 7",
      address: "Quai Perrache 10, 69002 Lyon, France",
      arrivalWindowStart: "2026-11-22T07:00Z",
      arrivalWindowEnd: "2026-11-22T09:00Z",
    });
    const { page } = await opened(url);
    await page.getByRole("tab", { name: "Jobs (1)" }).click();
    const shown = page.getByRole("tabpanel").getByRole("listitem");
    expect(job?.jobNumber).toMatch(/\w/);
    expect(await shown.textContent()).toContain(`Collect 4 pallets ${job?.jobNumber}`);
    expect(await shown.textContent()).toMatch(/Arrival Sun.* 22 Nov, 08:00\s?–\s?10:00/);
    await shown.getByRole("button", { name: "Van 7" }).click();
    await page.getByRole("heading", { name: "Van 7" }).waitFor();
    await page.getByRole("complementary").getByText("Collect 4 pallets").waitFor();
  });

  it("injects faults that are switched on, as the list of requests shows", async () => {
    const { FLEET_CLIENT_ID, FLEET_CLIENT_SECRET, FLEET_CUSTOMER_ID, FLEET_BASE_URL } = sandbox.env;
    const headers = { authorization: `Basic ${btoa(`${FLEET_CLIENT_ID}:${FLEET_CLIENT_SECRET}`)}`, "user-agent": "dispatch-app/2.0" };
    const status = async () => (await fetch(`${FLEET_BASE_URL}/public/v1/customer/${FLEET_CUSTOMER_ID}/tracking/live`, { headers })).status;
    const { page } = await opened(url);
    expect(await status()).toBe(200);
    await bottomButton(page, "Faults").click();
    await page.getByLabel("Affect").selectOption("every request");
    await page.getByRole("switch", { name: /^503/ }).click();
    await bottomButton(page, "Faults on").waitFor();
    expect(await status()).toBe(503);
    await page.getByRole("button", { name: "Requests" }).click();
    await page.getByLabel("Hide the console's own").check();
    const rows = page.getByRole("row").filter({ hasText: "dispatch-app" });
    const statuses = async () => (await rows.allTextContents()).map((text) => /listLivePositions\D*(\d{3}).*ms/.exec(text)?.[1]);
    await expect.poll(statuses).toEqual(["503", "200"]);
    // The console reads the fleet like any other client, and says so.
    await page.getByText(/^The service is failing/).waitFor();
    await bottomButton(page, "Faults on").click();
    await page.getByRole("button", { name: "Switch all off" }).click();
    await bottomButton(page, "Faults").waitFor();
    await page.getByText(/^The service is failing/).waitFor({ state: "detached" });
    expect(await status()).toBe(200);
  });

  it("pauses the clock, jumps and runs faster", async () => {
    const { page } = await opened(url);
    const time = page.getByRole("banner").locator("time");
    const serverTime = async () => ((await (await fetch(`${url}console/api/status`)).json()) as { now: number }).now;
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume", pressed: true }).waitFor();
    const paused = await serverTime();
    expect(await serverTime()).toBe(paused);
    await page.getByText("Jump", { exact: true }).click();
    await page.getByRole("button", { name: "+8 h" }).click();
    await expect.poll(serverTime).toBe(paused + 8 * 3_600_000);
    await expect.poll(() => time.textContent()).toMatch(/12:0\d:\d\d/);
    await page.getByLabel("Speed").selectOption("× 600");
    await expect.poll(serverTime).toBeGreaterThan(paused + 8 * 3_600_000 + 60_000);
    await page.getByLabel("Speed").selectOption("× 1");
  });

  it.each([
    ["en-US", "America/New_York", /^\d{1,2} [AP]M$/],
    ["ko-KR", "Asia/Seoul", /^\S+ \d+시$/],
  ])("has labels on the axis of a day in %s that do not overlap", async (locale, timezoneId, label) => {
    const { page } = await opened(url, { locale, timezoneId });
    await selectVehicle(page, "truck 12");
    const labels = page.locator(".timeline text");
    expect(await labels.count()).toBeGreaterThan(1);
    for (const text of await labels.allTextContents()) expect(text).toMatch(label);
    const gaps = await labels.evaluateAll((all) => {
      const boxes = all.map((one) => one.getBoundingClientRect());
      return boxes.slice(1).map(({ left }, at) => left - (boxes[at]?.right ?? 0));
    });
    expect(Math.min(...gaps)).toBeGreaterThan(2);
  });

  it.each<[string, Look]>([
    ["in light colours", { size: DESKTOP }],
    ["in dark colours, narrow", { scheme: "dark", size: { width: 1024, height: 700 } }],
    ["on a phone in dark colours", { scheme: "dark", size: PHONE }],
  ])("has no serious accessibility problem %s, and fits", async (_, look) => {
    const { page, complaints } = await opened(url, look);
    const tops = page.locator(".filters button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(await tops).size).toBe(1);
    await selectVehicle(page, "truck 12");
    await bottomButton(page, "Faults").click();
    expect(await faultsOf(page)).toEqual(NO_FAULTS);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Requests" }).click();
    await page.getByRole("tab", { name: "Groups" }).click();
    expect(await faultsOf(page)).toEqual(NO_FAULTS);
    expect(complaints).toEqual([]);
  });

  it("with tokens lets a caller sign in, see the fleet, and sign out; no script can read the token", async () => {
    const tokens = join(folder, "tokens.json");
    const token = (await runProgram(process.execPath, [SERVER, "token", "--tokens-file", tokens, "--name", "night-shift"], ".")).trim();
    const server = ending(await startConsole({ ...sandbox.env, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: tokens }));
    const { page, complaints, context } = await opened(server.ready, { ready: /^Token/ });
    await page.waitForURL("**/console/sign-in");
    expect(await faultsOf(page)).toEqual(NO_FAULTS);
    const signIn = async (typed: string) => {
      await page.getByLabel("Token").fill(typed);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await signIn("canary-wrong");
    await page.getByRole("alert").getByText("This token is not valid.").waitFor();
    await signIn(token);
    await page.getByText(/^\d+ vehicles$/).waitFor();
    const readable = await page.evaluate("JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href])");
    expect(readable).toBe(JSON.stringify(["", {}, {}, server.ready]));
    expect(await context.cookies()).toMatchObject([{ name: "fleetwire-session", httpOnly: true, sameSite: "Strict" }]);

    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByText("No rules are watched: start the server with FLEET_RULES=rules.json").waitFor();
    expect(await page.getByRole("link", { name: "Tell me when" }).getAttribute("href")).toMatch(/^https:\/\/.*\/docs\/watch\.md$/);
    await page.getByRole("link", { name: "night-shift" }).click();
    await page.getByText("Signed in as night-shift").waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULTS);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token").waitFor();
    await page.goto(server.ready);
    await page.waitForURL("**/console/sign-in");
    expect(complaints.filter((text) => !text.includes("status of 401"))).toEqual([]);
  });
});

describe("the console of a server, as traffic control uses it,", () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.\d+/, "");
  const group = { assetGroupId: "g1", assetGroupName: HOSTILE };
  /** Dated when the service starts, since the tests before may take minutes. */
  const fleet = () => [
    vehicle("Alpha", { longitude: 4.9 }),
    vehicle("Bravo", { eventType: "idling", fuelLevelPercentage: 7 }),
    vehicle("Charlie", { date: inHours(-72), eventType: "driving", speed: 80 }),
    vehicle("Delta", { activeFaultCodes: ["P0420"], ...group }),
    vehicle("Echo", { date: inHours(30), ...group }),
    vehicle("Foxtrot", { eventType: "ping", speed: 0 }),
  ];
  let url: string;
  let tiles: string;

  beforeAll(async () => {
    const { env, origin } = ending(await startFleet(fleet()));
    tiles = origin;
    url = ending(await startConsole({ ...env, FLEET_TILES_URL: `${origin}/{z}/{x}/{y}.png?a&b` })).ready;
  });

  const openFleet = (look?: Look, link = url) => opened(link, { tiles, ...look });
  const names = (page: Page) => page.locator(".row-name bdi").allTextContents();
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
  const chip = (page: Page, name: RegExp | string) => page.getByRole("region", { name: "Filters" }).getByRole("button", { name });

  it("lists what needs attention first, can be sorted otherwise, and marks what is old or from the future", async () => {
    const { page } = await openFleet();
    expect(await names(page)).toEqual(["Delta", "Charlie", "Echo", "Bravo", "Alpha", "Foxtrot"]);
    expect(await page.locator(".row.stale .row-name bdi").allTextContents()).toEqual(["Charlie", "Echo"]);
    const rowOf = (name: string) => page.getByRole("button", { name: new RegExp(`^${name}`) });
    expect(await rowOf("Charlie").textContent()).toMatch(/Last: driving.*3 days ago/);
    expect(await rowOf("Echo").textContent()).toMatch(/Last: stopped.*30 h in the future/);
    expect(await rowOf("Foxtrot").textContent()).toMatch(/Unknown activity.*s ago/);
    await page.getByLabel("Order").selectOption("By name");
    expect(await names(page)).toEqual(["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot"]);
    await page.getByLabel("Order").selectOption("Oldest report first");
    expect((await names(page)).at(0)).toBe("Charlie");
    await rowOf("Echo").click();
    await page.getByRole("complementary").getByText("Last: stopped").waitFor();
  });

  it("shows streets from FLEET_TILES_URL, loads nothing else, and has neither faults nor a clock to set", async () => {
    const { page, complaints } = await openFleet();
    await page.getByText("Live fleet, read-only").waitFor();
    await expect.poll(() => page.locator("img.leaflet-tile-loaded").count(), { timeout: 10_000 }).toBeGreaterThan(3);
    expect((await fetch(url)).headers.get("content-security-policy")).toContain(`img-src 'self' data: ${tiles};`);
    expect(await bottomButton(page, "Faults").count()).toBe(0);
    expect(await page.getByRole("banner").getByRole("button", { name: "Pause" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("shows alone what a chip says; chips of one kind add up, and the whole fleet comes back", async () => {
    const { page } = await openFleet();
    const shown: [chips: (string | RegExp)[], names: string[]][] = [
      [[/^Faults 1/], ["Delta"]],
      [[/^Silent 2/], ["Delta", "Charlie", "Echo"]],
      [[/^Faults/, /^Silent/, /^Idling 1/], ["Bravo"]],
      [[/^Driving 1/], ["Charlie", "Bravo"]],
      [[/^Low 1/], ["Bravo"]],
      [["Whole fleet"], ["Delta", "Charlie", "Echo", "Bravo", "Alpha", "Foxtrot"]],
    ];
    for (const [chips, expected] of shown) {
      for (const name of chips) await chip(page, name).click();
      await expect.poll(() => names(page)).toEqual(expected);
    }
    expect(await page.locator(".filter[aria-pressed=true]").count()).toBe(0);
  });

  it("lets the keyboard reach the search with /, the rows with arrows, and return to the row", async () => {
    const { page } = await openFleet();
    await page.getByRole("tab", { name: "Jobs" }).click();
    const steps: [keys: string[], focus: RegExp | string][] = [
      [["/"], "Find a vehicle"],
      [["/", "Backspace", "ArrowDown"], /^Delta/],
      [["End"], /^Foxtrot/],
      [["ArrowUp", "Enter"], /^Alpha/],
      [["ArrowUp"], /^Bravo/],
    ];
    for (const [keys, focus] of steps) {
      for (const key of keys) await page.keyboard.press(key);
      await expect.poll(() => focused(page)).toMatch(focus);
    }
    await page.getByRole("heading", { name: "Bravo" }).waitFor();
    await page.getByRole("button", { name: "Close" }).focus();
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toMatch(/^Bravo/);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => focused(page)).toBe("Find a vehicle");
  });

  it("lets the keyboard go along the tabs with arrows, and traps it nowhere", async () => {
    const { page } = await openFleet();
    await page.getByRole("tab", { name: "Vehicles", selected: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tabpanel", { name: "Groups" }).waitFor();
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

  it("has links to a vehicle, group and filters, whose names are shown as text, and the back button leaves them", async () => {
    const { page, complaints } = await openFleet();
    await page.getByRole("tab", { name: "Groups" }).click();
    await page.getByRole("button", { name: HOSTILE }).click();
    await chip(page, /^Silent 1/).click();
    await page.getByRole("tab", { name: "Vehicles" }).click();
    await page.getByRole("button", { name: /^Echo/ }).click();
    await page.getByRole("heading", { name: "Echo" }).waitFor();
    const link = page.url();
    expect(new URL(link).hash).toBe("#vehicle=echo&group=g1&only=silent");
    await page.goBack();
    await page.getByRole("heading", { name: "Echo" }).waitFor({ state: "detached" });
    const other = await openFleet({ ready: /^1 of 6 vehicles$/ }, link);
    await other.page.getByRole("heading", { name: "Echo" }).waitFor();
    expect(await names(other.page)).toEqual(["Echo"]);
    await chip(other.page, "Whole fleet").click();
    await expect.poll(() => other.page.url()).toBe(url);
    expect([await page.locator("img[src=x]").count(), await page.title(), complaints]).toEqual([0, "Fleetwire console", []]);
    const gone = await openFleet({}, `${url}#vehicle=gone&only=nonsense&tab=nowhere`);
    await gone.page.getByRole("heading", { name: "Unknown vehicle" }).waitFor();
    await gone.page.getByRole("button", { name: "Close" }).click();
    await gone.page.getByRole("complementary").waitFor({ state: "detached" });
  });

  it("reports a service that fails from the first request at once, and does not know its counts", async () => {
    const failing = ending(await startConsole(fleetEnv("http://127.0.0.1:9")));
    const { page } = await opened(failing.ready, { ready: /^There is no data yet: / });
    await page.getByText("No data yet", { exact: true }).waitFor();
    expect(await page.locator(".filter b").allTextContents()).toEqual(Array(8).fill("–"));
    // What else is read meanwhile must not hide it.
    await page.getByRole("button", { name: "Requests" }).click();
    await page.getByRole("row").nth(3).waitFor();
    expect(await page.getByRole("alert").textContent()).toMatch(/^There is no data yet: /);
  });
});

it("events are listed newest first, with text as text, hidden names hidden and the vehicle a step away; a tone and a number only if wanted", async () => {
  const fleet = ending(await startFleet([vehicle(HOSTILE), vehicle("Van 2")]));
  writeFileSync(join(folder, "rules.json"), JSON.stringify({ rules: [{ id: "start", when: "starts" }] }));
  const env = { ...fleet.env, FLEET_RULES: join(folder, "rules.json"), FLEET_DRIVER_NAMES: "hide" };
  const watched = ending(await startConsole(env));
  /** Lets a vehicle stop and drive again, and the console see both. */
  const drive = async (name: string) => {
    const others = fleet.positions.filter(({ assetName }) => assetName !== name);
    for (const changes of [{}, { eventType: "driving", speed: 70 }]) {
      fleet.positions = [...others, vehicle(name, { date: new Date().toISOString(), ...changes })];
      await (await fetch(new URL("/console/api/events", watched.ready))).text();
    }
  };
  const { page, complaints } = await opened(watched.ready);
  await page.evaluate(`
    Object.assign(globalThis, { tones: 0, badges: [] });
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function () { tones++; return start.call(this); };
    const note = async (count = 0) => void badges.push(count);
    Object.assign(navigator, { setAppBadge: note, clearAppBadge: note });
  `);
  const heard = () => page.evaluate("JSON.stringify([tones, badges])");
  const panel = page.getByRole("tabpanel");
  const events = panel.getByRole("listitem").filter({ hasText: "· start ·" });
  const eventsTab = page.getByRole("tab", { name: "Events", exact: true });
  await eventsTab.click();
  await panel.getByText(/^Nothing has happened since /).waitFor();
  await panel.getByText("1 rule", { exact: true }).click();
  await panel.getByText("start: when any vehicle starts driving after a stop").waitFor();

  await page.getByRole("tab", { name: "Vehicles" }).click();
  await drive(HOSTILE);
  await eventsTab.click();
  await events.getByRole("button", { name: HOSTILE }).click();
  await page.getByRole("heading", { name: HOSTILE }).waitFor();
  await page
    .getByText(/^Driver [0-9a-f]{10}$/)
    .first()
    .waitFor();
  expect(await page.locator("body").textContent()).not.toContain("Sousa");
  expect([await page.locator("img[src=x]").count(), await page.title()]).toEqual([0, "Fleetwire console"]);
  expect(await heard()).toBe("[0,[]]");

  await panel.getByRole("switch", { name: /^Alert me/ }).click();
  await page.getByRole("tab", { name: "Jobs" }).click();
  await drive("Van 2");
  const tab = page.getByRole("tab", { name: "Events (1)", exact: true });
  await tab.waitFor();
  expect([await page.title(), await heard()]).toEqual(["(1) Fleetwire console", "[1,[1]]"]);
  await tab.click();
  expect(await events.allTextContents()).toEqual([expect.stringMatching(/^Van 2 .*started/), expect.stringContaining(HOSTILE)]);
  await eventsTab.waitFor();
  expect([await page.title(), await heard()]).toEqual(["Fleetwire console", "[1,[1,0]]"]);
  expect(await faultsOf(page)).toEqual(NO_FAULTS);
  await page.reload();
  await panel.getByRole("switch", { name: /^Alert me/, checked: true }).click();
  expect([await page.evaluate("localStorage.length"), complaints]).toEqual([0, []]);

  const phone = await opened(`${watched.ready}#tab=events`, { size: PHONE, scheme: "dark", ready: /^1 rule$/ });
  await phone.page.getByText("1 rule", { exact: true }).click();
  expect(await faultsOf(phone.page)).toEqual(NO_FAULTS);
});
