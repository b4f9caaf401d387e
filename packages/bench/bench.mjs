// Runs all benchmarks and writes docs/benchmarks.md. --large adds a fleet of 300,000, --short takes fewer rounds, and --smoke runs every part
// with the least work, as a test of the measuring, and writes to a temporary folder. Figures depend on the machine and its load: the controls, which measure the same
// thing twice, show how reliable they are.
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { clientTable, compareClients } from "./client-size.mjs";
import { compareFleetInMemory, compareLaterQuestions, fleetTables, SIZES, startLiveFleets } from "./fleet-in-memory.mjs";
import { goalsOf, goalsTable } from "./goals.mjs";
import { compareThroughput, throughputTable } from "./http-throughput.mjs";
import { compareIdleMemory, memoryTable } from "./idle-memory.mjs";
import { compareLongLists } from "./long-lists.mjs";
import { machine, printTable } from "./measure.mjs";
import { measurePast, pastTable } from "./past-scale.mjs";
import { writeReport } from "./report.mjs";
import { measureSandbox, sandboxTable } from "./sandbox-scale.mjs";
import { compareStarts, startTable, versionOf } from "./server-start.mjs";
import { measureWatch, watchTable } from "./watch-scale.mjs";
import { compareWholeLists, SMALL, WHOLE } from "./whole-lists.mjs";

const has = (flag) => process.argv.slice(2).some((argument) => argument.split("=")[0] === flag);
const smoke = has("--smoke");

/** Arguments of the parts; those that are undefined have their defaults. */
const least = {
  lists: { compared: 1000, sizes: [1000], rounds: 1 },
  whole: { records: 100, mixes: SMALL.mixes, rounds: 1, reads: 1 },
  small: { ...SMALL, rounds: 1, reads: 2 },
  starts: 1,
  idle: [1, 100],
  throughput: [1, 20, 20],
  view: [[1000], 1],
  later: [[100], { rounds: 1, calls: 5, warmUp: 5 }],
  sandbox: [1000],
  past: [30, 1],
  watch: [100, 20, 1, 1],
  clients: 1,
};
const short = {
  lists: { compared: 100_000, sizes: [10_000, 100_000], rounds: 2 },
  whole: { ...WHOLE, rounds: 3 },
  small: { ...SMALL, rounds: 7 },
  starts: 5,
  clients: 3,
  idle: [3],
  throughput: [3, 300, 300],
  view: [SIZES, 3],
  past: [500, 1],
  watch: [100_000, 10_000, 1],
  later: [[1000, 100_000], { rounds: 5, calls: 150, warmUp: 500 }],
};
const full = { throughput: [], view: [has("--large") ? [...SIZES, 300_000] : SIZES], later: [[1000, 100_000]], small: SMALL };
const work = smoke ? least : has("--short") ? short : full;

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
  for (const table of all) printTable(table);
  tables.push(...all);
  loads.push(loadavg()[0]);
};

console.log(machine());
const starts = [];
for (const node of nodes()) {
  const rows = await compareStarts(node, work.starts);
  starts.push({ version: `Node ${versionOf(node).slice(1).split(".")[0]}`, rows });
  show(startTable(node, rows));
}

const fleets = await startLiveFleets();
const view = await compareFleetInMemory(fleets.origin, ...work.view);
const later = await compareLaterQuestions(fleets.origin, ...work.later);
const watch = await measureWatch(fleets.origin, ...(work.watch ?? []));
fleets.stop();
show(...fleetTables(view, later), watchTable(watch));

const throughput = await compareThroughput(...work.throughput);
show(throughputTable(throughput));
const idle = await compareIdleMemory(...(work.idle ?? []));
show(memoryTable(idle));

const lists = fork(fileURLToPath(new URL("fleet-server.mjs", import.meta.url)));
const [{ origin }] = await once(lists, "message");
show(...(await compareLongLists(origin, work.lists)));
const small = await compareWholeLists(origin, work.small);
const whole = await compareWholeLists(origin, work.whole);
show(...small, ...whole);
const clients = await compareClients(origin, work.clients);
show(clientTable(clients));
lists.disconnect();

const sandbox = await measureSandbox(work.sandbox);
show(sandboxTable(sandbox));

const past = await measurePast(...(work.past ?? []));
show(pastTable(past));

const all = goalsOf({ starts, view, later, throughput, idle, small, whole, clients, sandbox, past, watch });
const goals = goalsTable(all);
printTable(goals);
// A figure that is not a number means that the measuring itself is broken.
const broken = all.filter(({ value }) => value !== undefined && !(value > 0));
if (broken.length > 0) throw new Error(`not measured correctly: ${broken.map((one) => one.work).join(", ")}`);

const folder = smoke ? mkdtempSync(join(tmpdir(), "fleetwire-bench-docs-")) : fileURLToPath(new URL("../../docs", import.meta.url));
const flags = ["--short", "--large"].filter(has);
const command = ["npm run bench", ...(flags.length > 0 ? ["--", ...flags] : [])].join(" ");
await writeReport(folder, { tables, goals, view, command, loads, minutes: (performance.now() - begun) / 60_000 });
if (smoke) rmSync(folder, { recursive: true });
