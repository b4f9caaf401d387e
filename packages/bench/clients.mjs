// Compares our client with bare fetch and with ofetch and zod: whole lists, many short reads, and what each adds to a browser's bundle.
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import * as bare from "./clients/bare.mjs";
import { open, openUnchecked } from "./clients/fleetwire.mjs";
import * as peer from "./clients/ofetch-zod.mjs";
import { compared, count, fixed, interleaved, measured, medianOf } from "./measure.mjs";
import { mixNames } from "./mixes.mjs";

const BARE = "bare fetch, JSON.parse";
const OURS = "fleetwire, drift reported";
const PEER = "ofetch, zod 4";
const readers = {
  [BARE]: bare.open,
  "the same again (control)": bare.open,
  [OURS]: open,
  "fleetwire, unchecked (control)": openUnchecked,
  [PEER]: peer.open,
};

export const WHOLE = { records: 10_000, mixes: mixNames, rounds: 21, reads: 1 };
/** Many reads of a short list, in which the cost of a call shows. */
export const SMALL = { records: 10, mixes: mixNames.slice(0, 1), rounds: 21, reads: 50 };

/** A table for each mix, and our client's ratio to bare fetch in processor time. */
export async function compareLists(origin, { records, mixes, rounds, reads }) {
  const tables = [];
  for (const mix of mixes) {
    const opened = Object.fromEntries(
      Object.entries(readers).map(([name, reader]) => [name, reader(`${origin}/${encodeURIComponent(mix)}/${records}`)]),
    );
    const refused = new Set();
    const read = async (list, _round, name) => {
      const reading = async () => {
        for (let at = 0; at < reads; at++) await list();
      };
      return measured(() =>
        reading().catch((error) => {
          if (name !== PEER) throw error;
          refused.add(name);
        }),
      );
    };
    const taken = await interleaved(opened, rounds, read, 2);
    const ratioOf = (name) => compared(taken[name], taken[BARE], "cpu");
    tables.push({
      mix,
      title: `${reads === 1 ? "" : `${reads} reads of `}${count(records)} live positions, ${mix}`,
      rows: Object.entries(taken).map(([name, all]) => {
        const { ratio, spread } = ratioOf(name);
        const figures = { "median ms": fixed(medianOf(all, "ms")), "x bare, CPU": ratio.toFixed(2), "middle half": spread };
        return [name, { ...figures, result: refused.has(name) ? "rejected" : "" }];
      }),
      ratio: ratioOf(OURS).ratio,
    });
  }
  return tables;
}

/** Compressed bytes of each client in a browser's bundle, with all it needs to read live positions. Ours contains all operations. */
export async function compareBundles() {
  const rows = [];
  for (const [name, file] of Object.entries({ "bare fetch": "bare", fleetwire: "fleetwire", [PEER]: "ofetch-zod" })) {
    const path = fileURLToPath(new URL(`clients/${file}.mjs`, import.meta.url));
    const stdin = { contents: `export { open } from ${JSON.stringify(path)};`, resolveDir: fileURLToPath(new URL(".", import.meta.url)) };
    const options = { bundle: true, minify: true, format: "esm", platform: "browser", logLevel: "error", write: false };
    const [{ contents }] = (await build({ stdin, ...options })).outputFiles;
    rows.push({ name, minified: contents.length, compressed: gzipSync(contents).length });
  }
  return rows;
}

export const bundleTable = (rows) => ({
  title: "A client in a browser's bundle",
  rows: rows.map(({ name, minified, compressed }) => [
    name,
    { "kB minified": (minified / 1000).toFixed(1), "kB compressed": (compressed / 1000).toFixed(1) },
  ]),
});
