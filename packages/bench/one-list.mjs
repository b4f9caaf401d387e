// Reads one list in a process of its own, and tells how long it took and how much memory beyond what the process had when idle.
import { timed } from "./measure.mjs";
import { fleetAt, readBare } from "./readers.mjs";

const [origin, mix, records, way] = process.argv.slice(2);
const addressOf = (count) => `${origin}/${encodeURIComponent(mix)}/${count}`;

const ways = {
  streamed: async (base) => {
    let count = 0;
    for await (const _ of fleetAt(base, { onDrift: () => {} }).listLivePositions.iterate()) count++;
    return count;
  },
  "bare fetch, JSON.parse": async (base) => (await readBare(base)).length,
};

const read = ways[way];
// An idle client has called before: the runtime loads its fetch with the first call.
await read(addressOf(10));
globalThis.gc();
const idle = process.memoryUsage.rss();
// The code is warm before it is measured, and the server has the list ready.
for (let round = 0; round < 3; round++) await read(addressOf(1000));
let count = 0;
const taken = await timed(async () => {
  count = await read(addressOf(records));
});
if (count < Number(records)) throw new Error(`${count} records came in place of ${records}`);
process.send({ ...taken, megabytes: (process.resourceUsage().maxRSS * 1024 - idle) / 1e6 });
process.disconnect();
