import { request } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createSandbox, runningClock } from "../src/index.ts";

const OPEN = "see packages/console/src/handler/console-handler.ts";
const NOW = Date.UTC(2026, 10, 22, 3);

async function served({ console: withConsole = true } = {}) {
  const sandbox = createSandbox({ clock: runningClock(NOW, 0), start: NOW });
  const { origin, env } = await sandbox.listen({ console: withConsole });
  onTestFinished(() => sandbox.close());
  return { origin, env };
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends what no browser would let a page choose, such as another Host. */
function send(url: string, { method = "GET", headers = {}, body = "" }: Sent = {}): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode, text });
    });
    sent.on("error", reject).end(body);
  });
}

const json = { "content-type": "application/json" };

describe("the console's server", () => {
  it("serves the page with a policy that lets nothing in from elsewhere", async () => {
    const { origin } = await served();
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
    const { origin, env } = await served();
    const { value } = (await (await fetch(`${origin}/console/api/fleet`)).json()) as { value: { vehicles: { assetId: string }[] } };
    const paths = [
      "",
      "console/api/about",
      "console/api/status",
      "console/api/jobs",
      `console/api/vehicle?id=${value.vehicles[0]?.assetId}`,
    ];
    for (const path of paths) {
      const text = await (await fetch(`${origin}/${path}`)).text();
      expect(["FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET"].filter((name) => text.includes(env[name] ?? ""))).toEqual([]);
    }
  });

  it.each<[string, Sent & { path?: string }, number]>([
    ["another host, as after DNS rebinding", { headers: { host: "evil.example" } }, 403],
    ["a name that begins like this machine's", { headers: { host: "127.0.0.1.evil.example" } }, 403],
    ["a page elsewhere that reads", { headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" } }, 403],
    ["a link from elsewhere", { path: "/", headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" } }, 200],
    ["this machine's user", {}, 200],
  ])("is careful with %s", async (_, { path = "/console/api/fleet", ...sent }, status) => {
    const { origin } = await served();
    expect([OPEN, (await send(origin + path, sent)).status]).toEqual([OPEN, status]);
  });

  it.each<[string, (origin: string) => Sent, number]>([
    ["without an origin", () => ({ headers: json }), 403],
    ["from a page elsewhere", () => ({ headers: { ...json, origin: "https://evil.example" } }), 403],
    ["from another port of this machine", () => ({ headers: { ...json, origin: "http://127.0.0.1:1" } }), 403],
    ["as a form would send it", (origin) => ({ headers: { "content-type": "text/plain", origin } }), 415],
    ["that is not a fault", (origin) => ({ headers: { ...json, origin }, body: '{"list":"explode"}' }), 400],
    ["from its own page", (origin) => ({ headers: { ...json, origin }, body: '{"list":"503"}' }), 200],
  ])("answers a change of the faults %s", async (_, sentFrom, status) => {
    const { origin } = await served();
    const sent = sentFrom(origin);
    const { body = '{"list":"503"}', headers = {} } = sent;
    const change = { method: "POST", body, headers: { ...headers, "content-length": String(body.length) } };
    expect([OPEN, (await send(`${origin}/console/api/faults`, change)).status]).toEqual([OPEN, status]);
    const { faults } = JSON.parse((await send(`${origin}/console/api/status`)).text) as { faults: string };
    expect(faults).toBe(status === 200 ? "503" : "");
  });

  it.each([
    ["../../package.json", 404],
    ["..%2f..%2fpackage.json", 404],
    ["sandbox-console.cjs", 404],
    ["console.js", 200],
  ])("serves only the page's own files: %s", async (name, status) => {
    const { origin } = await served();
    expect((await send(`${origin}/console/assets/${name}`)).status).toBe(status);
  });

  it("is not there unless asked for", async () => {
    const { origin } = await served({ console: false });
    expect((await fetch(origin)).status).toBe(404);
    expect((await fetch(`${origin}/console/api/fleet`)).status).toBe(404);
  });
});

it("the console shows what happens to the fleet, without any settings", async () => {
  const sandbox = createSandbox({ clock: runningClock(NOW, 60), start: NOW, rhythm: "nonstop" });
  const { origin } = await sandbox.listen({ console: true });
  onTestFinished(() => sandbox.close());
  const read = async () =>
    (await (await fetch(`${origin}/console/api/events`)).json()) as { ruleCount: number; events: { text: string }[] };
  expect(await read()).toMatchObject({ ruleCount: 8, events: [] });
  const started = expect.stringMatching(/^\w+ \d+ .*started driving$/);
  await vi.waitFor(async () => expect((await read()).events.map(({ text }) => text)).toContainEqual(started), {
    timeout: 25_000,
    interval: 500,
  });
}, 30_000);
