import { onTestFinished, vi } from "vitest";

const TICK = 5;
const TIMERS = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] as const;

/** Lets timers and `performance` run so many times faster until the test ends, or it is stopped. What holds up this process holds up this clock too. */
export function fastClock(factor: number, ...more: "Date"[]): () => void {
  if (vi.isFakeTimers()) return () => {};
  const end = clearInterval;
  const ticking = setInterval(() => vi.advanceTimersByTime(TICK * factor), TICK);
  vi.useFakeTimers({ toFake: [...TIMERS, ...more] });
  const stop = () => {
    end(ticking);
    vi.useRealTimers();
  };
  onTestFinished(stop);
  return stop;
}
