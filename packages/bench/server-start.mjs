// Measures the start of the server to the response to tools/list, over stdio. Usage: node server-start.mjs [path of a second Node]...
import { execFileSync } from "node:child_process";
import { machine, median, printTable, ratios, spread } from "./measure.mjs";
import { BIN, FASTMCP, freshEnvironment, GENERATED, MINIMAL, MINIMAL_V1, startBare, startProgram } from "./server-programs.mjs";

const ROUNDS = 21;

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

const others = {
  "SDK v2, one tool": started([MINIMAL]),
  "SDK v1, one tool": started([MINIMAL_V1]),
  "fastmcp, one tool": started([FASTMCP]),
  "openapi-mcp-generator, a tool for each operation": started([GENERATED]),
};

const starts = {
  "node -e 0": startBare,
  "node -e 0 (control)": startBare,
  ...others,
  "fleetwire-mcp": started([BIN]),
  "fleetwire-mcp --sandbox": started([BIN, "--sandbox"]),
  "fleetwire-mcp --sandbox, to its first tool result": calledInSandbox,
  "fleetwire-mcp, first start on a machine": started([BIN], freshEnvironment),
};

/** Compares the starts in interleaved rounds. `ratio` is the median of the rounds' ratios to bare Node, `spread` its middle half, `leastRatio` the ratio of the shortest. */
export async function compareStarts(node, rounds = ROUNDS) {
  const taken = Object.fromEntries(Object.keys(starts).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    const all = Object.entries(starts);
    for (const [name, start] of round % 2 ? all : all.reverse()) {
      const one = await start(node);
      // The first round lets the program keep what it compiled, as on any start but the first.
      if (round >= 0) taken[name].push(one.ms);
    }
  }
  const [bare] = Object.values(taken);
  return Object.entries(taken).map(([name, ms]) => {
    const toBare = ratios(ms, bare);
    return {
      name,
      isOther: name in others,
      ms: median(ms),
      ratio: median(toBare),
      spread: spread(toBare),
      leastRatio: Math.min(...ms) / Math.min(...bare),
    };
  });
}

export const versionOf = (node) => execFileSync(node, ["--version"], { encoding: "utf8" }).trim();

export const startTable = (node, rows) => ({
  title: `Start to the response to tools/list over stdio, Node ${versionOf(node)}`,
  rows: rows.map(({ name, ms, ratio, leastRatio, ...more }) => [
    name,
    { "median ms": ms.toFixed(0), "x bare": ratio.toFixed(2), "middle half": more.spread, "x bare, min": leastRatio.toFixed(2) },
  ]),
});

if (process.argv[1] === new URL(import.meta.url).pathname) {
  console.log(machine());
  for (const node of [process.execPath, ...process.argv.slice(2)]) printTable(startTable(node, await compareStarts(node)));
}
