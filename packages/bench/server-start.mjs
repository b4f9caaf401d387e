// Measures the start of the server to the response to tools/list, over stdio.
import { execFileSync } from "node:child_process";
import { compared, fixed, interleaved, medianOf } from "./measure.mjs";
import { BIN, freshEnvironment, MINIMAL, startBare, startProgram } from "./server-programs.mjs";

const started = (args, env) => async (node) => {
  const program = startProgram(args, { node, ...(env && { env: env() }) });
  const taken = await program.open();
  await program.end();
  return taken;
};

const calledInSandbox = async (node) => {
  const program = startProgram([BIN, "--sandbox"], { node });
  await program.open();
  const taken = await program.call(3, "locate_vehicle", { query: "truck 12" });
  await program.end();
  return taken;
};

const BARE = "node -e 0";
export const SDK = "SDK v2, one tool";
const starts = {
  [BARE]: startBare,
  "node -e 0 (control)": startBare,
  [SDK]: started([MINIMAL]),
  "fleetwire-mcp": started([BIN]),
  "fleetwire-mcp --sandbox": started([BIN, "--sandbox"]),
  "fleetwire-mcp --sandbox, to its first tool result": calledInSandbox,
  "fleetwire-mcp, first start on a machine": started([BIN], freshEnvironment),
};

/** The first round lets the program keep what it compiled, as on any start but the first. */
export async function compareStarts(node, rounds = 21) {
  const taken = await interleaved(starts, rounds, (start) => start(node), 1);
  return Object.entries(taken).map(([name, all]) => ({ name, ms: medianOf(all, "ms"), ...compared(all, taken[BARE], "ms") }));
}

export const versionOf = (node) => execFileSync(node, ["--version"], { encoding: "utf8" }).trim();

export const startTable = (node, rows) => ({
  title: `Start to the response to tools/list over stdio, Node ${versionOf(node)}`,
  rows: rows.map(({ name, ms, ratio, spread }) => [name, { "median ms": fixed(ms), "x bare": ratio.toFixed(2), "middle half": spread }]),
});
