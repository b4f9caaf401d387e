import { FleetError } from "@fleetwire/core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readinessOf } from "../../src/http/readiness.ts";
import type { ServedFleet } from "../../src/http/served-fleet.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const probes = {
  up: async () => {},
  auth: () => Promise.reject(new FleetError("auth", "rejected")),
  broken: () => Promise.reject(new TypeError("canary")),
  hanging: () => new Promise<void>(() => {}),
};

const fleets = (...states: (keyof typeof probes)[]) => states.map((state) => ({ probe: vi.fn(probes[state]) }) as unknown as ServedFleet);

it.each<[(keyof typeof probes)[], boolean, string[]]>([
  [[], true, []],
  [["up"], true, []],
  [["auth"], false, ["auth"]],
  [["auth", "up"], true, ["auth"]],
  [["broken", "hanging", "up"], true, ["internal", "timeout"]],
  [["auth", "auth", "auth", "up"], false, ["auth", "auth", "auth"]],
])("with services %j: ready %s, problems %j", async (states, ready, problems) => {
  const result = readinessOf(fleets(...states))();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await result).toEqual({ ready, problems });
});

it("is checked at most every ten seconds, each time at the next customer if the last failed", async () => {
  const all = fleets("auth", "up", "up");
  const check = readinessOf(all);
  const probed = () => all.map(({ probe }) => vi.mocked(probe).mock.calls.length);
  await check();
  await vi.advanceTimersByTimeAsync(9_999);
  await check();
  expect(probed()).toEqual([1, 1, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await check()).toEqual({ ready: true, problems: [] });
  expect(probed()).toEqual([1, 2, 0]);
});

it("says whether writes are possible, as of now, if replicas share state", async () => {
  let isSharing = true;
  const check = readinessOf(fleets("up"), () => isSharing);
  expect(await check()).toEqual({ ready: true, problems: [], writes: true });
  isSharing = false;
  expect(await check()).toEqual({ ready: true, problems: [], writes: false });
});
