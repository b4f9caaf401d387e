// Reads long lists record by record and whole. Each run has its own process, because memory is measured by its peak.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median, row } from "./measure.mjs";

const MIX = "one shape";
const COMPARED = 100_000;
const ROUNDS = 5;
const SIZES = [10_000, 50_000, 100_000, 200_000];
const BARE = "bare fetch, JSON.parse";

async function readOnce(origin, records, way) {
  const script = fileURLToPath(new URL("one-list.mjs", import.meta.url));
  const child = fork(script, [origin, MIX, String(records), way], { execArgv: ["--expose-gc"] });
  const [result] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof result !== "object" || result === null) throw new Error(`reading ${records} records failed: ${way}`);
  return result;
}

const thousands = (count) => count.toLocaleString("en");

/** Returns a table of the ways to read a long list, and one of a stream's memory. */
export async function compareLongLists(origin, { compared, sizes, rounds } = { compared: COMPARED, sizes: SIZES, rounds: ROUNDS }) {
  const taken = { [BARE]: [], streamed: [] };
  for (let round = 0; round < rounds; round++) {
    const ways = Object.keys(taken);
    for (const way of round % 2 ? ways : ways.reverse()) taken[way].push(await readOnce(origin, compared, way));
  }
  const ways = Object.keys(taken).map((way) => [
    way,
    { ...row(taken[way], taken[BARE]), "MB above idle": median(taken[way].map(({ megabytes }) => megabytes)).toFixed(0) },
  ]);
  const memory = [];
  for (const size of sizes) {
    const readings = [];
    for (let round = 0; round < Math.min(rounds, 3); round++) readings.push(await readOnce(origin, size, "streamed"));
    memory.push([thousands(size), { "MB above idle": Math.max(...readings.map(({ megabytes }) => megabytes)).toFixed(0) }]);
  }
  return [
    { title: `${thousands(compared)} live positions, streamed and read whole`, rows: ways },
    { title: "Peak memory of a stream", rows: memory },
  ];
}
