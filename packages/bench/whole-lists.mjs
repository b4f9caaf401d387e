// Reads lists of 10,000 live positions whole, with every reader, in interleaved rounds, so that load on the machine affects all alike.
import { row, timed } from "./measure.mjs";
import { mixNames } from "./mixes.mjs";
import { readers } from "./readers.mjs";

const RECORDS = 10_000;
const WARM_UP = 2;
const ROUNDS = 21;
// The others are much slower, so a few rounds are enough.
const ROUNDS_OF_PEERS = 5;
const OURS = "fleetwire, drift reported";

export const WHOLE = { records: RECORDS, mixes: mixNames, rounds: ROUNDS, reads: 1 };

/** Many reads of a short list, in which the cost of a call shows. */
export const SMALL = { records: 10, mixes: mixNames.slice(0, 1), rounds: ROUNDS, reads: 50 };

/** Returns a table for each mix, and our client's ratio to bare fetch in processor time. */
export async function compareWholeLists(origin, { records, mixes, rounds, reads } = WHOLE) {
  const times = {};
  const refused = new Set();
  const opened = Object.fromEntries(
    mixes.map((mix) => [
      mix,
      Object.entries(readers).map(([name, { open, peer }]) => ({
        name,
        peer,
        read: open(`${origin}/${encodeURIComponent(mix)}/${records}`),
      })),
    ]),
  );
  for (let round = 0; round < WARM_UP + rounds; round++) {
    for (const mix of mixes) {
      const all = opened[mix];
      for (const { name, peer, read } of round % 2 ? all : all.toReversed()) {
        if (peer && round >= WARM_UP + ROUNDS_OF_PEERS) continue;
        const taken = await timed(async () => {
          for (let at = 0; at < reads; at++) await read();
        });
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
  return mixes.map((mix) => {
    const rowOf = (name) => row(times[mix][name], times[mix][bare]);
    return {
      mix,
      title: `${reads === 1 ? "" : `${reads} reads of `}${records.toLocaleString("en")} live positions, ${mix}`,
      rows: Object.keys(readers).map((name) => [name, { ...rowOf(name), result: refused.has(`${mix} ${name}`) ? "rejected" : "" }]),
      ratio: Number(rowOf(OURS)["x bare, CPU"]),
    };
  });
}
