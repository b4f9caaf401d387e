// Measures the memory of servers over stdio that have listed their tools and wait. Linux only.
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { compared, interleaved, medianOf } from "./measure.mjs";
import { BIN, MINIMAL, startProgram } from "./server-programs.mjs";

const SDK = "SDK v2, one tool";
const servers = {
  [SDK]: [MINIMAL],
  "the same (control)": [MINIMAL],
  "fleetwire-mcp": [BIN],
  "fleetwire-mcp --sandbox": [BIN, "--sandbox"],
};

export async function compareIdleMemory(rounds = 9, settle = 1_500) {
  const taken = await interleaved(
    servers,
    rounds,
    async (args) => {
      const server = startProgram(args);
      await server.open();
      await setTimeout(settle);
      const rollup = readFileSync(`/proc/${server.child.pid}/smaps_rollup`, "utf8");
      await server.end();
      return { resident: Number(/^Rss:\s+(\d+)/m.exec(rollup)[1]) / 1024 };
    },
    1,
  );
  return Object.entries(taken).map(([name, all]) => ({
    name,
    resident: medianOf(all, "resident"),
    ...compared(all, taken[SDK], "resident"),
  }));
}

export const memoryTable = (rows) => ({
  title: "Memory of an idle server, after tools/list",
  rows: rows.map(({ name, resident, ratio }) => [name, { "resident MB": resident.toFixed(1), "x SDK": ratio.toFixed(2) }]),
});
