// Measures the built command as users run it: in its own process, over HTTP.
import { setTimeout } from "node:timers/promises";
import { count, fixed, peakMemory } from "./measure.mjs";
import { startSandbox } from "./server-programs.mjs";

/** Between two lists, as a client that follows the fleet reads them; meanwhile a few percent of the vehicles report. */
const PAUSE_MS = 5000;

async function measure(vehicles) {
  const { child, readList } = await startSandbox(vehicles);
  const list = async () => {
    const begun = performance.now();
    for await (const _ of (await readList()).body);
    return performance.now() - begun;
  };
  try {
    const cold = await list();
    await setTimeout(PAUSE_MS);
    return { vehicles, cold, warm: await list(), peak: peakMemory(child.pid) };
  } finally {
    child.kill();
  }
}

export async function measureSandbox(sizes = [1000, 10_000, 100_000]) {
  const rows = [];
  for (const size of sizes) rows.push(await measure(size));
  return rows;
}

export const sandboxTable = (rows) => ({
  title: "The sandbox: lists of live positions over HTTP",
  rows: rows.map(({ vehicles, cold, warm, peak }) => [
    count(vehicles),
    { "first list, ms": fixed(cold), "5 s later, ms": fixed(warm), "peak memory, MB": fixed(peak) },
  ]),
});
