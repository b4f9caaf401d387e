import { onTestFinished, vi } from "vitest";

const TICK = 5;
const TIMERS = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] as const;

/** Lets timers and `performance` run so many times faster until the test ends. A process that is held up holds up this clock too. */
export function fastClock(factor: number): void {
  if (vi.isFakeTimers()) return;
  const ticking = setInterval(() => vi.advanceTimersByTime(TICK * factor), TICK);
  const stop = clearInterval;
  vi.useFakeTimers({ toFake: [...TIMERS] });
  onTestFinished(() => {
    stop(ticking);
    vi.useRealTimers();
  });
}
