import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { launchBrowser } from "./browser.ts";
import { type Look, openConsole, PHONE, selectVehicle, seriousFindings } from "./console-page.ts";
import { type StartedSandbox, SUNDAY_AT_THREE, startSandbox } from "./started-program.ts";

const HOSTILE = `<img src=x onerror="document.title='owned'">`;

let browser: Browser | undefined;
let sandbox: StartedSandbox;

beforeAll(async () => {
  browser = await launchBrowser();
  sandbox = await startSandbox("--clock", SUNDAY_AT_THREE);
}, 600_000);

beforeEach(({ skip }) => skip(browser === undefined, "There is no Chromium"));

afterAll(async () => {
  await browser?.close();
  await sandbox.stop();
});

async function opened(look?: Look) {
  const { page, complaints, close } = await openConsole(browser as Browser, `${sandbox.origin}/`, look);
  onTestFinished(close);
  return { page, complaints };
}

/** Calls the sandbox as any client does. */
async function call(method: string, path: string, body?: object) {
  const { FLEET_CLIENT_ID, FLEET_CLIENT_SECRET, FLEET_CUSTOMER_ID, FLEET_BASE_URL } = sandbox.env;
  return fetch(`${FLEET_BASE_URL}/public/v1/customer/${FLEET_CUSTOMER_ID}${path}`, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${FLEET_CLIENT_ID}:${FLEET_CLIENT_SECRET}`)}`,
      "user-agent": "dispatch-app/2.0",
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

describe("the console of a sandbox, on a Sunday at three in the morning,", () => {
  it("shows a fleet that drives, and asks nothing of any other origin", async () => {
    const { page, complaints } = await opened();
    const driving = await page.getByRole("button", { name: /^Driving \d+/ }).textContent();
    expect(Number(/\d+/.exec(driving ?? "")?.[0])).toBeGreaterThanOrEqual(12);
    expect(await page.getByRole("listitem").filter({ hasText: "Truck 12" }).first().textContent()).toMatch(/km\/h.*s ago/);
    expect(await page.locator(".map canvas").count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  it("finds what a query means, as the tools do", async () => {
    const { page } = await opened();
    const table: [query: string, result: string | RegExp, names: string[]][] = [
      ["truck 12", "One vehicle matches", ["Truck 12"]],
      ["trucl 12", "One vehicle matches", ["Truck 12"]],
      ["lkw 12", "One vehicle matches", ["Truck 12"]],
      ["van", /^\d+ vehicles match$/, ["Van 2", "Van 7"]],
      ["zeppelin", /^No vehicle matches/, []],
    ];
    for (const [query, result, names] of table) {
      await page.getByRole("searchbox").fill(query);
      await page.getByText(result).waitFor();
      for (const name of names) await page.getByRole("button", { name: new RegExp(`^${name}\\b`) }).waitFor();
      await page.getByRole("searchbox").fill("");
      await page.getByText(/^\d+ vehicles$/).waitFor();
    }
  });

  it("shows a vehicle: what it does, its driver's day, energy, faults and jobs, and follows it", async () => {
    const { page, complaints } = await opened();
    await selectVehicle(page, "truck 12");
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

  it("shows the groups as a tree, and limits list and map to one of them", async () => {
    const { page } = await opened();
    await page.getByRole("tab", { name: "Groups" }).click();
    await page.getByRole("button", { name: /^Central Europe/ }).click();
    await page.getByRole("tab", { name: "Vehicles" }).click();
    await page.getByText(/^16 of \d+ vehicles$/).waitFor();
    await page.getByRole("button", { name: /Central Europe : show all groups/ }).click();
    await page.getByText(/^\d+ vehicles$/).waitFor();
  });

  it("lists jobs with number and time, and leads from one to its vehicle", async () => {
    const [arrivalWindowStart, arrivalWindowEnd] = ["2026-11-22T07:00Z", "2026-11-22T09:00Z"];
    const { job } = await createFleetClient(fleetConfigFromEnv(sandbox.env)).createJob({
      jobTitle: "Collect 4 pallets",
      vehicleName: "Van 7",
      address: "Quai Perrache 10, 69002 Lyon, France",
      arrivalWindowStart,
      arrivalWindowEnd,
    });
    const { page } = await opened();
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
    const { page } = await opened();
    expect((await call("GET", "/tracking/live")).status).toBe(200);
    await page.getByRole("contentinfo").getByRole("button", { name: "Faults" }).click();
    await page.getByLabel("Affect").selectOption("every request");
    await page.getByRole("switch", { name: /^503/ }).click();
    await page.getByRole("contentinfo").getByRole("button", { name: "Faults on" }).waitFor();
    expect((await call("GET", "/tracking/live")).status).toBe(503);
    await page.getByRole("button", { name: "Requests" }).click();
    await page.getByLabel("Hide the console's own").check();
    const rows = page.getByRole("row").filter({ hasText: "dispatch-app" });
    const statuses = async () => (await rows.allTextContents()).map((text) => /listLivePositions\D*(\d{3}).*ms/.exec(text)?.[1]);
    await expect.poll(statuses).toEqual(["503", "200"]);
    // The console reads the fleet like any other client, and says so.
    await page.getByText(/^The service is failing/).waitFor();
    await page.getByRole("contentinfo").getByRole("button", { name: "Faults on" }).click();
    await page.getByRole("button", { name: "Switch all off" }).click();
    await page.getByRole("contentinfo").getByRole("button", { name: "Faults", exact: true }).waitFor();
    await page.getByText(/^The service is failing/).waitFor({ state: "detached" });
    expect((await call("GET", "/tracking/live")).status).toBe(200);
  });

  it("pauses the clock, jumps and runs faster", async () => {
    const { page } = await opened();
    const time = page.getByRole("banner").locator("time");
    const serverTime = async () => ((await (await fetch(`${sandbox.origin}/console/api/status`)).json()) as { now: number }).now;
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

  it("shows names as text, whatever they are", async () => {
    const { page, complaints } = await opened();
    await page.getByRole("tab", { name: "Groups" }).click();
    const [root] = ((await (await fetch(`${sandbox.origin}/console/api/status`)).json()) as { groups: { id: string }[] }).groups;
    const renamed = await fetch(`${sandbox.env["FLEET_FLEET_URL"]}/public/v1/customer/${sandbox.env["FLEET_CUSTOMER_ID"]}/group`, {
      method: "PUT",
      headers: {
        authorization: `Basic ${btoa(`${sandbox.env["FLEET_CLIENT_ID"]}:${sandbox.env["FLEET_CLIENT_SECRET"]}`)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ id: root?.id, name: HOSTILE }),
    });
    expect(renamed.status).toBe(200);
    await page.getByRole("button", { name: HOSTILE }).click();
    expect(await page.locator("main img[src=x], header img[src=x]").count()).toBe(0);
    expect(await page.title()).toBe("Fleetwire console");
    expect(complaints).toEqual([]);
  });

  it.each<Look & { name: string }>([
    { name: "in light colours" },
    { name: "in dark colours", scheme: "dark" },
    { name: "on a phone in dark colours", size: PHONE, scheme: "dark" },
  ])("has no serious accessibility problem $name, and fits", async ({ name: _, ...look }) => {
    const { page, complaints } = await opened(look);
    await selectVehicle(page, "truck 12");
    await page.getByRole("contentinfo").getByRole("button", { name: "Faults", exact: true }).click();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Requests" }).click();
    await page.getByRole("tab", { name: "Groups" }).click();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });
});
