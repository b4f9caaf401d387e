// What all benchmarks share: interleaved rounds, runs in processes of their own, ratios and tables.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** The middle half of the values. */
const spread = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return `${sorted[sorted.length >> 2].toFixed(2)} to ${sorted[(sorted.length * 3) >> 2].toFixed(2)}`;
};

/** The median and middle half of the ratios of a field to that of the same rounds of others. */
export function compared(taken, base, of, baseOf = of) {
  const ratios = taken.map((one, round) => one[of] / base[round][baseOf]);
  return { ratio: median(ratios), spread: spread(ratios) };
}

export const medianOf = (taken, of) => median(taken.map((one) => one[of]));

/** Runs each case once in every round, in alternating order, so that load on the machine affects all alike. Returns the results of the counted rounds by name. */
export async function interleaved(cases, rounds, run, warmUp = 0) {
  const taken = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    const all = Object.entries(cases);
    for (const [name, one] of round % 2 ? all : all.reverse()) {
      const result = await run(one, round, name);
      if (round >= 0 && result !== undefined) taken[name].push(result);
    }
  }
  return taken;
}

/** Starts a module of this folder as a process, which sends one message. */
export async function started(file, args = []) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args.map(String), { execArgv: ["--expose-gc"] });
  const [message] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof message !== "object" || message === null) throw new Error(`${file} ${args.slice(1)} failed`);
  return { ...message, stop: () => child.disconnect() };
}

/** Processor milliseconds that a process has used so far, in all its threads; Linux only. */
export function processorTime(pid) {
  const used = (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + used(thread), 0) / 1e6;
}

/** Peak memory of a process in MB; Linux only. */
export const peakMemory = (pid) => (Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024) / 1e6;

/** The memory of this process after a garbage collection, in bytes. */
export const memory = () => {
  globalThis.gc();
  return process.memoryUsage.rss();
};

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

export const count = (value) => value.toLocaleString("en");
export const fixed = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

/** Describes the machine, without which the figures mean nothing. */
export const machine = () => `Node ${process.version}, ${cpus().length} x ${cpus()[0].model}, ${process.platform} ${process.arch}`;
