import { createSandbox, runningClock, type SandboxOptions } from "@fleetwire/sandbox";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

it.each<[object, string]>([
  [{ vehicles: 0 }, "vehicles must be a whole number, from 1 to 100000"],
  [{ customers: 1.5 }, "customers must be a whole number, from 1 to 1000"],
  [{ seed: "1" }, "seed must be a whole number, at least 0"],
  [{ tokenTtl: 0 }, "tokenTtl must be a whole number, at least 1"],
  [{ start: Number.NaN }, "start must be a number of milliseconds"],
  [{ rhythm: "alike" }, "rhythm must be one of nonstop, week"],
  [{ groupLists: "append" }, "groupLists must be one of replace, add"],
  [{ duplicateJobs: "reject" }, "duplicateJobs must be one of refuse, overwrite, conflict"],
])("a sandbox is not created with %j", (options, problem) => {
  expect(() => createSandbox(options as SandboxOptions)).toThrow(new RangeError(problem));
});

it("its fetch replaces the global one", async () => {
  const { sandbox, urls, basic: headers } = callSandbox({ vehicles: 3 });
  const fetch: typeof globalThis.fetch = sandbox.fetch;
  const forms = [urls.live, new URL(urls.live), new Request(urls.live)];
  for (const form of forms) expect(await (await fetch(form, { headers })).json()).toHaveLength(3);
});

const ORIGIN = "http://localhost:5173";
const PREFLIGHT = { "access-control-request-method": "GET", "access-control-request-headers": "authorization" };

it.each([
  ["a preflight of the page", "/live", ORIGIN, "OPTIONS", PREFLIGHT, 204, ORIGIN],
  ["a request of the page, although it fails", "/live", ORIGIN, "GET", {}, 401, ORIGIN],
  ["a preflight of another page", "/live", "http://localhost:5174", "OPTIONS", PREFLIGHT, 405, null],
  ["a request of another page", "/live", "http://localhost:5174", "GET", {}, 401, null],
  ["the console, which is no part of it", "/console/api/fleet", ORIGIN, "GET", {}, 200, null],
] as const)("cors allows or not: %s", async (_name, path, origin, method, headers, status, allowed) => {
  const call = callSandbox({ vehicles: 1 });
  onTestFinished(() => call.sandbox.close());
  const served = await call.sandbox.listen({ console: true, cors: ORIGIN });
  const url = path === "/live" ? call.as(served.env).urls.live : served.origin + path;
  const response = await fetch(url, { method, headers: { ...headers, origin } });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([status, allowed]);
});

it.each(["*", "localhost:5173", `${ORIGIN}/`])("cors: %s is no origin", async (cors) => {
  await expect(createSandbox({ vehicles: 1 }).listen({ cors })).rejects.toThrow("cors must be an origin, such as http://localhost:5173");
});

afterEach(() => void vi.useRealTimers());

it("a running clock is real by default, keeps its time when paused, sped up and resumed, and jumps", () => {
  const [real, from, minute] = [Date.UTC(2026, 10, 22, 3), Date.UTC(2026, 11, 25, 3), 60_000];
  vi.useFakeTimers({ now: real, toFake: ["Date"] });
  const [plain, clock] = [runningClock(), runningClock(from, 60)];
  const after = (change: Parameters<typeof clock.set>[0]) => {
    clock.set(change);
    vi.setSystemTime(Date.now() + minute);
    return [clock() - from, clock.speed];
  };
  expect(after({})).toEqual([60 * minute, 60]);
  expect(plain()).toBe(real + minute);
  expect(after({ speed: 0 })).toEqual([60 * minute, 0]);
  expect(after({ speed: 2 })).toEqual([62 * minute, 2]);
  expect(after({ at: from })).toEqual([2 * minute, 2]);
});
