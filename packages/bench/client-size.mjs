// The size of each client in a browser's bundle, and the time from its import to its first result in a process of its own.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { median, ratios, spread } from "./measure.mjs";
import { clients, pathOf } from "./readers.mjs";

const ROUNDS = 11;
const RECORDS = 10;

async function bundled(client) {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { open } from ${JSON.stringify(pathOf(client))};`,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    logLevel: "error",
    write: false,
  });
  const [{ contents }] = outputFiles;
  return { minified: contents.length, compressed: gzipSync(contents).length };
}

async function firstCall(client, address) {
  const child = fork(fileURLToPath(new URL("one-import.mjs", import.meta.url)), [pathOf(client), address]);
  const [result] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof result !== "object" || result === null) throw new Error(`the first call failed: ${client.file}`);
  return result;
}

/** Compares the clients, each with all it needs to read live positions. Ours contains all operations of the interface. */
export async function compareClients(origin, rounds = ROUNDS) {
  const address = `${origin}/${encodeURIComponent("one shape")}/${RECORDS}`;
  const all = Object.entries(clients);
  const taken = Object.fromEntries(all.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, client] of round % 2 ? all : all.toReversed()) taken[name].push(await firstCall(client, address));
  }
  const [bare] = Object.values(taken);
  const cpuOf = (runs) => runs.map(({ cpu }) => cpu);
  const rows = [];
  for (const [name, client] of all) {
    const toBare = ratios(cpuOf(taken[name]), cpuOf(bare));
    const figures = { ms: median(taken[name].map(({ ms }) => ms)), cpu: median(cpuOf(taken[name])), ratio: median(toBare) };
    rows.push({ name, validates: client.validates ?? false, ...figures, spread: spread(toBare), ...(await bundled(client)) });
  }
  return rows;
}

export const clientTable = (rows) => ({
  title: "A client: import to the first result in a new process, and its bundle",
  rows: rows.map(({ name, validates, ms, cpu, ratio, minified, compressed, ...more }) => [
    name,
    {
      validates: validates ? "yes" : "",
      ms: ms.toFixed(0),
      "CPU ms": cpu.toFixed(0),
      "x bare, CPU": ratio.toFixed(2),
      "middle half": more.spread,
      "kB minified": (minified / 1000).toFixed(1),
      "kB compressed": (compressed / 1000).toFixed(1),
    },
  ]),
});
