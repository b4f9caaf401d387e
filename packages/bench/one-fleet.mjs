// Works with one fleet in its own process, and reports time, processor time, the longest stall of the event loop, and memory beyond the idle process.
import { subscribe } from "node:diagnostics_channel";
import { setTimeout } from "node:timers/promises";
import { createFleetTools } from "@fleetwire/tools";
import { open as openBare } from "./clients/bare.mjs";
import { fleetAt } from "./clients/fleetwire.mjs";
import { measured, memory, peakMemory } from "./measure.mjs";

const [origin, vehicles, way] = process.argv.slice(2);
const LOCATE = ["locate_vehicle", { query: "truck 12" }];
const REFRESHES = 2;
// Not one of the sizes that are measured, so that their requests can be told apart.
const WARM_UP = 900;

const at = (count) => `${origin}/${count}`;
const config = { customerId: "c1", credentials: { clientId: "id", clientSecret: "secret" } };

async function ask(tools, [name, args]) {
  const { ok, text } = await tools.call(name, args);
  if (!ok) throw new Error(text);
}

// On a busy machine a first question about the largest fleet takes longer than a call may.
const toolsAt = (base, more = {}) => createFleetTools({ ...config, servers: { base }, ...more }, { callTimeout: 600_000 });

async function readStream(base) {
  let count = 0;
  for await (const _ of fleetAt(base, { onDrift: () => {} }).listLivePositions.iterate()) count++;
  return count;
}

async function summaries(count) {
  const tools = toolsAt(at(vehicles));
  const first = await measured(() => ask(tools, LOCATE));
  const { ms } = await measured(() => Promise.all(Array.from({ length: count }, () => ask(tools, ["summarize_fleet", {}]))));
  return { ...first, summaries: ms };
}

/** Asks until the view has been read again a few times. */
async function refreshed() {
  let lists = 0;
  subscribe("undici:request:trailers", ({ request }) => {
    if (request.path.startsWith(`/${vehicles}/`) && !request.path.includes("vehicleIds")) lists++;
  });
  const tools = toolsAt(at(vehicles), { snapshotSeconds: 1 });
  await ask(tools, LOCATE);
  const held = memory();
  const { stall } = await measured(async () => {
    while (lists <= REFRESHES) {
      await ask(tools, LOCATE);
      await setTimeout(20);
    }
  });
  return { stall, held };
}

/** Each with the same work on a small fleet, which warms up the code. */
const ways = {
  streamed: { warm: readStream, work: () => measured(() => readStream(at(vehicles))) },
  "bare fetch, JSON.parse": {
    warm: (base) => openBare(base)(),
    work: async () => {
      const taken = await measured(openBare(at(vehicles)));
      return { ...taken, held: memory(), result: taken.result.length };
    },
  },
  "one summary": { warm: (base) => ask(toolsAt(base), LOCATE), work: () => summaries(1) },
  "50 summaries": { warm: (base) => ask(toolsAt(base), LOCATE), work: () => summaries(50) },
  refreshed: { warm: (base) => ask(toolsAt(base), LOCATE), work: refreshed },
};

const { warm, work } = ways[way];
// Make one call first, because the runtime loads fetch on first use.
await warm(at(WARM_UP));
const idle = memory();
for (let round = 0; round < 3; round++) await warm(at(WARM_UP));
const { held, result, ...taken } = await work();
const megabytes = (bytes) => (bytes - idle) / 1e6;
// The timers of a view would keep the process alive.
process.send({ ...taken, ...(held && { held: megabytes(held) }), peak: peakMemory("self") - idle / 1e6 }, () => process.exit());
