// Reads lists of 10,000 live positions whole, with every reader, in interleaved rounds, so that load on the machine affects all alike.
import { row, timed } from "./measure.mjs";
import { mixNames } from "./mixes.mjs";
import { readers } from "./readers.mjs";

const RECORDS = 10_000;
const WARM_UP = 2;
const ROUNDS = 21;
// The others are much slower, so a few rounds are enough.
const ROUNDS_OF_PEERS = 5;

export async function compareWholeLists(origin) {
  const times = {};
  const refused = new Set();
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const mix of mixNames) {
      const all = Object.entries(readers);
      for (const [name, { read, peer }] of round % 2 ? all : all.reverse()) {
        if (peer && round >= WARM_UP + ROUNDS_OF_PEERS) continue;
        const taken = await timed(() => read(`${origin}/${encodeURIComponent(mix)}/${RECORDS}`));
        if (taken.refused && !peer) throw new Error(`${name} failed on ${mix}`);
        if (taken.refused) refused.add(`${mix} ${name}`);
        if (round >= WARM_UP) {
          times[mix] ??= {};
          times[mix][name] ??= [];
          times[mix][name].push(taken);
        }
      }
    }
  }
  const [bare] = Object.keys(readers);
  for (const mix of mixNames) {
    console.log(`\n${RECORDS.toLocaleString("en")} live positions, ${mix}`);
    const rows = Object.keys(readers).map((name) => [
      name,
      { ...row(times[mix][name], times[mix][bare]), result: refused.has(`${mix} ${name}`) ? "rejected" : "" },
    ]);
    console.table(Object.fromEntries(rows));
  }
}
