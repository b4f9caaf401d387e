import { cpus } from "node:os";

/** Milliseconds that something takes, from a heap without rubbish; whether it ended in an error is told too. */
export async function timed(work) {
  globalThis.gc();
  const begun = performance.now();
  let refused = false;
  await Promise.resolve(work()).catch(() => {
    refused = true;
  });
  return { ms: performance.now() - begun, refused };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Where the figures come from, without which they mean nothing. */
export function machine() {
  const [{ model }] = cpus();
  return `Node ${process.version}, ${cpus().length} x ${model}, ${process.platform} ${process.arch}`;
}

/** A row of a table: times, and how they compare with the same rounds of `base`. */
export function row(times, base) {
  const ratios = times.map((ms, round) => ms / base[round]);
  return {
    "median ms": median(times).toFixed(0),
    "least ms": Math.min(...times).toFixed(0),
    "x bare": median(ratios).toFixed(2),
    "x bare, least": (Math.min(...times) / Math.min(...base.slice(0, times.length))).toFixed(2),
  };
}
