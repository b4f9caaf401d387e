import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callSettings, isTransient, retryAfterOf, retryDelay, settingProblems } from "../../src/client/retry-policy.ts";
import { FleetError, type FleetErrorCode, fleetErrorCodes, operations } from "../../src/index.ts";

const { listJobs } = operations;

describe("the settings of a call", () => {
  const client = { timeout: 5_000, totalTimeout: 60_000, retries: 4 };
  it.each([
    [{}, {}, { timeout: 30_000, totalTimeout: 90_000, retries: 2 }],
    [{}, client, client],
    [{ timeout: 1_000, totalTimeout: 2_000, retries: 0 }, client, { timeout: 1_000, totalTimeout: 2_000, retries: 0 }],
    [{ timeout: 1_000 }, {}, { timeout: 1_000, totalTimeout: 3_000, retries: 2 }],
  ])("%j, and %j of the client", (options, defaults, settings) => {
    expect(callSettings(listJobs, options, defaults)).toEqual(settings);
  });

  it.each<[object, string[]]>([
    [{}, []],
    [{ timeout: 1, totalTimeout: 1, retries: 0 }, []],
    [{ timeout: Number.POSITIVE_INFINITY }, []],
    [{ timeout: 0 }, ["timeout must be a positive number of milliseconds"]],
    [{ totalTimeout: 0 }, ["totalTimeout must be a positive number of milliseconds"]],
    [{ totalTimeout: Number.NaN }, ["totalTimeout must be a positive number of milliseconds"]],
    [{ retries: -1 }, ["retries must be a whole number, 0 or more"]],
    [{ retries: 0.5 }, ["retries must be a whole number, 0 or more"]],
  ])("%j have these problems: %j", (settings, problems) => {
    expect(settingProblems(settings)).toEqual(problems);
  });

  const signal = { addEventListener: () => {} };
  it.each([undefined, null, signal, new AbortController().signal])("may have the signal %o", (value) => {
    expect(callSettings(listJobs, { signal: value as never }, client)).toEqual(client);
  });

  it.each<[unknown, string]>([
    [null, "options must be an object"],
    [5, "options must be an object"],
    [{ signal: 5 }, "signal must be an AbortSignal"],
    [{ timeout: 0, signal: {} }, "timeout must be a positive number of milliseconds; signal must be an AbortSignal"],
  ])("%j are rejected", (options, problem) => {
    expect(() => callSettings(listJobs, options as never, {})).toThrow(
      expect.objectContaining({
        code: "input",
        message: `listJobs: ${problem}`,
        operation: "listJobs",
        advice: "Fix the call's options; nothing was sent",
      }),
    );
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-11-21T10:00:00Z");
  beforeAll(() => vi.stubEnv("TZ", "America/New_York"));
  afterAll(() => vi.unstubAllEnvs());
  it.each<[string | undefined, string | undefined, number | undefined]>([
    [undefined, undefined, undefined],
    ["7", undefined, 7_000],
    [" 0.25 ", undefined, 250],
    ["Sat Nov 21 10:00:07 2026", undefined, 7_000],
    ["Saturday, 21-Nov-26 10:00:07 GMT", undefined, 7_000],
    ["Sat, 21 Nov 2026 11:00:07 +0100", undefined, 7_000],
    ["86400", undefined, 86_400_000],
    ["86401", undefined, 86_400_000],
    ["Sat, 21 Nov 2026 10:00:07 GMT", undefined, 7_000],
    ["Sat, 21 Nov 2026 10:00:07 GMT", "Sat, 21 Nov 2026 09:59:57 GMT", 10_000],
    ["Sat, 21 Nov 2026 10:00:07 GMT", "yesterday", 7_000],
    ["Sat, 21 Nov 2026 09:59:00 GMT", undefined, 0],
    ["2026-11-21", undefined, undefined],
    ["-5", undefined, undefined],
    ["soon", undefined, undefined],
    ["1.2.3", undefined, undefined],
    ["5 6", undefined, undefined],
    ["x5", undefined, undefined],
  ])("%s with the Date %s: %s ms", (retryAfter, date, delay) => {
    const headers = new Headers({ ...(retryAfter && { "retry-after": retryAfter }), ...(date && { date }) });
    expect(retryAfterOf(headers, now)).toBe(delay);
  });
});

describe("the retry delay", () => {
  const failed = (retryAfter?: number) => new FleetError("upstream", "failed", { retryAfter });
  it.each([
    [1, 0.5, undefined, 250],
    [2, 0.5, undefined, 500],
    [5, 0.5, undefined, 4_000],
    [9, 0.5, undefined, 4_000],
    [1, 0.5, 200, 250],
    [1, 0.5, 300, 300],
    [1, 0.5, 60_000, 60_000],
    [1, 0.5, 60_001, undefined],
  ])("before retry %d, at random %d, with Retry-After %s, is %s ms", (retry, random, retryAfter, delay) => {
    expect(retryDelay(retry, failed(retryAfter), () => random)).toBe(delay);
  });

  it("follows transient failures only", () => {
    const transient = (Object.keys(fleetErrorCodes) as FleetErrorCode[]).filter((code) => isTransient(new FleetError(code, "failed")));
    expect(transient).toEqual(["rateLimited", "timeout", "network", "upstream"]);
  });
});
