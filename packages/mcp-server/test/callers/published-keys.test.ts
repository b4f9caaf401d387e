import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fastClock } from "../../../core/test/fast-clock.ts";
import { fleetService } from "../../../tools/test/fleet-service.ts";
import { served } from "../callers-under-test.ts";
import { type Fault, type Issuer, issuerUnderTest, newKey } from "../issuer-under-test.ts";
import { environmentOf } from "../server-under-test.ts";

const AUDIENCE = "https://fleet.example.com/mcp";
const CLAIMS = { aud: AUDIENCE };

async function underTest(env: Record<string, string> = {}) {
  const issuer = await issuerUnderTest();
  const service = await fleetService({ listLivePositions: () => ({ body: [] }) });
  const oauth = { FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: issuer.url, FLEET_PUBLIC_URL: AUDIENCE, ...env };
  return { ...(await served({ ...environmentOf(service.origin), ...oauth })), issuer };
}

type Key = Awaited<ReturnType<typeof newKey>>;

/** A key as it is published by servers that name neither the key nor its algorithm. */
const bare = ({ publicKey: { kid: _, alg: __, use: ___, ...publicKey }, ...key }: Key): Key => ({ ...key, publicKey });

const unnamed = async (alg?: string) => bare(await newKey("own", alg));

afterEach(() => {
  vi.useRealTimers();
});

describe("a token is accepted if one of the published keys fits", () => {
  const GARBAGE = [
    null,
    5,
    "key",
    [],
    {},
    { kty: "EC" },
    { kty: "EC", crv: "P-256", x: "", y: "" },
    { kty: "RSA", n: 5 },
    { kty: "oct", k: "AA" },
  ];

  it.each<[string, (issuer: Issuer) => Promise<Key>, Record<string, unknown>]>([
    ["the second of two without ids", async (issuer) => at(issuer, 1, [await unnamed(), await unnamed()]), { kid: undefined }],
    ["the first of two without ids", async (issuer) => at(issuer, 0, [await unnamed(), await unnamed()]), { kid: undefined }],
    ["one without an id, for a token with one", async (issuer) => at(issuer, 1, [await unnamed(), await unnamed()]), { kid: "any" }],
    ["one of another algorithm than the others", async (issuer) => at(issuer, 1, [await unnamed("RS256"), await unnamed()]), {}],
    ["the one with the id", async (issuer) => at(issuer, 1, [await unnamed(), await newKey("second"), await newKey("third")]), {}],
    ["one of two under the same id", async (issuer) => at(issuer, 1, [await newKey("same"), await newKey("same")]), {}],
    ["one with an id, for a token without", async (issuer) => at(issuer, 1, [await newKey("a"), await newKey("b")]), { kid: undefined }],
  ])("%s, among garbage", async (_, keyOf, header) => {
    const { list, issuer } = await underTest();
    issuer.otherKeys = GARBAGE;
    const key = await keyOf(issuer);
    expect((await list(await issuer.sign(CLAIMS, key, header))).status).toBe(200);
  });

  function at(issuer: Issuer, position: number, keys: Key[]): Key {
    issuer.keys = keys;
    return keys[position] as Key;
  }

  it.each([
    ["another key", {}],
    ["another key, without an id", { kid: undefined }],
  ])("and refused if it was signed by %s", async (_, header) => {
    const { list, issuer } = await underTest();
    issuer.keys = [await unnamed(), await unnamed(), await newKey("third")];
    const { status, text } = await list(await issuer.sign(CLAIMS, await newKey("other"), header));
    expect({ status, text }).toEqual({ status: 401, text: expect.stringContaining("no key of the authorization server fits") });
  });

  it("after 150 others with ids", async () => {
    const { list, issuer } = await underTest();
    const { publicKey } = await newKey("other");
    issuer.otherKeys = Array.from({ length: 150 }, (_, at) => ({ ...publicKey, kid: `other-${at}` }));
    expect((await list(await issuer.sign(CLAIMS))).status).toBe(200);
  });

  it.each<[string, object]>([
    ["encryption", { use: "enc" }],
    ["operations other than verifying", { key_ops: ["deriveKey"] }],
    ["another algorithm", { alg: "ES384" }],
  ])("and refused if the key is for %s", async (_, changed) => {
    for (const kid of ["own", undefined]) {
      const { list, issuer } = await underTest();
      const key = await newKey("own");
      issuer.keys = [{ ...key, publicKey: { ...key.publicKey, ...changed } }];
      expect((await list(await issuer.sign(CLAIMS, key, { kid }))).status).toBe(401);
    }
  });

  it("and refused for its claims by the key that fits", async () => {
    const { list, issuer } = await underTest();
    const keys = [await unnamed(), await unnamed()];
    issuer.keys = keys;
    const { text } = await list(await issuer.sign({ aud: "https://other.example.com" }, keys[1], { kid: undefined }));
    expect(text).toContain("its audience is not");
  });

  it.each([[[]], [[null]], [GARBAGE]])("and refused if the only keys are %j", async (otherKeys) => {
    const { list, issuer } = await underTest();
    const token = await issuer.sign(CLAIMS);
    Object.assign(issuer, { keys: [], otherKeys });
    expect((await list(token)).status).toBe(401);
  });

  it("that replaced another without an id", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { list, issuer } = await underTest();
    for (let rotation = 0; rotation < 2; rotation++) {
      const key = await unnamed();
      issuer.keys = [key];
      vi.setSystemTime(Date.now() + 31_000);
      expect((await list(await issuer.sign(CLAIMS, key, { kid: undefined }))).status).toBe(200);
    }
    expect(issuer.reads).toBe(2);
  });
});

/** A timer that nothing holds would be collected, and its request would never end. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collecting = setInterval(runInNewContext("gc"), 1_000);
  onTestFinished(() => clearInterval(collecting));
}

describe.each(["metadataFault", "fault"] as const)("an authorization server that fails once, %s", (what) => {
  it.each<[Fault, string]>([
    ["stall", "does not respond"],
    ["silence", "does not respond"],
    ["endless", "sends more than"],
    ["down", "responds with status 503"],
  ])("%s: a 503, and the next call asks anew", async (fault, problem) => {
    fastClock(40, "Date");
    if (fault === "stall" || fault === "silence") collectGarbage();
    const { list, issuer } = await underTest();
    issuer[what] = fault;
    const token = await issuer.sign(CLAIMS);
    const refused = await Promise.all([list(token), list(token), list(token)]);
    for (const { status, text, headers } of refused) {
      expect({ status, text }).toEqual({ status: 503, text: expect.stringContaining(`the authorization server ${problem}`) });
      expect(headers["retry-after"]).toBe("1");
    }
    expect(issuer.sent).toBeLessThan(8_000_000);
    issuer[what] = undefined;
    if (fault === "endless" || fault === "down") await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await list(token)).status).toBe(200);
  });
});
