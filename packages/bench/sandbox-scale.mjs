// Measures the built command as users run it: in its own process, over HTTP.
import { count, fixed, peakMemory } from "./measure.mjs";
import { startSandbox } from "./server-programs.mjs";

async function measure(vehicles) {
  const { child, readList } = await startSandbox(vehicles);
  try {
    const begun = performance.now();
    for await (const _ of (await readList()).body);
    return { vehicles, list: performance.now() - begun, peak: peakMemory(child.pid) };
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
  rows: rows.map(({ vehicles, list, peak }) => [count(vehicles), { "list, ms": fixed(list), "peak memory, MB": fixed(peak) }]),
});
