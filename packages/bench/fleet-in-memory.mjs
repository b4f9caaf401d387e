// Measures the tools' view of the fleet: in a process of its own for each run, and questions after the first one in a server over stdio. Linux only.
import { compared, count, fixed, interleaved, medianOf, processorTime, started } from "./measure.mjs";
import { BIN, environment, MINIMAL, startProgram } from "./server-programs.mjs";

export const SIZES = [100, 1000, 10_000, 100_000];
export const SAME_RESULT = "SDK v2, constant tool with our result";
const BARE = "bare fetch, JSON.parse";
const WAYS = Object.fromEntries(["streamed", BARE, "one summary", "50 summaries", "refreshed"].map((way) => [way, way]));

async function measureView(origin, size, rounds) {
  // The sandbox takes longer to make the largest fleet than a question may take.
  await (await fetch(`${origin}/${size}/ready?vehicleIds=none`)).arrayBuffer();
  const taken = await interleaved(WAYS, rounds, (way) => started("one-fleet.mjs", [origin, size, way]));
  const longest = (...ways) => Math.max(...ways.flatMap((way) => taken[way].map(({ stall }) => stall)));
  return {
    size,
    first: medianOf(taken["one summary"], "cpu"),
    ...compared(taken["one summary"], taken.streamed, "cpu"),
    stall: longest("one summary", "50 summaries", "refreshed"),
    streamed: medianOf(taken.streamed, "cpu"),
    bare: medianOf(taken[BARE], "cpu"),
    atOnce: compared(taken["50 summaries"], taken["one summary"], "summaries").ratio,
    peak: medianOf(taken.refreshed, "peak"),
    streamedPeak: medianOf(taken.streamed, "peak"),
    barePeak: medianOf(taken[BARE], "peak"),
  };
}

/** Compares the view with reading the same list. Milliseconds are processor time but of the stalls; MB are above the idle process. */
export async function compareFleetInMemory(origin, sizes = SIZES, rounds = 5) {
  const rows = [];
  for (const size of sizes) rows.push(await measureView(origin, size, rounds));
  return rows;
}

const questions = { locate_vehicle: { query: "truck 12" }, summarize_fleet: {} };

async function ask(server, name) {
  const tool = server.constant ? "locate_vehicle" : name;
  const { response } = await server.program.call(++server.lastId, tool, questions[tool]);
  if (response.error || response.result.isError) throw new Error(JSON.stringify(response));
  return response.result;
}

async function opened(args, env, constant = false) {
  const program = startProgram(args, { env });
  await program.open();
  return { constant, lastId: 2, program };
}

async function compareServers(origin, size, name, { rounds, calls, warmUp }) {
  const env = { ...environment, FLEET_BASE_URL: `${origin}/${size}`, FLEET_SNAPSHOT_SECONDS: "9999", FLEET_LOG: "silent" };
  const ours = await opened([BIN], env);
  const BENCH_RESULT = JSON.stringify(await ask(ours, name));
  // The minimal servers have one constant tool, which is asked in place of the question.
  const minimal = (more) => opened([MINIMAL], { ...env, ...more }, true);
  const constant = "SDK v2, constant tool";
  const servers = {
    [constant]: await minimal(),
    [`${constant} (control)`]: await minimal(),
    [SAME_RESULT]: await minimal({ BENCH_RESULT }),
    "fleetwire-mcp": ours,
  };
  try {
    const askMany = async (server, round) => {
      const before = processorTime(server.program.child.pid);
      const times = round < 0 ? warmUp : calls;
      for (let call = 0; call < times; call++) await ask(server, name);
      return { cpu: (processorTime(server.program.child.pid) - before) / times };
    };
    const taken = await interleaved(servers, rounds, askMany, 1);
    const rows = Object.entries(taken);
    return rows.map(([server, all]) => ({
      size,
      question: name,
      server,
      cpu: medianOf(all, "cpu"),
      ...compared(all, taken[constant], "cpu"),
    }));
  } finally {
    for (const { program } of Object.values(servers)) await program.end();
  }
}

/** Compares questions after the first one with a constant tool, in servers over stdio. No list is read in a round. */
export async function compareLaterQuestions(origin, sizes = [1000, 100_000], settings = { rounds: 9, calls: 250, warmUp: 3000 }) {
  const rows = [];
  for (const size of sizes) for (const name of Object.keys(questions)) rows.push(...(await compareServers(origin, size, name, settings)));
  return rows;
}

export const fleetTables = (view, later) => [
  {
    title: "The fleet in memory: the first question (locate), compared with the client's streamed read of the same list",
    rows: view.map((row) => [
      count(row.size),
      {
        "first question, CPU ms": fixed(row.first),
        "streamed read, CPU ms": fixed(row.streamed),
        "bare read, CPU ms": fixed(row.bare),
        "x streamed": row.ratio.toFixed(2),
        "middle half": row.spread,
        "longest stall, ms": fixed(row.stall),
        "50 summaries at once, x one": row.atOnce.toFixed(2),
      },
    ]),
  },
  {
    title: "Peak memory in MB above the idle process: the view through two refreshes, a streamed read, and bare fetch and JSON.parse",
    rows: view.map((row) => [
      count(row.size),
      { view: row.peak.toFixed(0), "streamed read": row.streamedPeak.toFixed(0), "bare read": row.barePeak.toFixed(0) },
    ]),
  },
  {
    title: "Later questions over stdio, compared with a constant tool",
    rows: later.map(({ size, question, server, cpu, ratio, spread }) => [
      `${count(size)}, ${question}, ${server}`,
      { "CPU ms": cpu.toFixed(2), "x constant": ratio.toFixed(2), "middle half": spread },
    ]),
  },
];
