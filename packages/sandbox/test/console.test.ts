import { request } from "node:http";
import { createSandbox, runningClock } from "@fleetwire/sandbox";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";

const OPEN = "see packages/console/src/handler/console-handler.ts";
const NOW = Date.UTC(2026, 10, 22, 3);

const sandbox = createSandbox({ clock: runningClock(NOW, 0), start: NOW });
const { origin, env } = await sandbox.listen({ console: true });
afterAll(() => sandbox.close());

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends what no browser would let a page choose, such as another Host. */
function send(path: string, { method = "GET", headers = {}, body = "" }: Sent = {}): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(origin + path, { method, headers, agent: false }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode, text });
    });
    sent.on("error", reject).end(body);
  });
}

describe("the console's server", () => {
  it("serves the page with a policy that lets nothing in from elsewhere", async () => {
    const page = await fetch(origin);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const assets = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) expect((await fetch(origin + path)).status).toBe(200);
  });

  it("never sends credentials", async () => {
    const { value } = JSON.parse((await send("/console/api/fleet")).text) as { value: { vehicles: { assetId: string }[] } };
    const paths = ["about", "status", "jobs", `vehicle?id=${value.vehicles[0]?.assetId}`].map((name) => `/console/api/${name}`);
    for (const path of ["/", ...paths]) {
      const { text } = await send(path);
      expect(["FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET"].filter((name) => text.includes(env[name] ?? ""))).toEqual([]);
    }
  });

  const fleet = "/console/api/fleet";
  it.each<[string, string, Record<string, string>, number]>([
    ["another host, as after DNS rebinding", fleet, { host: "evil.example" }, 403],
    ["a name that begins like this machine's", fleet, { host: "127.0.0.1.evil.example" }, 403],
    ["a page elsewhere that reads", fleet, { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, 403],
    ["a link from elsewhere", "/", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }, 200],
    ["this machine's user", fleet, {}, 200],
    ["the page's own files", "/console/assets/console.js", {}, 200],
    ["files above the page's", "/console/assets/../../package.json", {}, 404],
    ["files above them, encoded", "/console/assets/..%2f..%2fpackage.json", {}, 404],
    ["files beside the page's", "/console/assets/sandbox-console.cjs", {}, 404],
  ])("is careful with %s", async (_, path, headers, status) => {
    expect([OPEN, (await send(path, { headers })).status]).toEqual([OPEN, status]);
  });

  const json = { "content-type": "application/json" };
  it.each<[string, number, Record<string, string>, body?: string]>([
    ["without an origin", 403, json],
    ["from a page elsewhere", 403, { ...json, origin: "https://evil.example" }],
    ["from another port of this machine", 403, { ...json, origin: "http://127.0.0.1:1" }],
    ["as a form would send it", 415, { "content-type": "text/plain", origin }],
    ["that is not a fault", 400, { ...json, origin }, '{"list":"explode"}'],
    ["from its own page", 200, { ...json, origin }],
  ])("answers a change of the faults %s with %i", async (_, status, headers, body = '{"list":"latency=1"}') => {
    const change = { method: "POST", body, headers: { ...headers, "content-length": String(body.length) } };
    expect([OPEN, (await send("/console/api/faults", change)).status]).toEqual([OPEN, status]);
    const { faults } = JSON.parse((await send("/console/api/status")).text) as { faults: string };
    expect(faults).toBe(status === 200 ? "latency=1" : "");
  });

  it("is not there unless asked for", async () => {
    const without = createSandbox({ vehicles: 1 });
    onTestFinished(() => without.close());
    const { origin: bare } = await without.listen();
    for (const path of ["/", fleet]) expect((await fetch(bare + path)).status).toBe(404);
  });
});

it("the console shows what happens to the fleet, without any settings", async () => {
  const clock = runningClock(NOW, 0);
  const moving = createSandbox({ clock, start: NOW, rhythm: "nonstop" });
  onTestFinished(() => moving.close());
  const { origin: at } = await moving.listen({ console: true });
  // The fleet is read every two seconds of the real clock.
  let later = 0;
  const real = performance.now.bind(performance);
  const spy = vi.spyOn(performance, "now").mockImplementation(() => real() + later);
  onTestFinished(() => spy.mockRestore());
  const read = async () => {
    later += 2000;
    return (await (await fetch(`${at}/console/api/events`)).json()) as { ruleCount: number; events: { text: string }[] };
  };
  expect(await read()).toMatchObject({ ruleCount: 8, events: [] });
  const texts: string[] = [];
  for (let minutes = 1; minutes < 40; minutes += 4) {
    clock.set({ at: NOW + minutes * 60_000 });
    texts.push(...(await read()).events.map(({ text }) => text));
  }
  expect(texts).toContainEqual(expect.stringMatching(/^\w+ \d+ .*started driving$/));
});
