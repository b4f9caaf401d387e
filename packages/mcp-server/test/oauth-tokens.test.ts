import { createHmac } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { SignJWT } from "jose";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fastClock } from "../../core/test/fast-clock.ts";
import { PUBLIC_URL } from "./callers-under-test.ts";
import { raw } from "./http-under-test.ts";
import { type Fault, type Issuer, newKey, oauthServer } from "./issuer-under-test.ts";

type Key = Awaited<ReturnType<typeof newKey>>;

const METADATA = "https://fleet.example.com/.well-known/oauth-protected-resource/mcp";
const AUD = { aud: PUBLIC_URL };

/** A server, and the status with which it responds to a token of its issuer. */
async function underTest() {
  const server = await oauthServer();
  const { issuer, list } = server;
  const statusOf = async (...signed: Parameters<Issuer["sign"]>) =>
    (await list(await issuer.sign({ ...AUD, ...signed[0] }, signed[1], signed[2]))).status;
  return { ...server, statusOf };
}

const seconds = (fromNow: number) => Math.floor(Date.now() / 1_000) + fromNow;
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Moves the clock, but no timers. */
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const onlyDate = () => vi.useFakeTimers({ toFake: ["Date"] });

afterEach(() => void vi.useRealTimers());

describe("an access token", () => {
  it.each<[string, Record<string, unknown>]>([
    ["for this server among others", { aud: ["https://other.example.com", PUBLIC_URL] }],
    ["that has expired within the permitted skew", { exp: seconds(-10) }],
    ["that becomes valid within the permitted skew", { nbf: seconds(10) }],
    ["for this server, its audience with a slash", { aud: `${PUBLIC_URL}/` }],
    ["for this server among others, its audience with a slash", { aud: ["https://other.example.com", `${PUBLIC_URL}/`] }],
    ["with its scopes as a list", { scope: undefined, scp: ["fleet:read"] }],
  ])("%s is accepted", async (_, claims) => {
    expect(await (await underTest()).statusOf(claims)).toBe(200);
  });

  it("is accepted with any signature but a shared secret's", async () => {
    for (const alg of ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]) {
      const { issuer, statusOf } = await underTest();
      issuer.keys = [await newKey("only", alg)];
      expect([alg, await statusOf()]).toEqual([alg, 200]);
    }
  });

  it("is accepted for 30 seconds after it has expired", async () => {
    const { list, issuer } = await underTest();
    const token = await issuer.sign({ ...AUD, exp: seconds(60) });
    const statuses = [];
    for (const milliseconds of [0, 88_000, 2_100]) {
      later(milliseconds);
      statuses.push((await list(token)).status);
    }
    expect(statuses).toEqual([200, 200, 401]);
  });

  it.each<[object, string]>([
    [{ sub: undefined, client_id: undefined, azp: "app" }, "app"],
    [{ sub: undefined, client_id: "app", azp: "other" }, "app"],
    [{ sub: undefined, client_id: 5 }, "unknown"],
    [{ sub: undefined, client_id: undefined }, "unknown"],
    ...[42, "", { id: 1 }, undefined].map((sub) => [{ sub }, "host"] as [object, string]),
  ])("with %j is logged as %j", async (claims, caller) => {
    const { statusOf, log } = await underTest();
    expect(await statusOf({ ...claims })).toBe(200);
    await expect.poll(() => log.find(({ msg }) => msg === "request")).toMatchObject({ caller });
  });

  it("of an issuer that writes its name with a slash is accepted, and clients are told this name", async () => {
    const { statusOf, issuer, get } = await underTest();
    issuer.ending = "/";
    expect(await statusOf()).toBe(200);
    const metadata = await get("/.well-known/oauth-protected-resource/mcp");
    expect(JSON.parse(metadata.text)).toMatchObject({ authorization_servers: [`${issuer.url}/`] });
  });

  const forged = (issuer: Issuer) => ({ iss: issuer.url, ...AUD, exp: seconds(60), scope: "fleet:read fleet:write" });
  const NO_KEY = /not valid: no key of the authorization server fits/;
  it.each<[string, (issuer: Issuer) => string | Promise<string>, RegExp]>([
    ["that has expired", (issuer) => issuer.sign({ ...AUD, exp: seconds(-40) }), /expired/],
    ["without an expiry", (issuer) => issuer.sign({ ...AUD, exp: undefined }), /not valid: it has no expiry/],
    ["that is not valid yet", (issuer) => issuer.sign({ ...AUD, nbf: seconds(60) }), /not valid: it is not valid yet/],
    ["for another audience", (issuer) => issuer.sign({ aud: "https://other.example.com/mcp" }), /not valid: its audience is not/],
    ["for an audience that starts like this one", (issuer) => issuer.sign({ aud: `${PUBLIC_URL}/more` }), /not valid: its audience is not/],
    ["for an audience with two slashes", (issuer) => issuer.sign({ aud: `${PUBLIC_URL}//` }), /not valid: its audience is not/],
    ["without an audience", (issuer) => issuer.sign({}), /not valid: its audience is not/],
    ["of another issuer", (issuer) => issuer.sign({ ...AUD, iss: "https://other.example.com" }), /not valid: its issuer is not/],
    ["with alg none", (issuer) => `${encoded({ alg: "none" })}.${encoded(forged(issuer))}.`, /not valid: its algorithm/],
    ["signed by another key under a known id", async (issuer) => issuer.sign(AUD, await newKey("first")), NO_KEY],
    ["signed by a key with an unknown id", async (issuer) => issuer.sign(AUD, await newKey("unknown")), NO_KEY],
    ["signed by another key, without an id", async (issuer) => issuer.sign(AUD, await newKey("x"), { kid: undefined }), NO_KEY],
    [
      "signed with the public key as a secret",
      (issuer) => {
        const head = `${encoded({ alg: "HS256", kid: "first" })}.${encoded(forged(issuer))}`;
        return `${head}.${createHmac("sha256", JSON.stringify(issuer.keys[0]?.publicKey)).update(head).digest("base64url")}`;
      },
      /not valid: its algorithm/,
    ],
    [
      "that brings its own key",
      async (issuer) => {
        const key = await newKey("own");
        return issuer.sign(AUD, key, { jwk: key.publicKey, jku: "https://other.example.com/keys" });
      },
      NO_KEY,
    ],
    [
      "whose claims were changed",
      async (issuer) => {
        const [head, , signature] = (await issuer.sign(AUD)).split(".");
        return `${head}.${encoded(forged(issuer))}.${signature}`;
      },
      NO_KEY,
    ],
    [
      "with a critical header that is unknown",
      (issuer) => {
        const signed = new SignJWT(forged(issuer)).setProtectedHeader({ alg: "ES256", kid: "first", crit: ["x-new"], "x-new": 1 });
        return signed.sign((issuer.keys[0] as Key).privateKey, { crit: { "x-new": true } });
      },
      /not valid/,
    ],
    ["that is no JWT", () => "truck-12", /not valid: it is not a signed JWT/],
    ["that is empty between its dots", () => "..", /not valid/],
    ["of 10,000 characters", () => "x".repeat(10_000), /not valid/],
  ])("%s is rejected, and the answer says where to get one", async (_, tokenOf, expected) => {
    const { list, issuer, log } = await underTest();
    const token = await tokenOf(issuer);
    const { status, headers, text } = await list(token);
    expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(expected) });
    const challenge = headers["www-authenticate"];
    for (const part of ['Bearer error="invalid_token"', `resource_metadata="${METADATA}"`, 'scope="fleet:read"'])
      expect(challenge).toContain(part);
    await expect.poll(() => log.length).toBeGreaterThan(0);
    expect(JSON.stringify(log)).not.toContain(token.slice(0, 20));
  });

  it.each([undefined, "", "Basic dXNlcjpwYXNz", "Bearer", "Bearer a b c d"])("in the header %j is not one", async (authorization) => {
    const { http } = await underTest();
    const { status, headers } = await raw(http.url, authorization === undefined ? {} : { headers: { authorization } });
    expect([status, headers["www-authenticate"]]).toEqual([401, expect.stringContaining(`resource_metadata="${METADATA}"`)]);
  });
});

describe("a token is accepted if one of the published keys fits", () => {
  const EMPTY = { kty: "EC", crv: "P-256", x: "", y: "" };
  const GARBAGE = [null, 5, "key", [], {}, { kty: "EC" }, EMPTY, { kty: "RSA", n: 5 }, { kty: "oct", k: "AA" }];

  /** A key as it is published by servers that name neither the key nor its algorithm. */
  const unnamed = async (alg?: string): Promise<Key> => {
    const { publicKey, ...key } = await newKey("own", alg);
    const { kid: _, alg: __, use: ___, ...bare } = publicKey;
    return { ...key, publicKey: bare };
  };

  it.each<[string, () => Promise<Key>[], number, Record<string, unknown>]>([
    ["the second of two without ids", () => [unnamed(), unnamed()], 1, { kid: undefined }],
    ["the first of two without ids", () => [unnamed(), unnamed()], 0, { kid: undefined }],
    ["one without an id, for a token with one", () => [unnamed(), unnamed()], 1, { kid: "any" }],
    ["one of another algorithm than the others", () => [unnamed("RS256"), unnamed()], 1, {}],
    ["the one with the id", () => [unnamed(), newKey("second"), newKey("third")], 1, {}],
    ["one of two under the same id", () => [newKey("same"), newKey("same")], 1, {}],
    ["one with an id, for a token without", () => [newKey("a"), newKey("b")], 1, { kid: undefined }],
    ["one after 150 others", () => [...Array.from({ length: 150 }, (_, at) => newKey(`other-${at}`)), newKey("last")], 150, {}],
  ])("%s, among garbage", async (_, published, at, header) => {
    const { statusOf, issuer } = await underTest();
    issuer.otherKeys = GARBAGE;
    issuer.keys = await Promise.all(published());
    expect(await statusOf({}, issuer.keys[at], header)).toBe(200);
  });

  it("and refused for its claims by the key that fits, or if no other does", async () => {
    const { list, statusOf, issuer } = await underTest();
    issuer.keys = [await unnamed(), await unnamed()];
    const other = await issuer.sign({ aud: "https://other.example.com" }, issuer.keys[1], { kid: undefined });
    expect((await list(other)).text).toContain("its audience is not");
    expect(await statusOf({}, await newKey("other"), { kid: undefined })).toBe(401);
  });

  it.each<[string, object]>([
    ["encryption", { use: "enc" }],
    ["operations other than verifying", { key_ops: ["deriveKey"] }],
    ["another algorithm", { alg: "ES384" }],
  ])("and refused if the key is for %s", async (_, changed) => {
    for (const kid of ["own", undefined]) {
      const { statusOf, issuer } = await underTest();
      const key = await newKey("own");
      issuer.keys = [{ ...key, publicKey: { ...key.publicKey, ...changed } }];
      expect(await statusOf({}, key, { kid })).toBe(401);
    }
  });

  it.each([[[]], [[null]], [GARBAGE]])("and refused if the only keys are %j", async (otherKeys) => {
    const { statusOf, issuer } = await underTest();
    const [key] = issuer.keys;
    Object.assign(issuer, { keys: [], otherKeys });
    expect(await statusOf({}, key)).toBe(401);
  });

  it("that replaced another without an id", async () => {
    onlyDate();
    const { statusOf, issuer } = await underTest();
    for (let rotation = 0; rotation < 2; rotation++) {
      const key = await unnamed();
      issuer.keys = [key];
      later(31_000);
      expect(await statusOf({}, key, { kid: undefined })).toBe(200);
    }
    expect(issuer.reads).toBe(2);
  });
});

describe("the keys of the authorization server", () => {
  it("are read once for many requests, again for a new key, and not again for each unknown id", async () => {
    onlyDate();
    const { statusOf, issuer } = await underTest();
    const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf()));
    expect([new Set(statuses), issuer.reads]).toEqual([new Set([200]), 1]);
    issuer.keys = [await newKey("second")];
    later(31_000);
    expect([await statusOf(), issuer.reads]).toEqual([200, 2]);
    later(31_000);
    for (let count = 0; count < 20; count++) expect(await statusOf({}, await newKey(`k${count}`))).toBe(401);
    expect(issuer.reads).toBe(3);
  });

  it("that were withdrawn are rejected after ten minutes", async () => {
    onlyDate();
    const { statusOf, issuer } = await underTest();
    const [old] = issuer.keys;
    expect(await statusOf({}, old)).toBe(200);
    issuer.keys = [await newKey("second")];
    later(601_000);
    expect(await statusOf({}, old)).toBe(401);
  });

  it.each<[Fault, string]>([
    ["down", "responds with status 503"],
    ["garbage", "does not publish a key set"],
    ["silence", "does not respond"],
  ])("remain in use for an hour while the server responds with %s", async (fault, does) => {
    if (fault === "silence") fastClock(15, "Date");
    else onlyDate();
    const { list, statusOf, issuer } = await underTest();
    expect(await statusOf()).toBe(200);
    issuer.fault = fault;
    later(1_800_000);
    // Only the first of many requests waits for the server.
    for (let count = 0; count < 11; count++) expect(await statusOf()).toBe(200);
    expect(issuer.reads).toBe(2);
    later(1_900_000);
    const { status, headers, text } = await list(await issuer.sign(AUD));
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    expect(text).toContain(`the authorization server ${does}. Try again later`);
  });

  /** A timer that nothing holds would be collected, and its request would never end. */
  function collectGarbage(): void {
    setFlagsFromString("--expose-gc");
    const collecting = setInterval(runInNewContext("gc"), 400);
    onTestFinished(() => clearInterval(collecting));
  }

  describe.each(["metadataFault", "fault"] as const)("that cannot be read at first, %s", (what) => {
    it.each<[Fault, string]>([
      ["stall", "does not respond"],
      ["silence", "does not respond"],
      ["endless", "sends more than"],
      ["down", "responds with status 503"],
    ])("%s: a 503, and a call a second later asks anew", async (fault, problem) => {
      const isSlow = fault === "stall" || fault === "silence";
      if (isSlow) collectGarbage();
      const stop = isSlow ? fastClock(40, "Date") : () => {};
      if (!isSlow) onlyDate();
      const { list, issuer } = await underTest();
      issuer[what] = fault;
      const token = await issuer.sign({ ...AUD, exp: seconds(600) });
      for (const { status, text, headers } of await Promise.all([list(token), list(token), list(token)])) {
        expect({ status, text }).toEqual({ status: 503, text: expect.stringContaining(`the authorization server ${problem}`) });
        expect(headers["retry-after"]).toBe("1");
      }
      expect(issuer.sent).toBeLessThan(8_000_000);
      issuer[what] = undefined;
      const now = Date.now() + 1_100;
      // A busy machine may take longer to respond than a fast clock allows.
      stop();
      if (isSlow) onlyDate();
      vi.setSystemTime(now);
      expect((await list(token)).status).toBe(200);
    });
  });
});
