import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";
import { openConsole } from "./console-page.ts";
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
