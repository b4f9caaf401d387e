import { writeFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { served, tenantsFile, tokensFile } from "./callers-under-test.ts";
import { raw } from "./http-under-test.ts";
import { issuerUnderTest } from "./issuer-under-test.ts";
import { environmentOf } from "./server-under-test.ts";

const PUBLIC_URL = "https://fleet.example.com/mcp";
const ORIGIN = "https://fleet.example.com";
const SEAL_KEY = Buffer.alloc(32, 7).toString("base64");

afterEach(() => {
  vi.useRealTimers();
});

/** Two customers, each with one vehicle, which has the customer's name. */
async function customers() {
  const settingsOf = async (name: string) => {
    const service = await fleetService({ listLivePositions: () => ({ body: [{ assetId: "v1", assetName: `Truck of ${name}` }] }) });
    const { FLEET_CLIENT_SECRET: _, FLEET_CLIENT_ID: __, FLEET_LOG: ___, ...settings } = environmentOf(service.origin);
    return { settings: { ...settings, FLEET_CLIENT_ID: { env: "ID" }, FLEET_CLIENT_SECRET: { env: "SECRET" } } };
  };
  const file = tenantsFile({ north: await settingsOf("north"), south: await settingsOf("south") });
  return { FLEET_TENANTS_FILE: file, FLEET_PUBLIC_URL: PUBLIC_URL, ID: "canary-id", SECRET: "canary-secret" };
}

/** A browser at the console, which a proxy serves at the public URL. */
async function browserAt(env: Record<string, string>, limits: Parameters<typeof served>[1] = {}) {
  const server = await served(env, limits);
  const cookies = new Map<string, string>();
  const send = async (path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) => {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { host: "fleet.example.com", ...(cookie && { cookie }), ...options.headers };
    const response = await raw(new URL(path, server.http.url).href, { method: "GET", ...options, headers });
    for (const set of [response.headers["set-cookie"] ?? []].flat() as string[]) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = { origin: ORIGIN }) =>
    send(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const signIn = (token: string, headers?: Record<string, string>) => form("/console/sign-in", { token }, headers);
  return { ...server, cookies, send, form, signIn, fleet: () => send("/console/api/fleet") };
}

async function withTokens(more: Record<string, string> = {}, limits = {}) {
  const { file, tokens } = tokensFile({
    reader: { scopes: ["fleet:read"], tenant: "north" },
    writer: { scopes: ["fleet:write"], tenant: "north" },
    stranger: { scopes: ["fleet:read"], tenant: "west" },
  });
  const env = { ...(await customers()), FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file, ...more };
  return { ...(await browserAt(env, limits)), tokens, file, env };
}

async function withOAuth() {
  const issuer = await issuerUnderTest();
  const env = { ...(await customers()), FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: issuer.url };
  const token = (claims: object) => issuer.sign({ aud: PUBLIC_URL, ...claims });
  return { ...(await browserAt(env)), token, issuer };
}

describe("the console with tokens", () => {
  it("shows nothing before somebody signs in", async () => {
    const { send } = await withTokens();
    expect(await send("/console")).toMatchObject({ status: 200, headers: { "content-type": expect.stringContaining("text/html") } });
    for (const name of ["about", "status", "fleet", "search", "vehicle", "jobs", "events"])
      expect(await send(`/console/api/${name}`)).toMatchObject({ status: 401, text: expect.not.stringContaining("Truck") });
    const page = await send("/console/sign-in");
    expect(page.headers["content-security-policy"]).toMatch(/default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
    expect(page.text).not.toContain("/console/authorize");
  });

  it("shows a caller who may read its own customer's fleet, and keeps the token unreadable in its cookie", async () => {
    const { signIn, send, fleet, tokens, log } = await withTokens();
    const signedIn = await signIn(tokens.reader);
    expect(signedIn).toMatchObject({ status: 303, headers: { location: "/console" } });
    const [cookie = ""] = signedIn.headers["set-cookie"] as string[];
    expect(cookie).toMatch(/^__Secure-fleetwire-session=\S+; Max-Age=28800; Path=\/console; HttpOnly; SameSite=Strict; Secure$/);
    expect(cookie).not.toContain(tokens.reader);
    const { status, text } = await fleet();
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining("Truck of north") });
    expect(text).not.toContain("south");
    expect(JSON.parse((await send("/console/api/about")).text)).toMatchObject({ account: { name: "reader", customer: "north" } });
    expect(log).toContainEqual(expect.objectContaining({ caller: "reader", msg: "signed in to the console" }));
    expect(JSON.stringify(log)).not.toContain(tokens.reader);
  });

  it.each<[string, "writer" | "stranger" | "unknown", number]>([
    ["that lacks fleet:read", "writer", 403],
    ["for a customer that is not configured", "stranger", 403],
    ["that is not in the file", "unknown", 401],
  ])("refuses a token %s", async (_, name, status) => {
    const { signIn, fleet, tokens, cookies } = await withTokens();
    const refused = await signIn(name === "unknown" ? "fwt_canary-unknown" : tokens[name]);
    expect({ status: refused.status, cookies: cookies.size }).toEqual({ status, cookies: 0 });
    expect((await fleet()).status).toBe(401);
  });

  it("signs out, and signs everyone out whose token is revoked", async () => {
    const { signIn, fleet, form, tokens, file, cookies } = await withTokens();
    await signIn(tokens.reader);
    await form("/console/sign-out", {});
    expect([cookies.size, (await fleet()).status]).toEqual([0, 401]);
    await signIn(tokens.reader);
    writeFileSync(file, '{"tokens": []}');
    vi.setSystemTime(Date.now() + 2_000);
    expect([(await fleet()).status, cookies.size]).toEqual([401, 0]);
  });

  it.each<[string, Record<string, string>]>([
    ["another page", { origin: "https://evil.example" }],
    ["a page on this machine", { origin: "http://127.0.0.1:3000" }],
    ["a listed page", { origin: "https://claude.ai" }],
    ["a page that hides its origin", { origin: "null" }],
    ["no page", {}],
  ])("does not accept the forms of %s", async (_, headers) => {
    const { signIn, form, fleet, tokens, cookies } = await withTokens({ FLEET_ALLOWED_ORIGINS: "https://claude.ai" });
    expect([(await signIn(tokens.reader, headers)).status, cookies.size]).toEqual([403, 0]);
    await signIn(tokens.reader);
    for (const path of ["/console/sign-out", "/console/customer"]) expect((await form(path, {}, headers)).status).toBe(403);
    expect((await fleet()).status).toBe(200);
  });

  it("is read-only, and cannot be read by a page elsewhere", async () => {
    const { signIn, form, send, tokens } = await withTokens();
    await signIn(tokens.reader);
    for (const name of ["faults", "clock", "jobs"]) expect((await form(`/console/api/${name}`, {})).status).toBe(404);
    expect((await send("/console/api/fleet", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
    expect((await send("/console/api/fleet", { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await send("/console/api/fleet", { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await send("/mcp", { method: "POST" })).status).toBe(401);
  });

  it("accepts a cookie only if this server, or a replica with the same key, has set it", async () => {
    const own = await withTokens({ FLEET_SEAL_KEY: SEAL_KEY });
    await own.signIn(own.tokens.reader);
    const [[name = "", value = ""] = []] = own.cookies;
    const replica = await browserAt(own.env);
    replica.cookies.set(name, value);
    expect((await replica.fleet()).status).toBe(200);
    const other = await browserAt({ ...own.env, FLEET_SEAL_KEY: Buffer.alloc(32, 8).toString("base64") });
    for (const forged of [value, `${value.slice(0, -3)}AAA`, own.tokens.reader, ""]) {
      other.cookies.set(name, forged);
      expect((await other.fleet()).status).toBe(401);
    }
    vi.setSystemTime(Date.now() + 8 * 3_600_000 + 1_000);
    replica.cookies.set(name, value);
    expect((await replica.fleet()).status).toBe(401);
  });

  it.each<[string, (name: string, own: string, planted: string) => string, number]>([
    ["one", (name, own) => `${name}=${own}`, 200],
    ["one among others", (name, own) => `other=1; ${name}=${own}; more=2`, 200],
    ["another account's first", (name, own, planted) => `${name}=${planted}; ${name}=${own}`, 401],
    ["another account's last", (name, own, planted) => `${name}=${own}; ${name}=${planted}`, 401],
    ["two headers, joined by a comma", (name, own, planted) => `${name}=${planted}, ${name}=${own}`, 401],
    ["garbage first", (name, own) => `${name}=garbage;${name}=${own}`, 401],
    ["an empty one", (name, own) => `${name}=;\t${name}=${own}`, 401],
  ])("counts several cookies of its name as none: %s", async (_, cookies, status) => {
    const own = await withTokens();
    await own.signIn(own.tokens.reader);
    const another = await browserAt(own.env);
    await another.signIn(own.tokens.writer);
    const [[name = "", value = ""] = []] = own.cookies;
    const cookie = cookies(name, value, another.cookies.get(name) ?? "");
    expect((await own.send("/console/api/fleet", { headers: { cookie } })).status).toBe(status);
  });

  it("limits a caller's requests for data, apart from those over MCP", async () => {
    const { signIn, fleet, list, tokens } = await withTokens({}, { callerRate: 2 });
    await signIn(tokens.reader);
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await fleet()).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await list(tokens.reader)).status).toBe(200);
  });
});

describe("the console with access tokens", () => {
  it("lets a caller of several customers choose one of its own, and no other", async () => {
    const { signIn, send, form, fleet, token } = await withOAuth();
    expect(await signIn(await token({ tenant: ["north", "south"] }))).toMatchObject({
      status: 303,
      headers: { location: "/console/sign-in" },
    });
    expect((await fleet()).status).toBe(401);
    const { text } = await send("/console/sign-in");
    expect([...text.matchAll(/value="(\w+)"/g)].map(([, name]) => name)).toEqual(["north", "south"]);
    for (const name of ["south", "north"]) {
      expect((await form("/console/customer", { customer: name })).status).toBe(303);
      expect((await fleet()).text).toContain(`Truck of ${name}`);
    }
    await signIn(await token({ tenant: "south" }));
    expect((await form("/console/customer", { customer: "north" })).status).toBe(403);
    const { text: shown } = await fleet();
    expect(shown).toContain("Truck of south");
    expect(shown).not.toContain("north");
  });

  it.each<[string, Record<string, unknown>, number]>([
    ["for another server", { aud: "https://other.example.com/mcp" }, 401],
    ["that lacks fleet:read", { scope: "openid" }, 403],
    ["without a customer", { tenant: undefined }, 403],
  ])("refuses a token %s", async (_, claims, status) => {
    const { signIn, token, cookies } = await withOAuth();
    expect([(await signIn(await token({ tenant: "north", ...claims }))).status, cookies.size]).toEqual([status, 0]);
  });

  it("ends with the token", async () => {
    const { signIn, fleet, token } = await withOAuth();
    const { headers } = await signIn(await token({ tenant: "north" }));
    expect(Number(/Max-Age=(\d+)/.exec(String(headers["set-cookie"]))?.[1])).toBeLessThanOrEqual(90);
    expect((await fleet()).status).toBe(200);
    vi.setSystemTime(Date.now() + 95_000);
    expect((await fleet()).status).toBe(401);
  });
});
