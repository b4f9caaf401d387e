import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";

/** Measures wall-clock and CPU milliseconds after a garbage collection, and whether the work failed. */
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
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The middle half of the values. */
export function spread(values, digits = 2) {
  const sorted = [...values].sort((a, b) => a - b);
  return `${sorted[sorted.length >> 2].toFixed(digits)} to ${sorted[(sorted.length * 3) >> 2].toFixed(digits)}`;
}

/** The ratios of values to those of the same rounds. */
export const ratios = (values, base) => values.map((value, round) => value / base[round]);

/** Peak memory of a process in MB; Linux only. */
export function peakMemory(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return (Number(kilobytes) * 1024) / 1e6;
}

/** Measures time, processor time, and the longest stall of the event loop, in milliseconds. */
export async function measured(work) {
  globalThis.gc();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begun = performance.now();
  const usage = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(usage);
  const ms = performance.now() - begun;
  // A stall is recorded once it is over.
  await setTimeout(5);
  delay.disable();
  return { ms, cpu: (user + system) / 1000, stall: delay.max / 1e6, result };
}

/** The memory of this process after a garbage collection, in bytes. */
export const memory = () => {
  globalThis.gc();
  return process.memoryUsage.rss();
};

/** Describes the machine, without which the figures mean nothing. */
export function machine() {
  const [{ model }] = cpus();
  return `Node ${process.version}, ${cpus().length} x ${model}, ${process.platform} ${process.arch}`;
}

const ratio = (taken, base, of) => median(taken.map((one, round) => one[of] / base[round][of])).toFixed(2);
const lowest = (taken, of) => Math.min(...taken.map((one) => one[of]));

/** A table row: the measurements, and their ratio to the same rounds of `base`. CPU time does not depend on the machine's load. */
export function row(taken, base) {
  const same = base.slice(0, taken.length);
  return {
    "median ms": median(taken.map(({ ms }) => ms)).toFixed(0),
    "min ms": lowest(taken, "ms").toFixed(0),
    "x bare": ratio(taken, same, "ms"),
    "x bare, min": (lowest(taken, "ms") / lowest(same, "ms")).toFixed(2),
    "x bare, CPU": ratio(taken, same, "cpu"),
  };
}

export function printTable({ title, rows }) {
  console.log(`\n${title}`);
  console.table(Object.fromEntries(rows));
}
