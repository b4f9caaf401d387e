import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFetchHandler, serverConfigFromEnv } from "../../src/fetch.ts";
import { environmentOf } from "../server-under-test.ts";

type Response = { status?: number; location?: string; text: string };

/** A server that responds at these paths, and lists the paths that were requested. */
async function serverOf(documents: (origin: string) => Record<string, Response>) {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const { status = 200, location, text } = documents(origin)[url] ?? { status: 404, text: "" };
    response.writeHead(status, location === undefined ? {} : { location }).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, asked };
}

const describing = (issuer: string, more: object = {}): Response => ({
  text: JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, ...more }),
});

/** The same in a document of this size. */
const describingIn = (bytes: number, issuer: string): Response =>
  describing(issuer, { more: "x".repeat(bytes - describing(issuer, { more: "" }).text.length) });

const OAUTH = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";
afterEach(() => {
  vi.useRealTimers();
});

const PUBLIC_URL = new URL("https://fleet.example.com/mcp");
const fleets = serverConfigFromEnv(environmentOf("http://127.0.0.1:9"));

/** A server that accepts the tokens of an issuer. */
function trusting(issuer: string) {
  const warned: unknown[][] = [];
  const log = { error: () => {}, warn: (...line: unknown[]) => void warned.push(line), info: () => {} };
  const handler = createFetchHandler({ callers: { issuer: new URL(issuer), publicUrl: PUBLIC_URL }, fleets, version: "1.2.3", log });
  onTestFinished(() => handler.close());
  const get = (path: string) => handler.fetch(new Request(new URL(path, PUBLIC_URL)));
  return {
    get,
    /** What the log has about the issuer. */
    warned: () => warned.filter(([, message]) => message === "authorization server not usable").map(([fields]) => fields),
    /** What clients are told about where to get a token. */
    resource: async () => (await get("/.well-known/oauth-protected-resource/mcp")).json(),
    /** Why a token cannot be verified; undefined if it can be, which means that the metadata was read. */
    problem: async () => {
      const headers = { authorization: "Bearer x", "content-type": "application/json" };
      const response = await handler.fetch(new Request(PUBLIC_URL, { method: "POST", headers, body: "{}" }));
      return response.status === 503 ? /authorization server (.*)\. Try again later/.exec(await response.text())?.[1] : undefined;
    },
  };
}

describe("the metadata of an issuer", () => {
  it.each([
    ["", "", `${OAUTH}`],
    ["", "/", `${OAUTH}`],
    ["", "", `${OPENID}`],
    ["/tenant", "/tenant", `${OAUTH}/tenant`],
    ["/tenant/", "/tenant/", `${OAUTH}/tenant`],
    ["/tenant", "/tenant", `/tenant${OPENID}`],
  ])("%j that names itself %j is at %s, and read once", async (path, named, at) => {
    const { origin, asked } = await serverOf((own) => ({ [at]: describing(`${own}${named}`) }));
    const { get, resource, problem } = trusting(`${origin}${path}`);
    expect(await (await get(OAUTH)).json()).toMatchObject({ issuer: `${origin}${named}` });
    expect(await resource()).toMatchObject({ authorization_servers: [`${origin}${named}`] });
    const documents = () => asked.filter((url) => url.includes(".well-known")).length;
    const before = documents();
    await Promise.all([problem(), resource()]);
    expect(documents()).toBe(before);
  });

  const LACKS = "does not describe itself: its metadata lacks issuer or jwks_uri";
  const DIFFERS = "names itself differently in its metadata";
  it.each<[string, (origin: string) => Record<string, Response>, string]>([
    [
      "somewhere else",
      (own) => ({ [OAUTH]: { status: 302, location: `${own}/elsewhere`, text: "" }, "/elsewhere": describing(own) }),
      "does not respond",
    ],
    ["with an error", (own) => ({ [OAUTH]: { ...describing(own), status: 500 } }), "responds with status 500"],
    ["that does not exist", () => ({}), "has no document at the expected address"],
    ["of another issuer", () => ({ [OAUTH]: describing("https://other.example.com") }), DIFFERS],
    ["of another path", (own) => ({ [OAUTH]: describing(`${own}/tenant`) }), DIFFERS],
    ["without keys", (own) => ({ [OAUTH]: describing(own, { jwks_uri: undefined }) }), LACKS],
    ["with keys in a file", (own) => ({ [OAUTH]: describing(own, { jwks_uri: "file:///etc/keys" }) }), LACKS],
    ["of more than 256 kB", (own) => ({ [OAUTH]: describingIn(262_145, own) }), "sends more than 262144 bytes"],
    ["that is not JSON", () => ({ [OAUTH]: { text: "{" } }), "sends something other than JSON"],
  ])("is not read from a document %s, and clients are told the name as configured", async (_, documents, expected) => {
    const { origin } = await serverOf(documents);
    const { get, resource, problem, warned } = trusting(origin);
    expect(await problem()).toBe(expected);
    expect(await resource()).toMatchObject({ authorization_servers: [origin] });
    const { status, headers } = await get(OAUTH);
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    // Once, although every caller meets it; only the log has the reason for which a connection failed.
    const logged = expected === "does not respond" ? `${expected}: it redirects` : expected;
    expect(warned()).toEqual([{ issuer: new URL(origin).host, problem: logged }]);
  });

  it("is missed in the log with the cause, which callers are not told", async () => {
    const { problem, warned } = trusting("https://login.invalid");
    expect(await problem()).toBe("does not respond");
    expect(warned()).toEqual([{ issuer: "login.invalid", problem: "does not respond: the host name cannot be resolved (DNS)" }]);
  });

  it("is looked for again one second after a failure", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let isUp = false;
    const { origin, asked } = await serverOf((own) => ({ [OAUTH]: isUp ? describing(own) : { status: 503, text: "" } }));
    const { get } = trusting(origin);
    const statusAfter = async (milliseconds: number) => {
      vi.setSystemTime(Date.now() + milliseconds);
      return (await get(OAUTH)).status;
    };
    expect(await statusAfter(0)).toBe(503);
    isUp = true;
    expect(await statusAfter(999)).toBe(503);
    expect(asked).toEqual([OAUTH, OPENID]);
    expect([await statusAfter(1), await statusAfter(-5_000)]).toEqual([200, 200]);
  });
});

it.each(["http://127.0.0.1:9", "http://127.0.0.1:9/tenant", "http://127.0.0.1:9/tenant/"])(
  "clients are told the name of the issuer %s as it is written",
  async (issuer) => {
    expect(await trusting(issuer).resource()).toMatchObject({
      resource: PUBLIC_URL.href,
      authorization_servers: [issuer],
      scopes_supported: ["fleet:read", "fleet:write"],
      resource_name: "Fleetwire",
    });
  },
);
