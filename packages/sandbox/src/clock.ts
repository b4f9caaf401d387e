/** A clock in epoch ms that shows `from` now and runs `speed` times as fast as the real one; at 0 it stands still. */
export function runningClock(from: number, speed: number): () => number {
  const begun = performance.now();
  return () => from + (performance.now() - begun) * speed;
}
