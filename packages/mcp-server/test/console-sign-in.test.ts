import { writeFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { customersUnderTest, PUBLIC_URL, READ, served, tokensFile } from "./callers-under-test.ts";
import { type RawRequest, raw } from "./http-under-test.ts";
import { issuerUnderTest } from "./issuer-under-test.ts";
import { environmentOf } from "./server-under-test.ts";

const ORIGIN = "https://fleet.example.com";
const SEAL_KEY = Buffer.alloc(32, 7).toString("base64");

afterEach(() => void vi.useRealTimers());

/** A browser at the console, which a proxy serves at the public URL. */
async function browserAt(env: Record<string, string>, limits: Parameters<typeof served>[1] = {}) {
  const server = await served(env, limits);
  const cookies = new Map<string, string>();
  const request = async (path: string, { headers, ...options }: RawRequest = {}) => {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const all = { host: "fleet.example.com", ...(cookie && { cookie }), ...headers };
    const sent = await raw(new URL(path, server.http.url).href, { method: "GET", ...options, headers: all });
    for (const set of [sent.headers["set-cookie"] ?? []].flat() as string[]) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return sent;
  };
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = { origin: ORIGIN }) =>
    request(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const signIn = (token: string, headers?: Record<string, string>) => form("/console/sign-in", { token }, headers);
  return { ...server, cookies, request, form, signIn, fleet: () => request("/console/api/fleet") };
}

async function withTokens(more: Record<string, string> = {}, limits = {}) {
  const { file, tokens } = tokensFile({
    reader: { ...READ, tenant: "north" },
    writer: { scopes: ["fleet:write"], tenant: "north" },
    stranger: { ...READ, tenant: "west" },
  });
  const { env: customers } = await customersUnderTest({ north: {}, south: {} });
  const env = { ...customers, FLEET_PUBLIC_URL: PUBLIC_URL, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file, ...more };
  return { ...(await browserAt(env, limits)), tokens, file, env };
}

async function withOAuth() {
  const issuer = await issuerUnderTest();
  const { env } = await customersUnderTest({ north: {}, south: {} });
  const oauth = { FLEET_PUBLIC_URL: PUBLIC_URL, FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: issuer.url };
  const token = (claims: object) => issuer.sign({ aud: PUBLIC_URL, ...claims });
  return { ...(await browserAt({ ...env, ...oauth })), token };
}

it("the console's data is served without a sign-in to callers on this machine only", async () => {
  const { get } = await served(environmentOf("https://fleet.example.com"));
  expect((await get("/console/api/status")).status).toBe(200);
  expect((await get("/console/api/status", { host: "rebound.example.com" })).status).toBe(403);
});

describe("the console with tokens", () => {
  it("shows nothing before somebody signs in", async () => {
    const { request } = await withTokens();
    expect(await request("/console")).toMatchObject({ status: 200, headers: { "content-type": expect.stringContaining("text/html") } });
    for (const name of ["about", "status", "fleet", "search", "vehicle", "jobs", "events"])
      expect(await request(`/console/api/${name}`)).toMatchObject({ status: 401, text: expect.not.stringContaining("Truck") });
    const page = await request("/console/sign-in");
    expect(page.headers["content-security-policy"]).toMatch(/default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
    expect(page.text).not.toContain("/console/authorize");
  });

  it("shows a caller who may read its own customer's fleet, read-only, and keeps the token unreadable in its cookie", async () => {
    const { signIn, request, form, fleet, tokens, log } = await withTokens();
    const signedIn = await signIn(tokens.reader);
    expect(signedIn).toMatchObject({ status: 303, headers: { location: "/console" } });
    const [cookie = ""] = signedIn.headers["set-cookie"] as string[];
    expect(cookie).toMatch(/^__Secure-fleetwire-session=\S+; Max-Age=28800; Path=\/console; HttpOnly; SameSite=Strict; Secure$/);
    expect(cookie).not.toContain(tokens.reader);
    const { status, text } = await fleet();
    expect([status, text.includes("north-12"), text.includes("south-12")]).toEqual([200, true, false]);
    expect(JSON.parse((await request("/console/api/about")).text)).toMatchObject({ account: { name: "reader", customer: "north" } });
    expect(log).toContainEqual(expect.objectContaining({ caller: "reader", msg: "signed in to the console" }));
    expect(JSON.stringify(log)).not.toContain(tokens.reader);
    for (const name of ["faults", "clock", "jobs"]) expect((await form(`/console/api/${name}`, {})).status).toBe(404);
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, { host: "evil.example" }])
      expect((await request("/console/api/fleet", { headers })).status).toBe(403);
    expect((await request("/mcp", { method: "POST" })).status).toBe(401);
  });

  it.each<[string, "writer" | "stranger" | undefined, number]>([
    ["that lacks fleet:read", "writer", 403],
    ["for a customer that is not configured", "stranger", 403],
    ["that is not in the file", undefined, 401],
  ])("refuses a token %s", async (_, name, status) => {
    const { signIn, fleet, tokens, cookies } = await withTokens();
    expect([(await signIn(name ? tokens[name] : "fwt_canary-unknown")).status, cookies.size]).toEqual([status, 0]);
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

  it("counts several cookies of its name as none", async () => {
    const own = await withTokens();
    await own.signIn(own.tokens.reader);
    const another = await browserAt(own.env);
    await another.signIn(own.tokens.writer);
    const [[name = "", value = ""] = []] = own.cookies;
    const planted = `${name}=${another.cookies.get(name) ?? ""}`;
    const mine = `${name}=${value}`;
    for (const [cookie, status] of [
      [mine, 200],
      [`other=1; ${mine}; more=2`, 200],
      [`${planted}; ${mine}`, 401],
      [`${mine}; ${planted}`, 401],
      [`${planted}, ${mine}`, 401],
      [`${name}=garbage;${mine}`, 401],
      [`${name}=;\t${mine}`, 401],
    ] as const)
      expect([cookie, (await own.request("/console/api/fleet", { headers: { cookie } })).status]).toEqual([cookie, status]);
  });

  it("limits a caller's requests for data, apart from those over MCP", async () => {
    const { signIn, fleet, list, tokens } = await withTokens({}, { callerRate: 2 });
    await signIn(tokens.reader);
    expect([(await fleet()).status, (await fleet()).status, (await fleet()).status]).toEqual([200, 200, 429]);
    expect((await list(tokens.reader)).status).toBe(200);
  });
});

describe("the console with access tokens", () => {
  it("lets a caller of several customers choose one of its own, and no other", async () => {
    const { signIn, request, form, fleet, token } = await withOAuth();
    const chosen = await signIn(await token({ tenant: ["north", "south"] }));
    expect(chosen).toMatchObject({ status: 303, headers: { location: "/console/sign-in" } });
    expect((await fleet()).status).toBe(401);
    const { text } = await request("/console/sign-in");
    expect([...text.matchAll(/value="(\w+)"/g)].map(([, name]) => name)).toEqual(["north", "south"]);
    for (const name of ["south", "north"]) {
      expect((await form("/console/customer", { customer: name })).status).toBe(303);
      expect((await fleet()).text).toContain(`${name}-12`);
    }
    await signIn(await token({ tenant: "south" }));
    expect((await form("/console/customer", { customer: "north" })).status).toBe(403);
    const { text: shown } = await fleet();
    expect([shown.includes("south-12"), shown.includes("north")]).toEqual([true, false]);
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
