// Measures the memory of servers over stdio that have listed their tools and wait. Linux only.
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { machine, median } from "./measure.mjs";
import { BIN, MINIMAL, startProgram } from "./server-programs.mjs";

const ROUNDS = 9;
const SETTLE_MS = 1_500;

const servers = {
  "SDK v2, one tool": [MINIMAL],
  "SDK v2, one tool (control)": [MINIMAL],
  "fleetwire-mcp": [BIN],
  "fleetwire-mcp --sandbox": [BIN, "--sandbox"],
};

/** Memory that no other process shares, in MB: Node's own code is shared by all. */
function ownMemory(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const kilobytes = (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(rollup)[1]);
  return { own: (kilobytes("Private_Clean") + kilobytes("Private_Dirty")) / 1024, resident: kilobytes("Rss") / 1024 };
}

export async function compareIdleMemory(rounds = ROUNDS) {
  const taken = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, args] of Object.entries(servers)) {
      const server = startProgram(args);
      await server.open();
      await setTimeout(SETTLE_MS);
      const memory = ownMemory(server.child.pid);
      await server.end();
      if (round >= 0) taken[name].push(memory);
    }
  }
  const [minimal] = Object.values(taken);
  return Object.entries(taken).map(([name, all]) => ({
    name,
    resident: median(all.map(({ resident }) => resident)),
    own: median(all.map(({ own }) => own)),
    ratio: median(all.map(({ resident }, round) => resident / minimal[round].resident)),
    ownRatio: median(all.map(({ own }, round) => own / minimal[round].own)),
  }));
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  console.log(`${machine()}\n\nMemory of an idle server, after tools/list`);
  const rows = (await compareIdleMemory()).map(({ name, resident, own, ratio, ownRatio }) => [
    name,
    { "resident MB": resident.toFixed(1), "x SDK": ratio.toFixed(2), "own MB": own.toFixed(1), "x SDK, own": ownRatio.toFixed(2) },
  ]);
  console.table(Object.fromEntries(rows));
}
