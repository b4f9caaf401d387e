import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";
import { openConsole, PHONE, seriousFindings } from "./console-page.ts";
import { type FleetService, startFleet, vehicle } from "./fleet-service.ts";
import { type StartedProgram, type StartedSandbox, startSandbox, startServer } from "./started-program.ts";

const HOSTILE = `<img src=x onerror="document.title='owned'">`;

let browser: Browser | undefined;
let sandbox: StartedSandbox;
let server: StartedProgram;
let closeService: () => void;
let drivers: string[];

/** A service whose truck 12 has a hostile name: a proxy to the sandbox that puts the name into its responses. */
async function serviceWithHostileName(origin: string): Promise<string> {
  const service = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { host: _, connection: __, "content-length": ___, ...headers } = incoming.headers as Record<string, string>;
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const response = await fetch(origin + incoming.url, { method: incoming.method ?? "GET", headers, ...body });
    const text = (await response.text()).replaceAll('"Truck 12"', JSON.stringify(HOSTILE));
    outgoing.writeHead(response.status, { "content-type": "application/json" }).end(text);
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  closeService = () => {
    service.closeAllConnections();
    service.close();
  };
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  browser = await launchBrowser();
  sandbox = await startSandbox();
  const { value } = (await (await fetch(`${sandbox.origin}/console/api/fleet`)).json()) as {
    value: { vehicles: { driverName?: string }[] };
  };
  drivers = value.vehicles.flatMap(({ driverName }) => driverName ?? []);
  const service = await serviceWithHostileName(sandbox.origin);
  const env = Object.entries(sandbox.env).map(([name, setting]) => [name, setting.replace(sandbox.origin, service)]);
  server = await startServer({ ...(Object.fromEntries(env) as Record<string, string>), FLEET_DRIVER_NAMES: "hide" });
}, 600_000);

beforeEach(({ skip }) => skip(browser === undefined, "There is no Chromium"));

afterAll(async () => {
  await browser?.close();
  await server.stop();
  closeService();
  await sandbox.stop();
});

describe("the console of fleetwire-mcp http", () => {
  it("shows a real fleet read-only, names as text and hidden names hidden", async () => {
    const { page, complaints, close } = await openConsole(browser as Browser, server.ready);
    await page.getByText("Live fleet, read-only").waitFor();
    await page.getByRole("button", { name: HOSTILE }).click();
    await page.getByRole("heading", { name: HOSTILE }).waitFor();
    await page.getByRole("heading", { name: "Energy" }).waitFor();
    await page
      .getByText(/^Driver [0-9a-f]{10}$/)
      .first()
      .waitFor();
    const shown = (await page.locator("body").textContent()) ?? "";
    expect(drivers.length).toBeGreaterThan(10);
    expect(drivers.filter((name) => shown.includes(name))).toEqual([]);
    expect([await page.locator("img[src=x]").count(), await page.title()]).toEqual([0, "Fleetwire console"]);
    await page.getByRole("button", { name: "Requests" }).click();
    await page.getByRole("row").filter({ hasText: "queryTachoActivity" }).filter({ hasText: "200" }).first().waitFor();
    for (const [region, name] of [
      ["contentinfo", "Faults"],
      ["banner", "Pause"],
    ] as const)
      expect(await page.getByRole(region).getByRole("button", { name }).count()).toBe(0);
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByText("No rules are watched: start the server with fleetwire-mcp http --rules rules.json").waitFor();
    expect(await page.getByRole("link", { name: "Tell me when" }).getAttribute("href")).toMatch(/^https:\/\/.*\/docs\/watch\.md$/);
    expect(complaints).toEqual([]);
    await close();
  });

  it("cannot change the fleet, nor be read by a page elsewhere", async () => {
    const { origin } = new URL(server.ready);
    const change = { method: "POST", headers: { origin, "content-type": "application/json" }, body: '{"list":"503"}' };
    for (const name of ["faults", "clock", "jobs"]) expect((await fetch(`${origin}/console/api/${name}`, change)).status).toBe(404);
    expect((await fetch(server.ready, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await fetch(`${origin}/console/api/fleet`, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
  });
});

describe("the events of the console", () => {
  const RULES = [{ id: "start", when: "starts" }];
  const DRIVES = { eventType: "driving", speed: 70 } as const;
  let folder: string;
  let fleet: FleetService;
  let watched: StartedProgram;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fleetwire-console-"));
    writeFileSync(join(folder, "rules.json"), JSON.stringify({ rules: RULES }));
    fleet = await startFleet([vehicle(HOSTILE), vehicle("Van 2")]);
    watched = await startServer({ ...fleet.env, FLEET_RULES: join(folder, "rules.json") });
  });

  afterAll(async () => {
    await watched.stop();
    await fleet.close();
    rmSync(folder, { recursive: true });
  });

  /** Lets a vehicle stop and drive again, and the console see both. */
  async function drive(name: string) {
    const read = async () => (await (await fetch(new URL("/console/api/events", watched.ready))).json()).events.length as number;
    const others = fleet.positions.filter(({ assetName }) => assetName !== name);
    for (const changes of [{}, DRIVES]) {
      fleet.positions = [...others, vehicle(name, { date: new Date().toISOString(), ...changes })];
      await read();
    }
  }

  it("are listed newest first, with text as text and the vehicle a step away; a tone and a number only if wanted", async () => {
    const { page, complaints, close } = await openConsole(browser as Browser, watched.ready);
    await page.evaluate(`
      globalThis.tones = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function () { tones++; return start.call(this); };
      globalThis.badges = [];
      navigator.setAppBadge = async (count) => void badges.push(count);
      navigator.clearAppBadge = async () => void badges.push(0);
    `);
    const heard = () => page.evaluate("JSON.stringify([tones, badges])");
    const panel = page.getByRole("tabpanel");
    const events = panel.getByRole("listitem").filter({ hasText: "· start ·" });
    await page.getByRole("tab", { name: "Vehicles" }).press("End");
    await page.getByRole("tab", { name: "Events", exact: true, selected: true }).waitFor();
    await panel.getByText(/^Nothing has happened since /).waitFor();
    await panel.getByText("1 rule", { exact: true }).click();
    await panel.getByText("start: when any vehicle starts driving after a stop").waitFor();

    await page.getByRole("tab", { name: "Vehicles" }).click();
    await drive(HOSTILE);
    await page.getByRole("tab", { name: "Events", exact: true }).click();
    await events.getByRole("button", { name: HOSTILE }).click();
    await page.getByRole("heading", { name: HOSTILE }).waitFor();
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
    await page.getByRole("tab", { name: "Events", exact: true }).waitFor();
    expect([await page.title(), await heard()]).toEqual(["Fleetwire console", "[1,[1,0]]"]);
    expect(await seriousFindings(page)).toEqual([]);

    await page.reload();
    await panel.getByRole("switch", { name: /^Alert me/, checked: true }).click();
    expect([await page.evaluate("localStorage.length"), complaints]).toEqual([0, []]);
    await close();
  });

  it("have no serious accessibility problem on a phone in dark colours, and fit", async () => {
    const look = { size: PHONE, scheme: "dark", ready: /^1 rule$/ } as const;
    const { page, close } = await openConsole(browser as Browser, `${watched.ready}#tab=events`, look);
    await page.getByText("1 rule", { exact: true }).click();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await close();
  });
});
