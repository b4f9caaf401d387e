/** A clock in epoch ms that can be set and sped up while it runs. */
export interface RunningClock {
  (): number;
  /** Speed relative to the real clock; 0 if it stands still. */
  readonly speed: number;
  /** Sets the time shown now, in epoch ms, the speed, or both. */
  readonly set: (change: { readonly at?: number; readonly speed?: number }) => void;
}

/** A clock in epoch ms that shows `from` now and runs `speed` times as fast as the real one; at 0 it stands still. By default, it is the real one. */
export function runningClock(from: number = Date.now(), speed = 1): RunningClock {
  // Not performance.now(), which stops while a laptop sleeps.
  let since = { real: Date.now(), shown: from, speed };
  const now = () => since.shown + (Date.now() - since.real) * since.speed;
  return Object.defineProperty(
    Object.assign(now, {
      set: (change: { at?: number; speed?: number }) => {
        since = { real: Date.now(), shown: change.at ?? now(), speed: change.speed ?? since.speed };
      },
    }),
    "speed",
    { get: () => since.speed },
  ) as RunningClock;
}
