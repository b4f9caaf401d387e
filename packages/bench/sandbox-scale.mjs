// Measures the built command as users run it: in its own process, over HTTP.
import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { peakMemory } from "./measure.mjs";

const bin = fileURLToPath(new URL("../sandbox/dist/fleetwire-sandbox.js", import.meta.url));
const SIZES = [1000, 10_000, 100_000];
/** Between two lists, as a client that follows the fleet reads them; meanwhile a few percent of the vehicles report. */
const PAUSE_MS = 5000;

async function readList(url, authorization) {
  const begun = performance.now();
  const response = await fetch(url, { headers: { authorization } });
  const first = performance.now() - begun;
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.byteLength;
  return { first, all: performance.now() - begun, bytes };
}

async function measure(vehicles) {
  const begun = performance.now();
  const child = spawn(process.execPath, [bin, "--vehicles", String(vehicles)], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const line = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.stdout.once("data", resolve);
    });
    const start = performance.now() - begun;
    const { env } = JSON.parse(line);
    const authorization = `Basic ${btoa(`${env.FLEET_CLIENT_ID}:${env.FLEET_CLIENT_SECRET}`)}`;
    const url = `${env.FLEET_BASE_URL}/public/v1/customer/${env.FLEET_CUSTOMER_ID}/tracking/live`;
    const idle = peakMemory(child.pid);
    const cold = await readList(url, authorization);
    await wait(PAUSE_MS);
    const warm = await readList(url, authorization);
    return {
      vehicles,
      start,
      cold: cold.all,
      first: warm.first,
      warm: warm.all,
      bytes: warm.bytes,
      idle,
      peak: peakMemory(child.pid),
    };
  } finally {
    child.kill();
  }
}

const ms = (value) => `${value.toFixed(0)} ms`;
const times = (row, at, field, rows) => (at === 0 ? "" : ` (x${(row[field] / rows[at - 1][field]).toFixed(1)})`);

export async function measureSandbox(sizes = SIZES) {
  const rows = [];
  for (const size of sizes) rows.push(await measure(size));
  return rows;
}

export const sandboxTable = (rows) => ({
  title: "The sandbox: start, and lists of live positions over HTTP",
  rows: rows.map((row, at) => [
    row.vehicles.toLocaleString("en"),
    {
      start: ms(row.start),
      "first list": ms(row.cold),
      "5 s later": ms(row.warm) + times(row, at, "warm", rows),
      "first byte": ms(row.first),
      size: `${(row.bytes / 1e6).toFixed(1)} MB`,
      "memory at start": `${row.idle.toFixed(0)} MB`,
      "peak memory": `${row.peak.toFixed(0)} MB${times(row, at, "peak", rows)}`,
    },
  ]),
});
