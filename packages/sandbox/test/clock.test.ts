import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runningClock } from "../src/index.ts";

const REAL = Date.UTC(2026, 10, 22, 3);
const FROM = Date.UTC(2026, 11, 25, 3);
const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: REAL, toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a running clock", () => {
  it("is the real one by default", () => {
    const clock = runningClock();
    pass(MINUTE);
    expect(clock()).toBe(REAL + MINUTE);
  });

  it("keeps the time that it shows when it is paused, sped up and resumed", () => {
    const clock = runningClock(FROM, 60);
    pass(MINUTE);
    expect([clock(), clock.speed]).toEqual([FROM + 60 * MINUTE, 60]);
    clock.set({ speed: 0 });
    pass(MINUTE);
    expect([clock(), clock.speed]).toEqual([FROM + 60 * MINUTE, 0]);
    clock.set({ speed: 2 });
    pass(MINUTE);
    expect(clock()).toBe(FROM + 62 * MINUTE);
  });

  it("jumps, and keeps its speed", () => {
    const clock = runningClock(FROM, 10);
    clock.set({ at: REAL });
    pass(MINUTE);
    expect([clock(), clock.speed]).toEqual([REAL + 10 * MINUTE, 10]);
  });
});
