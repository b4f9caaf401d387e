// Measures the built command as users run it: in its own process, over HTTP.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../sandbox/dist/fleetwire-sandbox.js", import.meta.url));
const SIZES = [1000, 10_000, 100_000];

/** Peak memory of a process in MB; Linux only. */
async function peakMemory(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /VmHWM:\s+(\d+)/.exec(status)?.[1];
  return kilobytes === undefined ? Number.NaN : Math.round(Number(kilobytes) / 1024);
}

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
    const idle = await peakMemory(child.pid);
    const cold = await readList(url, authorization);
    const warm = await readList(url, authorization);
    return {
      vehicles,
      start,
      cold: cold.all,
      first: warm.first,
      warm: warm.all,
      bytes: warm.bytes,
      idle,
      peak: await peakMemory(child.pid),
    };
  } finally {
    child.kill();
  }
}

const rows = [];
for (const size of SIZES) rows.push(await measure(size));
const ms = (value) => `${value.toFixed(0)} ms`;
const times = (row, at, field) => (at === 0 ? "" : ` (x${(row[field] / rows[at - 1][field]).toFixed(1)})`);
console.table(
  rows.map((row, at) => ({
    vehicles: row.vehicles,
    start: ms(row.start),
    "first list": ms(row.cold),
    "later list": ms(row.warm) + times(row, at, "warm"),
    "first byte": ms(row.first),
    size: `${(row.bytes / 1e6).toFixed(1)} MB`,
    "memory at start": `${row.idle} MB`,
    "peak memory": `${row.peak} MB${times(row, at, "peak")}`,
  })),
);
