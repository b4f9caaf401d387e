import { createHmac } from "node:crypto";
import { generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fastClock } from "../../core/test/fast-clock.ts";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { type Served, served } from "./callers-under-test.ts";
import { raw } from "./http-under-test.ts";
import { type Issuer, issuerUnderTest, newKey } from "./issuer-under-test.ts";
import { environmentOf } from "./server-under-test.ts";

const PUBLIC_URL = "https://fleet.example.com/mcp";
const METADATA = "https://fleet.example.com/.well-known/oauth-protected-resource/mcp";

async function underTest(env: Record<string, string> = {}): Promise<Served & { issuer: Issuer }> {
  const issuer = await issuerUnderTest();
  const service = await fleetService({ listLivePositions: () => ({ body: [] }) });
  const oauth = { FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: issuer.url, FLEET_PUBLIC_URL: PUBLIC_URL, ...env };
  const server = await served({ ...environmentOf(service.origin), ...oauth });
  return { ...server, issuer };
}

const seconds = (fromNow: number) => Math.floor(Date.now() / 1_000) + fromNow;
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Moves the clock, but no timers. */
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

afterEach(() => {
  vi.useRealTimers();
});

describe("an access token", () => {
  it.each<[string, Record<string, unknown>]>([
    ["for this server", { aud: PUBLIC_URL }],
    ["for this server among others", { aud: ["https://other.example.com", PUBLIC_URL] }],
    ["that has expired within the permitted skew", { aud: PUBLIC_URL, exp: seconds(-10) }],
    ["that becomes valid within the permitted skew", { aud: PUBLIC_URL, nbf: seconds(10) }],
    ["for this server, its audience with a slash", { aud: `${PUBLIC_URL}/` }],
    ["for this server among others, its audience with a slash", { aud: ["https://other.example.com", `${PUBLIC_URL}/`] }],
    ["with its scopes as a list", { aud: PUBLIC_URL, scope: undefined, scp: ["fleet:read"] }],
  ])("%s is accepted", async (_, claims) => {
    const { list, issuer } = await underTest();
    expect((await list(await issuer.sign(claims))).status).toBe(200);
  });

  it.each(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"])(
    "with a signature by %s is accepted",
    async (alg) => {
      const { list, issuer } = await underTest();
      issuer.keys = [await newKey("only", alg)];
      expect((await list(await issuer.sign({ aud: PUBLIC_URL }))).status).toBe(200);
    },
  );

  it("is accepted for 30 seconds after it has expired", async () => {
    const { list, issuer } = await underTest();
    const token = await issuer.sign({ aud: PUBLIC_URL, exp: seconds(60) });
    expect((await list(token)).status).toBe(200);
    later(88_000);
    expect((await list(token)).status).toBe(200);
    later(2_100);
    expect((await list(token)).status).toBe(401);
  });

  it.each([
    [{ client_id: undefined, azp: "app" }, "app"],
    [{ client_id: "app", azp: "other" }, "app"],
    [{ client_id: 5 }, "unknown"],
    [{ client_id: undefined }, "unknown"],
  ])("without a subject and with %j is logged as %j", async (claims, caller) => {
    const { list, issuer, log } = await underTest();
    expect((await list(await issuer.sign({ aud: PUBLIC_URL, sub: undefined, ...claims }))).status).toBe(200);
    await expect.poll(() => log.find(({ msg }) => msg === "request")).toMatchObject({ caller });
  });

  it("of an issuer that writes its name with a slash is accepted, and clients are told this name", async () => {
    const { list, issuer, http } = await underTest();
    issuer.ending = "/";
    expect((await list(await issuer.sign({ aud: PUBLIC_URL }))).status).toBe(200);
    expect((await list(await issuer.sign({ aud: PUBLIC_URL, iss: issuer.url }))).status).toBe(401);
    const metadata = await raw(new URL("/.well-known/oauth-protected-resource/mcp", http.url).href, { method: "GET" });
    expect(JSON.parse(metadata.text)).toMatchObject({ authorization_servers: [`${issuer.url}/`] });
  });

  it.each([42, "", { id: 1 }, undefined])("whose subject is %j is logged by its client", async (sub) => {
    const { list, issuer, log } = await underTest();
    expect((await list(await issuer.sign({ aud: PUBLIC_URL, sub }))).status).toBe(200);
    await expect.poll(() => log.find(({ msg }) => msg === "request")).toMatchObject({ caller: "host" });
  });

  it.each<[string, (issuer: Issuer) => string | Promise<string>, RegExp]>([
    ["that has expired", (issuer) => issuer.sign({ aud: PUBLIC_URL, exp: seconds(-40) }), /expired/],
    ["without an expiry", (issuer) => issuer.sign({ aud: PUBLIC_URL, exp: undefined }), /not valid: it has no expiry/],
    ["that is not valid yet", (issuer) => issuer.sign({ aud: PUBLIC_URL, nbf: seconds(60) }), /not valid: it is not valid yet/],
    ["for another audience", (issuer) => issuer.sign({ aud: "https://other.example.com/mcp" }), /not valid: its audience is not/],
    ["for an audience that starts like this one", (issuer) => issuer.sign({ aud: `${PUBLIC_URL}/more` }), /not valid: its audience is not/],
    ["for an audience with two slashes", (issuer) => issuer.sign({ aud: `${PUBLIC_URL}//` }), /not valid: its audience is not/],
    ["without an audience", (issuer) => issuer.sign({}), /not valid: its audience is not/],
    ["of another issuer", (issuer) => issuer.sign({ aud: PUBLIC_URL, iss: "https://other.example.com" }), /not valid: its issuer is not/],
    [
      "with alg none",
      (issuer) =>
        `${encoded({ alg: "none" })}.${encoded({ iss: issuer.url, aud: PUBLIC_URL, exp: seconds(60), scope: "fleet:read fleet:write" })}.`,
      /not valid: its algorithm/,
    ],
    [
      "signed by another key under a known id",
      async (issuer) => issuer.sign({ aud: PUBLIC_URL }, { ...(await newKey("first")), kid: "first" }),
      /not valid: no key of the authorization server fits/,
    ],
    [
      "signed by a key with an unknown id",
      async (issuer) => issuer.sign({ aud: PUBLIC_URL }, await newKey("unknown")),
      /not valid: no key of the authorization server fits/,
    ],
    [
      "signed with the public key as a secret",
      (issuer) => {
        const head = `${encoded({ alg: "HS256", kid: "first" })}.${encoded({ iss: issuer.url, aud: PUBLIC_URL, exp: seconds(60) })}`;
        const mac = createHmac("sha256", JSON.stringify(issuer.keys[0]?.publicKey)).update(head).digest("base64url");
        return `${head}.${mac}`;
      },
      /not valid: its algorithm/,
    ],
    [
      "that brings its own key",
      async (issuer) => {
        const key = await newKey("own");
        return issuer.sign({ aud: PUBLIC_URL }, key, { jwk: key.publicKey, jku: "https://other.example.com/keys" });
      },
      /not valid: no key/,
    ],
    [
      "whose claims were changed",
      async (issuer) => {
        const [head, , signature] = (await issuer.sign({ aud: PUBLIC_URL })).split(".");
        return `${head}.${encoded({ iss: issuer.url, aud: PUBLIC_URL, exp: seconds(60), scope: "fleet:read fleet:write" })}.${signature}`;
      },
      /not valid: no key/,
    ],
    [
      "with a critical header that is unknown",
      async (issuer) => {
        const { privateKey } = await generateKeyPair("ES256");
        const claims = { iss: issuer.url, aud: PUBLIC_URL, exp: seconds(60) };
        return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "first", crit: ["b64"], b64: true }).sign(privateKey);
      },
      /not valid: no key of the authorization server fits/,
    ],
    ["that is no JWT", () => "truck-12", /not valid: it is not a signed JWT/],
    ["that is empty between its dots", () => "..", /not valid/],
    ["of 10,000 characters", () => "x".repeat(10_000), /not valid/],
  ])("%s is rejected, and the answer says where to get one", async (_, tokenOf, expected) => {
    const { list, issuer, log } = await underTest();
    const token = await tokenOf(issuer);
    const { status, headers, text } = await list(token);
    expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(expected) });
    expect(headers["www-authenticate"]).toMatch(/^Bearer error="invalid_token"/);
    expect(headers["www-authenticate"]).toContain(`resource_metadata="${METADATA}"`);
    expect(headers["www-authenticate"]).toContain('scope="fleet:read"');
    await expect.poll(() => log.length).toBeGreaterThan(0);
    expect(JSON.stringify(log)).not.toContain(token.slice(0, 20));
  });

  it.each([undefined, "", "Basic dXNlcjpwYXNz", "Bearer", "Bearer a b c d"])("in the header %j is not one", async (authorization) => {
    const { http } = await underTest();
    const { status, headers } = await fetch(http.url, {
      method: "POST",
      ...(authorization !== undefined && { headers: { authorization } }),
    });
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toContain(`resource_metadata="${METADATA}"`);
  });
});

describe("the keys of the authorization server", () => {
  it("are read once for many requests, and again for a new key", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { list, issuer } = await underTest();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => issuer.sign({ aud: PUBLIC_URL })));
    const statuses = await Promise.all(tokens.map(async (token) => (await list(token)).status));
    expect({ statuses: new Set(statuses), reads: issuer.reads }).toEqual({ statuses: new Set([200]), reads: 1 });
    const key = await newKey("second");
    issuer.keys = [key];
    later(31_000);
    expect((await list(await issuer.sign({ aud: PUBLIC_URL }, key))).status).toBe(200);
    expect(issuer.reads).toBe(2);
  });

  it("are not read again for each unknown key id", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { list, issuer } = await underTest();
    expect((await list(await issuer.sign({ aud: PUBLIC_URL }))).status).toBe(200);
    later(31_000);
    for (let count = 0; count < 20; count++)
      expect((await list(await issuer.sign({ aud: PUBLIC_URL }, await newKey(`k${count}`)))).status).toBe(401);
    expect(issuer.reads).toBe(2);
  });

  it("that were withdrawn are rejected after ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { list, issuer } = await underTest();
    const [old] = issuer.keys;
    expect((await list(await issuer.sign({ aud: PUBLIC_URL }, old))).status).toBe(200);
    issuer.keys = [await newKey("second")];
    later(601_000);
    expect((await list(await issuer.sign({ aud: PUBLIC_URL }, old))).status).toBe(401);
  });

  it.each(["down", "garbage", "silence"] as const)("remain in use for an hour while the server responds with %s", async (fault) => {
    if (fault === "silence") fastClock(15, "Date");
    else vi.useFakeTimers({ toFake: ["Date"] });
    const { list, issuer } = await underTest();
    expect((await list(await issuer.sign({ aud: PUBLIC_URL }))).status).toBe(200);
    issuer.fault = fault;
    later(1_800_000);
    expect((await list(await issuer.sign({ aud: PUBLIC_URL }))).status).toBe(200);
    // Only the first of many requests waits for the server.
    for (let count = 0; count < 10; count++) expect((await list(await issuer.sign({ aud: PUBLIC_URL }))).status).toBe(200);
    expect(issuer.reads).toBe(2);
    later(1_900_000);
    const { status, headers, text } = await list(await issuer.sign({ aud: PUBLIC_URL }));
    const does = { down: "responds with status 503", garbage: "does not publish a key set", silence: "does not respond" }[fault];
    expect({ status, text }).toEqual({ status: 503, text: expect.stringContaining(`the authorization server ${does}. Try again later`) });
    expect(headers["retry-after"]).toBe("1");
  });

  it("cannot be read at first: a 503, until the server responds", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { list, issuer } = await underTest();
    issuer.fault = "down";
    expect((await list(await issuer.sign({ aud: PUBLIC_URL }))).status).toBe(503);
    issuer.fault = undefined;
    expect((await list(await issuer.sign({ aud: PUBLIC_URL }))).status).toBe(503);
    later(1_000);
    expect((await list(await issuer.sign({ aud: PUBLIC_URL }))).status).toBe(200);
  });
});
