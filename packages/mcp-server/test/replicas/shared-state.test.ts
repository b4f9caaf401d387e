import type { StoredToken } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import type { Redis } from "../../src/replicas/redis.ts";
import { stateIn } from "../../src/replicas/shared-state.ts";
import { serverConfigFromEnv } from "../../src/server-config.ts";
import { environmentOf } from "../server-under-test.ts";

const KEY = Buffer.alloc(32, "k").toString("base64");
const config = serverConfigFromEnv(environmentOf("https://fleet.example.com"));
const NOW = Date.now();

/** What replicas have written, without a Redis: tests/replicas has a real one. */
function stored() {
  const values = new Map<string, { value: string; ttl: number }>();
  const counted: unknown[][] = [];
  const redis: Redis = {
    get: async (key) => values.get(key)?.value,
    set: async (key, value, ttl) => void values.set(key, { value, ttl }),
    add: async (key, value, ttl) => !values.has(key) && values.set(key, { value, ttl }) !== undefined,
    extend: async (key, value, ttl) => values.get(key)?.value === value && values.set(key, { value, ttl }) !== undefined,
    remove: async (key, value) => void (values.get(key)?.value === value && values.delete(key)),
    count: async (...of) => {
      counted.push(of);
      return { count: 3, left: 50 };
    },
    isReady: () => true,
    close: async () => {},
  };
  return { redis, values, counted, state: (key = KEY) => stateIn(redis, key) };
}

const token = (usableUntil = NOW + 90_000): StoredToken => ({ accessToken: "canary-token", usableUntil });

describe("an access token", () => {
  it.each<[string, StoredToken, number]>([
    ["until it expires", token(), 90_000],
    ["without a known end, for a day", { accessToken: "canary-token" }, 86_400_000],
    ["that has just expired, for a moment", token(NOW - 1_000), 1],
  ])("is kept %s, and read by another replica with the same key", async (_, given, ttl) => {
    const { state, values } = stored();
    expect(await state().tokenStore(config).get()).toBeUndefined();
    await state().tokenStore(config).set(given);
    expect(await state().tokenStore(config).get()).toEqual(given);
    const [kept] = values.values();
    expect(Math.abs((kept?.ttl ?? 0) - ttl)).toBeLessThan(1_000);
    expect(kept?.ttl).toBeGreaterThan(0);
    expect(kept?.ttl).toBeLessThanOrEqual(86_400_000);
  });

  it("is not shared with another customer, other credentials or another token server", async () => {
    const { state, values } = stored();
    const others = [
      config,
      { ...config, credentials: { clientId: "client", clientSecret: "canary-other" } },
      { ...config, servers: { ...config.servers, auth: "https://other.example.com" } },
      { ...config, tokenPath: "/other" },
    ];
    for (const other of others) await state().tokenStore(other).set(token());
    expect(values.size).toBe(others.length);
    expect([...values.keys()]).toEqual(others.map(() => expect.stringMatching(/^token:[\w-]{43}$/)));
  });

  it("cannot be read, found or replaced with access to Redis alone", async () => {
    const { state, values } = stored();
    await state().tokenStore(config).set(token());
    const [[name = "", { value }] = ["", { value: "" }]] = values;
    expect(Buffer.from(value, "base64").toString("latin1")).not.toContain("canary");
    // Another key has another name, under which the same bytes are of no use either.
    const otherKey = Buffer.alloc(32, "x").toString("base64");
    expect(await state(otherKey).tokenStore(config).get()).toBeUndefined();
    const moved = { ...config, tokenPath: "/other" };
    await state().tokenStore(moved).set(token());
    const movedName = [...values.keys()].find((key) => key !== name) as string;
    values.set(movedName, { value, ttl: 1 });
    await expect(state().tokenStore(moved).get()).rejects.toThrow();
    const bytes = Buffer.from(value, "base64");
    for (const at of [0, 11, 12, bytes.length - 17, bytes.length - 16, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      values.set(name, { value: changed.toString("base64"), ttl: 1 });
      await expect(state().tokenStore(config).get(), `byte ${at}`).rejects.toThrow();
    }
  });

  it("that another version stored is read, so that replicas can be updated one after the other", async () => {
    const { state, values } = stored();
    const name = "token:ON9Xb5VprdzYzo0BvStImmZiRDIyrOj9dCFji846Ydw";
    const value = "yikAv2ekiapS0W0rd3N7X/wlmH0d9mpwrZTqC9jWFs0pqlPtqAzm08P/HOmVbKQrqllETZqy+3jff5vCP+gePaEATp9//Hoo6VC3ikNhUVpadTH2w88=";
    values.set(name, { value, ttl: 1 });
    const credentials = { clientId: "id", clientSecret: "canary-secret" };
    const stable = { ...config, credentials, servers: { auth: "https://auth.example.com" }, tokenPath: "/token" };
    expect(await state().tokenStore(stable).get()).toEqual({ accessToken: "canary-token", usableUntil: 1_795_600_000_000 });
  });
});

it("writes are held under their own names, by one replica at a time", async () => {
  const { state, values } = stored();
  const [one, other] = [state().writeStore, state().writeStore];
  expect(await one.add("FW-1", "one", 100)).toBe(true);
  expect(await other.add("FW-1", "other", 100)).toBe(false);
  expect(values).toEqual(new Map([["write:FW-1", { value: "one", ttl: 100 }]]));
  expect([await other.extend("FW-1", "other", 200), await one.extend("FW-1", "one", 200)]).toEqual([false, true]);
  expect(values.get("write:FW-1")?.ttl).toBe(200);
  expect(await other.get("FW-1")).toBe("one");
  await other.remove("FW-1", "other");
  expect(values.size).toBe(1);
  await one.remove("FW-1", "one");
  expect(values.size).toBe(0);
});

it("a caller's requests are counted for a minute, under a name that does not reveal the caller", async () => {
  const { state, counted, redis } = stored();
  const { rate, isReady } = state();
  expect(await rate.count("customer caller-1")).toEqual({ count: 3, left: 50 });
  await rate.count("customer caller-2");
  const names = counted.map(([name]) => name);
  expect(counted).toEqual(names.map(() => [expect.stringMatching(/^rate:[\w-]{43}$/), 60_000]));
  expect(new Set(names).size).toBe(2);
  expect(isReady).toBe(redis.isReady);
});
