import { createFetchHandler, serverConfigFromEnv } from "@fleetwire/mcp-server/fetch";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { bearer, PUBLIC_URL } from "../callers-under-test.ts";
import { type Issuer, issuerUnderTest } from "../issuer-under-test.ts";
import { environmentOf } from "../server-under-test.ts";

type Documents = NonNullable<Issuer["documents"]>;

const describing = (issuer: string, more: object = {}): Documents[string] => ({
  text: JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, ...more }),
});

const OAUTH = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";
const fleets = serverConfigFromEnv(environmentOf("http://127.0.0.1:9"));

afterEach(() => void vi.useRealTimers());

/** A server that accepts the tokens of an issuer. */
function trusting(issuer: string) {
  const warned: unknown[][] = [];
  const log = { error: () => {}, warn: (...line: unknown[]) => void warned.push(line), info: () => {} };
  const handler = createFetchHandler({
    callers: { issuer: new URL(issuer), publicUrl: new URL(PUBLIC_URL) },
    fleets,
    version: "1.2.3",
    log,
  });
  onTestFinished(() => handler.close());
  const get = (path: string) => handler.fetch(new Request(new URL(path, PUBLIC_URL)));
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const send = (token: string) => {
    const headers = { ...bearer(token), "content-type": "application/json" };
    return handler.fetch(new Request(PUBLIC_URL, { method: "POST", headers, body: ping }));
  };
  return {
    get,
    send,
    /** What the log has about the issuer. */
    warned: () => warned.filter(([, message]) => message === "authorization server not usable").map(([fields]) => fields),
    /** What clients are told about where to get a token. */
    resource: async () => (await get("/.well-known/oauth-protected-resource/mcp")).json(),
    /** Why a token cannot be verified; undefined if it can be, which means that the metadata was read. */
    problem: async () => {
      const response = await send("x");
      return response.status === 503 ? /authorization server (.*)\. Try again later/.exec(await response.text())?.[1] : undefined;
    },
  };
}

describe("the metadata of an issuer", () => {
  it.each([
    ["", "", OAUTH],
    ["", "", OPENID],
    ["/tenant", "/tenant", `${OAUTH}/tenant`],
    ["/tenant/", "/tenant/", `${OAUTH}/tenant`],
    ["/tenant", "/tenant", `/tenant${OPENID}`],
  ])("%j that names itself %j is at %s, and read once", async (path, named, at) => {
    const issuer = await issuerUnderTest();
    issuer.documents = { [at]: describing(`${issuer.url}${named}`) };
    const { get, resource, problem } = trusting(`${issuer.url}${path}`);
    expect(await (await get(OAUTH)).json()).toMatchObject({ issuer: `${issuer.url}${named}` });
    expect(await resource()).toMatchObject({ authorization_servers: [`${issuer.url}${named}`] });
    const documents = () => issuer.asked.filter((url) => url.includes(".well-known")).length;
    const before = documents();
    await Promise.all([problem(), resource()]);
    expect(documents()).toBe(before);
  });

  const LACKS = "does not describe itself: its metadata lacks issuer or jwks_uri";
  const DIFFERS = "names itself differently in its metadata";
  const elsewhere = (own: string) => ({ [OAUTH]: { status: 302, location: `${own}/x` }, "/x": describing(own) });
  it.each<[string, (origin: string) => Documents, string]>([
    ["somewhere else", elsewhere, "does not respond"],
    ["with an error", (own) => ({ [OAUTH]: { ...describing(own), status: 500 } }), "responds with status 500"],
    ["that does not exist", () => ({}), "has no document at the expected address"],
    ["of another issuer", () => ({ [OAUTH]: describing("https://other.example.com") }), DIFFERS],
    ["without keys", (own) => ({ [OAUTH]: describing(own, { jwks_uri: undefined }) }), LACKS],
    ["of more than 256 kB", (own) => ({ [OAUTH]: describing(own, { more: "x".repeat(262_145) }) }), "sends more than 262144 bytes"],
    ["that is not JSON", () => ({ [OAUTH]: { text: "{" } }), "sends something other than JSON"],
  ])("is not read from a document %s, and clients are told the name as configured", async (_, documents, expected) => {
    const issuer = await issuerUnderTest();
    issuer.documents = documents(issuer.url);
    const { get, resource, problem, warned } = trusting(issuer.url);
    expect(await problem()).toBe(expected);
    expect(await resource()).toMatchObject({ authorization_servers: [issuer.url] });
    const { status, headers } = await get(OAUTH);
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    // Once, although every caller meets it; only the log has the reason for which a connection failed.
    const logged = expected === "does not respond" ? `${expected}: it redirects` : expected;
    expect(warned()).toEqual([{ issuer: new URL(issuer.url).host, problem: logged }]);
  });

  it("is missed in the log with the cause, which callers are not told", async () => {
    const { problem, warned } = trusting("https://login.invalid");
    expect(await problem()).toBe("does not respond");
    expect(warned()).toEqual([{ issuer: "login.invalid", problem: "does not respond: the host name cannot be resolved (DNS)" }]);
  });

  it("is looked for again one second after a failure, and then tokens are verified", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const issuer = await issuerUnderTest();
    issuer.documents = { [OAUTH]: { status: 503 } };
    const { get, send } = trusting(issuer.url);
    const statusAfter = async (milliseconds: number) => {
      vi.setSystemTime(Date.now() + milliseconds);
      return (await get(OAUTH)).status;
    };
    expect(await statusAfter(0)).toBe(503);
    delete issuer.documents;
    expect(await statusAfter(999)).toBe(503);
    expect(issuer.asked).toEqual([OAUTH, OPENID]);
    expect([await statusAfter(1), await statusAfter(-5_000)]).toEqual([200, 200]);
    expect((await send(await issuer.sign({ aud: PUBLIC_URL }))).status).toBe(200);
  });
});
