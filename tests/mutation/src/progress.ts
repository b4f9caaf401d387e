const PROGRESS_MS = 15_000;

const clock = (ms: number) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, "0")}`;

/** Returns a function to call after each step. It occasionally prints the progress and the estimated time left. */
export function progress(what: string, all: number, print: (line: string) => void): () => void {
  const start = Date.now();
  let printedAt = start;
  let done = 0;
  return () => {
    done++;
    const now = Date.now();
    if (now - printedAt < PROGRESS_MS) return;
    printedAt = now;
    const left = ((now - start) / done) * (all - done);
    print(`${what}: ${done} of ${all} in ${clock(now - start)}, ${clock(left)} left`);
  };
}
