import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callerLimits } from "../../src/http/caller-limits.ts";
import { HTTP_LIMITS } from "../../src/http/limits.ts";

const limits = { ...HTTP_LIMITS, requestsPerCaller: 2, requestsPerCustomer: 3, callerRate: 60 };

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

describe("slots", () => {
  it("are limited for each caller, and for each customer across its callers", () => {
    const { enter } = callerLimits(limits);
    const leave = enter("anna", "north") as () => void;
    enter("anna", "north");
    const refusedCaller = { status: 429, message: "You already have 2 requests in flight; wait for a response first" };
    const refusedCustomer = { status: 503, message: "Already serving 3 requests for this customer; try again later" };
    const headers = { "retry-after": "1", connection: "close" };
    expect(enter("anna", "south")).toEqual({ ...refusedCaller, headers });
    expect(enter("ben", "north")).toBeTypeOf("function");
    expect(enter("cleo", "north")).toEqual({ ...refusedCustomer, headers });
    expect(enter("cleo", "south")).toBeTypeOf("function");
    leave();
    expect(enter("anna", "north")).toBeTypeOf("function");
    expect(enter("anna", "north")).toMatchObject({ status: 429 });
  });
});

describe("the rate", () => {
  const refused = (seconds: number) => ({
    status: 429,
    message: `You may send 60 requests a minute; try again in ${seconds} s`,
    headers: { "retry-after": String(seconds) },
  });
  const arrivals = async (count: number, arrive: (caller: string) => Promise<unknown>) => {
    for (let at = 0; at < count; at++) expect(await arrive("anna")).toBeUndefined();
  };

  it("allows a minute's requests at once, then one a second, to each caller", async () => {
    const { arrive } = callerLimits(limits);
    await arrivals(60, arrive);
    expect(await arrive("anna")).toEqual(refused(1));
    expect(await arrive("ben")).toBeUndefined();
    vi.advanceTimersByTime(2_000);
    await arrivals(2, arrive);
    expect(await arrive("anna")).toEqual(refused(1));
    vi.advanceTimersByTime(3_600_000);
    await arrivals(60, arrive);
    expect(await arrive("anna")).toEqual(refused(1));
  });

  it.each([
    ["ten times a second", 100],
    ["a thousand times a second", 1],
    ["slightly too often", 990],
  ])("serves a caller at its rate even if it asks %s", async (_, interval) => {
    const { arrive } = callerLimits(limits);
    await arrivals(60, arrive);
    let served = 0;
    for (let passed = 0; passed < 60_000; passed += interval) {
      vi.advanceTimersByTime(interval);
      if ((await arrive("anna")) === undefined) served++;
    }
    expect(served).toBeGreaterThanOrEqual(59);
    expect(served).toBeLessThanOrEqual(61);
  });

  it("says how long the next request must wait", async () => {
    const { arrive } = callerLimits({ ...limits, callerRate: 6 });
    await arrivals(6, arrive);
    vi.advanceTimersByTime(4_000);
    expect(await arrive("anna")).toMatchObject({ headers: { "retry-after": "6" } });
  });

  it("is unlimited if none is set", async () => {
    await arrivals(1_000, callerLimits({ ...limits, callerRate: Number.POSITIVE_INFINITY }).arrive);
  });

  it.each([
    [60, undefined],
    [61, refused(9)],
  ])("is that of all replicas if they share it: request %d of the minute", async (count, refusal) => {
    expect(await callerLimits(limits, { count: async () => ({ count, left: 8_001 }) }).arrive("anna")).toEqual(refusal);
  });

  it("is that of this process while sharing fails", async () => {
    const { arrive } = callerLimits(limits, { count: () => Promise.reject(new Error("gone")) });
    await arrivals(60, arrive);
    expect(await arrive("anna")).toEqual(refused(1));
  });

  it("is forgotten for the caller that was away longest, after 10,000 others", async () => {
    const { arrive } = callerLimits({ ...limits, callerRate: 1 });
    await arrive("anna");
    for (let other = 1; other < 10_000; other++) await arrive(`caller ${other}`);
    expect(await arrive("anna")).toMatchObject({ status: 429 });
    await arrive("caller 10000");
    expect(await arrive("anna")).toMatchObject({ status: 429 });
    for (let other = 10_000; other < 20_000; other++) await arrive(`caller ${other}`);
    expect(await arrive("anna")).toBeUndefined();
  });
});
