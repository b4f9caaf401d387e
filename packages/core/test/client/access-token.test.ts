import { describe, expect, it, vi } from "vitest";
import { createTokenSource } from "../../src/client/access-token.ts";
import { isUsableToken, readStore, type TokenStore, writeStore } from "../../src/client/token-store.ts";

const deadline = { timeout: 60_000 };

/** A source whose clock is in seconds; each request gets the next token. */
function source(options: { expiresIn?: number | undefined; store?: TokenStore; tokens?: string[] } = {}) {
  const { expiresIn, store, tokens } = { expiresIn: 3_600, tokens: ["t1", "t2", "t3", "t4", "t5", "t6"], ...options };
  const clock = { seconds: 1_000 };
  let requests = 0;
  const request = async () => ({ accessToken: tokens[requests++] as string, expires_in: expiresIn }) as never;
  return { clock, tokens: createTokenSource({ request, now: () => clock.seconds * 1_000, store }), requests: () => requests };
}

describe("a token", () => {
  it.each<[number | undefined, number, boolean]>([
    [1, 0, true],
    [1, 1, false],
    [3_600, 3_539, true],
    [3_600, 3_540, false],
    [100, 89, true],
    [100, 90, false],
    [undefined, 1e12, true],
    [0, 1e12, true],
    [-5, 1e12, true],
    [315_360_000, 315_359_939, true],
    [315_360_000, 315_359_940, false],
    [315_360_001, 1e12, true],
  ])("that lasts %s seconds is used after %d: %s", async (expiresIn, later, used) => {
    const { clock, tokens } = source({ expiresIn });
    expect(await tokens.get(deadline)).toEqual({ token: "t1", cached: false });
    clock.seconds += later;
    expect(tokens.isCurrent("t1")).toBe(used);
    expect(await tokens.get(deadline)).toEqual(used ? { token: "t1", cached: true } : { token: "t2", cached: false });
  });

  it("is requested once for concurrent calls", async () => {
    const { tokens, requests } = source();
    expect(await Promise.all([tokens.get(deadline), tokens.get(deadline)])).toEqual(Array(2).fill({ token: "t1", cached: false }));
    expect(requests()).toBe(1);
  });

  it("that was rejected is replaced, unless it has been already", async () => {
    const { tokens } = source();
    await tokens.get(deadline);
    tokens.invalidate("t0");
    expect(tokens.isCurrent("t1")).toBe(true);
    tokens.invalidate("t1");
    expect([tokens.isCurrent("t1"), (await tokens.get(deadline)).token, tokens.isCurrent("t1"), tokens.isCurrent("t2")]).toEqual([
      false,
      "t2",
      false,
      true,
    ]);
  });

  it("is remembered as a secret, as are the three before it", async () => {
    const { tokens } = source();
    for (const token of ["t1", "t2", "t3", "t4", "t5"]) tokens.invalidate((await tokens.get(deadline)).token === token ? token : "");
    expect(tokens.secrets()).toEqual(["t5", "t4", "t3", "t2"]);
  });

  it("is remembered once, even if the service issues it twice", async () => {
    const { clock, tokens } = source({ tokens: ["t1", "t1", "t2"] });
    for (let at = 0; at < 3; at++) {
      await tokens.get(deadline);
      clock.seconds += 3_600;
    }
    expect(tokens.secrets()).toEqual(["t2", "t1"]);
  });

  it("that cannot be sent in a header is a contract error without the token", async () => {
    const { tokens } = source({ tokens: ["canary token"] });
    const error = await tokens.get(deadline).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "contract",
      operation: "requestAccessToken",
      message: "requestAccessToken: the response has no usable accessToken",
      advice: "Check the token service URL and the token path",
    });
    expect((await tokens.get(deadline).catch((reason) => reason)).message).toBe(
      "requestAccessToken: the response has no usable accessToken",
    );
  });

  it("is not waited for past the deadline or after an abort", async () => {
    const tokens = createTokenSource({ request: () => new Promise(() => {}), now: Date.now });
    await expect(tokens.get({ timeout: 1 })).rejects.toMatchObject({ code: "timeout", operation: "requestAccessToken" });
    const controller = new AbortController();
    const waiting = tokens.get({ timeout: 60_000, signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted", operation: "requestAccessToken" });
    await expect(source().tokens.get({ timeout: 60_000, signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("a token store", () => {
  const storeOf = (...tokens: string[]) => {
    const written: unknown[] = [];
    return {
      written,
      get: () => ({ accessToken: tokens.length > 1 ? (tokens.shift() as string) : (tokens[0] as string) }),
      set: (token: unknown) => void written.push(token),
    };
  };

  it("provides a token that may be used, without a request", async () => {
    const { tokens, requests } = source({ store: storeOf("s1") });
    expect(await tokens.get(deadline)).toEqual({ token: "s1", cached: true });
    expect(requests()).toBe(0);
  });

  it("is ignored while it returns rejected tokens", async () => {
    const { tokens } = source({ store: storeOf("s1", "s2", "s1", "s2", "s3") });
    const used: string[] = [];
    for (let at = 0; at < 5; at++) {
      const { token } = await tokens.get(deadline);
      used.push(token);
      tokens.invalidate(token);
    }
    expect(used).toEqual(["s1", "s2", "t1", "t2", "s3"]);
  });

  it("is believed again after four other rejections", async () => {
    const { tokens } = source({ store: storeOf("s1", "s2", "s3", "s4", "s5", "s1") });
    for (const token of ["s1", "s2", "s3", "s4", "s5", "s1"]) {
      expect((await tokens.get(deadline)).token).toBe(token);
      tokens.invalidate(token);
    }
  });

  it("is ignored if its token has expired", async () => {
    const store = { get: () => ({ accessToken: "s1", usableUntil: 1_000_000 }), set: () => {} };
    expect((await source({ store }).tokens.get(deadline)).token).toBe("t1");
    store.get = () => ({ accessToken: "s1", usableUntil: 1_000_001 });
    expect((await source({ store }).tokens.get(deadline)).token).toBe("s1");
  });

  it("gets the requested token, which another process may have replaced", async () => {
    const store = { ...storeOf(), get: () => undefined };
    const { tokens } = source({ store });
    expect(await tokens.get(deadline)).toEqual({ token: "t1", cached: true });
    expect(store.written).toEqual([{ accessToken: "t1", usableUntil: 4_540_000 }]);
  });

  it.each<[unknown, unknown]>([
    [{ accessToken: "a" }, { accessToken: "a" }],
    [{ accessToken: "a", usableUntil: null }, { accessToken: "a" }],
    [
      { accessToken: "a", usableUntil: 5, other: 1 },
      { accessToken: "a", usableUntil: 5 },
    ],
    [{ accessToken: "a", usableUntil: Number.NaN }, undefined],
    [{ accessToken: "a", usableUntil: "5" }, undefined],
    [{ accessToken: "a b" }, undefined],
    [{}, undefined],
    [null, undefined],
    [undefined, undefined],
    ["a", undefined],
  ])("that returns %j is read as %j", async (stored, token) => {
    expect(await readStore({ get: async () => stored as never, set: () => {} })).toEqual(token);
  });

  it("that fails is ignored", async () => {
    const broken: TokenStore = {
      get: () => {
        throw new Error("no");
      },
      set: () => Promise.reject(new Error("no")),
    };
    expect(await readStore(broken)).toBeUndefined();
    expect(await readStore(undefined)).toBeUndefined();
    await expect(writeStore(broken, { accessToken: "a" })).resolves.toBeUndefined();
    await expect(writeStore(undefined, { accessToken: "a" })).resolves.toBeUndefined();
  });

  it("that takes more than two seconds is ignored", async () => {
    vi.useFakeTimers();
    try {
      let read: unknown = "pending";
      void readStore({ get: () => new Promise(() => {}), set: () => {} }).then((token) => {
        read = token;
      });
      await vi.advanceTimersByTimeAsync(1_999);
      expect(read).toBe("pending");
      await vi.advanceTimersByTimeAsync(1);
      expect(read).toBeUndefined();
      expect(await readStore({ get: () => null, set: () => {} })).toBeUndefined();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ["a", true],
    ["!~", true],
    ["", false],
    ["a b", false],
    ["a\n", false],
    ["\u007f", false],
    ["ü", false],
    [5, false],
    [undefined, false],
  ])("has a usable token: %j is %s", (token, usable) => {
    expect(isUsableToken(token)).toBe(usable);
  });
});
