import { cpus } from "node:os";

/** Milliseconds that something takes, by the clock and of the processor, from a heap without rubbish; whether it ended in an error is told too. */
export async function timed(work) {
  globalThis.gc();
  const begun = performance.now();
  const usage = process.cpuUsage();
  let refused = false;
  await Promise.resolve(work()).catch(() => {
    refused = true;
  });
  const { user, system } = process.cpuUsage(usage);
  return { ms: performance.now() - begun, cpu: (user + system) / 1000, refused };
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

const ratio = (taken, base, of) => median(taken.map((one, round) => one[of] / base[round][of])).toFixed(2);
const least = (taken, of) => Math.min(...taken.map((one) => one[of]));

/** A row of a table: what was taken, and how it compares with the same rounds of `base`. The processor's time is told apart from a busy machine's. */
export function row(taken, base) {
  const same = base.slice(0, taken.length);
  return {
    "median ms": median(taken.map(({ ms }) => ms)).toFixed(0),
    "least ms": least(taken, "ms").toFixed(0),
    "x bare": ratio(taken, same, "ms"),
    "x bare, least": (least(taken, "ms") / least(same, "ms")).toFixed(2),
    "x bare, processor": ratio(taken, same, "cpu"),
  };
}
