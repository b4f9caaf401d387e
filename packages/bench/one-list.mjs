// Reads one list in its own process and reports the time and the memory beyond the idle process.

import { open as openBare } from "./clients/bare.mjs";
import { fleetAt } from "./clients/fleetwire.mjs";
import { peakMemory, timed } from "./measure.mjs";

const [origin, mix, records, way] = process.argv.slice(2);
const addressOf = (count) => `${origin}/${encodeURIComponent(mix)}/${count}`;

const ways = {
  streamed: async (base) => {
    let count = 0;
    for await (const _ of fleetAt(base, { onDrift: () => {} }).listLivePositions.iterate()) count++;
    return count;
  },
  "bare fetch, JSON.parse": async (base) => (await openBare(base)()).length,
};

const read = ways[way];
// Make one call first, because the runtime loads fetch on first use.
await read(addressOf(10));
globalThis.gc();
const idle = process.memoryUsage.rss();
// Warm up the code, and let the server build the list.
for (let round = 0; round < 3; round++) await read(addressOf(1000));
let count = 0;
const taken = await timed(async () => {
  count = await read(addressOf(records));
});
if (count < Number(records)) throw new Error(`Got ${count} records instead of ${records}`);
process.send({ ...taken, megabytes: peakMemory("self") - idle / 1e6 });
process.disconnect();
