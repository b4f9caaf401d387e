// Runs all benchmarks and writes docs/benchmarks.md. --large adds a fleet of 300,000, --short takes fewer rounds, and --smoke runs every part
// with the least work, as a test of the measuring, and writes nothing. Figures depend on the machine and its load: the controls, which measure the same
// thing twice, show how reliable they are.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { bundleTable, compareBundles, compareLists, SMALL, WHOLE } from "./clients.mjs";
import { compareFleetInMemory, compareLaterQuestions, fleetTables, SIZES } from "./fleet-in-memory.mjs";
import { goalsOf, goalsTable } from "./goals.mjs";
import { compareThroughput, throughputTable } from "./http-throughput.mjs";
import { compareIdleMemory, memoryTable } from "./idle-memory.mjs";
import { machine, started } from "./measure.mjs";
import { measurePast, pastTable } from "./past-scale.mjs";
import { measureSandbox, sandboxTable } from "./sandbox-scale.mjs";
import { compareStarts, startTable, versionOf } from "./server-start.mjs";
import { measureWatch, watchTable } from "./watch-scale.mjs";

const has = (flag) => process.argv.slice(2).some((argument) => argument.split("=")[0] === flag);
const smoke = has("--smoke");

/** Arguments of the parts; those that are left out have their defaults. */
const least = {
  whole: { ...WHOLE, records: 100, mixes: SMALL.mixes, rounds: 1 },
  small: { ...SMALL, rounds: 1, reads: 2 },
  starts: [1],
  idle: [1, 100],
  throughput: [1, 20, 20],
  view: [[1000], 1],
  later: [[100], { rounds: 1, calls: 5, warmUp: 5 }],
  sandbox: [[1000]],
  past: [30, 1],
  watch: [100, 20, 1, 1],
};
const short = {
  whole: { ...WHOLE, rounds: 3 },
  small: { ...SMALL, rounds: 7 },
  starts: [5],
  idle: [3],
  throughput: [3, 300, 300],
  view: [SIZES, 3],
  later: [[1000, 100_000], { rounds: 5, calls: 150, warmUp: 500 }],
  past: [500, 1],
  watch: [100_000, 10_000, 1],
};
const full = { whole: WHOLE, small: SMALL, view: [has("--large") ? [...SIZES, 300_000] : SIZES] };
const work = smoke ? least : has("--short") ? short : full;
const of = (part) => work[part] ?? [];

/** The Node that runs this and, if the registry can be reached, the current one. */
function nodes() {
  if (smoke) return [process.execPath];
  try {
    const command = ["-y", "-p", "node@24", "-c", "node -p process.execPath"];
    return [process.execPath, execFileSync("npx", command, { encoding: "utf8", timeout: 120_000 }).trim()];
  } catch {
    console.error("Node 24 could not be installed, so starts are measured with this Node only");
    return [process.execPath];
  }
}

const begun = performance.now();
const loads = [loadavg()[0]];
const tables = [];
const show = (...all) => {
  for (const { title, rows } of all) {
    console.log(`\n${title}`);
    console.table(Object.fromEntries(rows));
  }
  tables.push(...all);
  loads.push(loadavg()[0]);
};

console.log(machine());
const starts = [];
for (const node of nodes()) {
  const rows = await compareStarts(node, ...of("starts"));
  starts.push({ version: `Node ${versionOf(node).slice(1).split(".")[0]}`, rows });
  show(startTable(node, rows));
}

const fleets = await started("live-fleet-server.mjs");
const view = await compareFleetInMemory(fleets.origin, ...of("view"));
const later = await compareLaterQuestions(fleets.origin, ...of("later"));
const watch = await measureWatch(fleets.origin, ...of("watch"));
fleets.stop();
show(...fleetTables(view, later), watchTable(watch));

const throughput = await compareThroughput(...of("throughput"));
const idle = await compareIdleMemory(...of("idle"));
show(throughputTable(throughput), memoryTable(idle));

const lists = await started("fleet-server.mjs");
const small = await compareLists(lists.origin, work.small);
const whole = await compareLists(lists.origin, work.whole);
const bundles = await compareBundles();
lists.stop();
show(...small, ...whole, bundleTable(bundles));

const sandbox = await measureSandbox(...of("sandbox"));
const past = await measurePast(...of("past"));
show(sandboxTable(sandbox), pastTable(past));

const goals = goalsOf({ starts, view, later, throughput, idle, small, whole, bundles, sandbox, past, watch });
show(goalsTable(goals));
// A figure that is not a number means that the measuring itself is broken.
const broken = goals.filter(({ value }) => value !== undefined && !(value > 0));
if (broken.length > 0) throw new Error(`not measured correctly: ${broken.map((one) => one.work).join(", ")}`);

function markdownTable({ title, rows }) {
  const head = ["", ...Object.keys(rows[0][1])];
  const lines = [head, head.map(() => "---"), ...rows.map(([name, cells]) => [name, ...head.slice(1).map((column) => cells[column])])];
  return `## ${title}\n\n${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}\n`;
}

const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url)));
const versions = Object.entries(dependencies).filter(([name]) => !name.startsWith("@fleetwire/"));
const flags = ["--short", "--large"].filter(has);
const load = (value) => value.toFixed(1);
const page = `# Benchmarks

\`npm run bench\` writes this page. Figures depend on the machine and its load: compare ratios, and look at the controls, which measure the same program twice.
Rounds are interleaved; figures are medians, with the middle half of the ratios alongside. CPU is processor time, which other load affects least.

- ${new Date().toISOString().slice(0, 10)}, ${((performance.now() - begun) / 60_000).toFixed(0)} minutes, \`${["npm run bench", ...(flags.length > 0 ? ["--", ...flags] : [])].join(" ")}\`
- ${machine()}
- load average ${load(loads[0])} before the run, ${load(Math.min(...loads))} to ${load(Math.max(...loads))} between its parts; the benchmarks alone cause 1 to 2
- ${versions.map((one) => one.join(" ")).join(", ")}

${[tables.at(-1), ...tables.slice(0, -1)].map(markdownTable).join("\n")}`;
if (!smoke) writeFileSync(new URL("../../docs/benchmarks.md", import.meta.url), page);
