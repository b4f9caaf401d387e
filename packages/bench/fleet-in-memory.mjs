// Measures the tools' view of the fleet: in a process of its own for each run, and questions after the first one in a server over stdio. Linux only.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median, ratios, spread } from "./measure.mjs";
import { BIN, environment, MINIMAL, processorTime, startProgram } from "./server-programs.mjs";

const at = (file) => fileURLToPath(new URL(file, import.meta.url));
export const SIZES = [100, 1000, 10_000, 100_000];
const ROUNDS = 5;
const AT_ONCE = 50;
const BARE = "bare fetch, JSON.parse";
export const SAME_RESULT = "SDK v2, constant tool with our result";
const WAYS = ["streamed", BARE, "one summary", "50 summaries", "refreshed"];

export async function startLiveFleets() {
  const server = fork(at("live-fleet-server.mjs"));
  const [{ origin }] = await once(server, "message");
  return { origin, stop: () => server.disconnect() };
}

async function inOwnProcess(origin, size, way) {
  const child = fork(at("one-fleet.mjs"), [origin, String(size), way], { execArgv: ["--expose-gc"] });
  const [result] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof result !== "object" || result === null) throw new Error(`${way} failed with ${size} vehicles`);
  return result;
}

async function measureView(origin, size, rounds) {
  // The sandbox takes longer to make the largest fleet than a question may take.
  await (await fetch(`${origin}/${size}/ready?vehicleIds=none`)).arrayBuffer();
  const taken = Object.fromEntries(WAYS.map((way) => [way, []]));
  for (let round = 0; round < rounds; round++) {
    for (const way of round % 2 ? WAYS : WAYS.toReversed()) taken[way].push(await inOwnProcess(origin, size, way));
  }
  const all = (way, field) => taken[way].map((one) => one[field]);
  const toStream = ratios(all("one summary", "cpu"), all("streamed", "cpu"));
  const toOne = ratios(all("50 summaries", "summaries"), all("one summary", "summaries"));
  return {
    size,
    first: median(all("one summary", "cpu")),
    ratio: median(toStream),
    spread: spread(toStream),
    stall: Math.max(...all("one summary", "stall"), ...all("50 summaries", "stall"), ...all("refreshed", "stall")),
    stallOfStream: Math.max(...all("streamed", "stall")),
    streamed: median(all("streamed", "cpu")),
    bare: median(all(BARE, "cpu")),
    summary: median(all("one summary", "summaries")),
    atOnce: median(toOne),
    atOnceSpread: spread(toOne),
    held: median(all("refreshed", "held")),
    peak: median(all("refreshed", "peak")),
    bareHeld: median(all(BARE, "held")),
    barePeak: median(all(BARE, "peak")),
  };
}

/** Compares the view with reading the same list, in interleaved rounds. Milliseconds are processor time but of `summary` and the stalls; MB are above the idle process. */
export async function compareFleetInMemory(origin, sizes = SIZES, rounds = ROUNDS) {
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

/** Measures a tool of a running server: processor time of a call, wall-clock time of one and of many at once. */
async function askServer(server, name, calls) {
  const before = processorTime(server.program.child.pid);
  const waits = [];
  for (let call = 0; call < calls; call++) {
    const begun = performance.now();
    await ask(server, name);
    waits.push(performance.now() - begun);
  }
  const cpu = (processorTime(server.program.child.pid) - before) / calls;
  const begun = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => ask(server, name)));
  return { cpu, one: median(waits), atOnce: (performance.now() - begun) / median(waits) };
}

const opened = async (server) => {
  const program = startProgram(server.args, { env: server.env });
  await program.open();
  return { ...server, lastId: 2, program };
};

async function compareServers(origin, size, name, { rounds, calls, warmUp }) {
  const env = { ...environment, FLEET_BASE_URL: `${origin}/${size}`, FLEET_SNAPSHOT_SECONDS: "9999", FLEET_LOG: "silent" };
  const ours = await opened({ name: "fleetwire-mcp", args: [BIN], env });
  const BENCH_RESULT = JSON.stringify(await ask(ours, name));
  // The minimal servers have one constant tool, which is asked in place of the question.
  const minimal = { args: [MINIMAL], constant: true, env };
  const servers = [
    await opened({ ...minimal, name: "SDK v2, constant tool" }),
    await opened({ ...minimal, name: "SDK v2, constant tool (control)" }),
    await opened({ ...minimal, name: SAME_RESULT, env: { ...env, BENCH_RESULT } }),
    ours,
  ];
  try {
    const taken = servers.map(() => []);
    for (let round = -1; round < rounds; round++) {
      const order = servers.map((_, index) => index);
      for (const index of round % 2 ? order : order.reverse()) {
        const measured = await askServer(servers[index], name, round < 0 ? warmUp : calls);
        if (round >= 0) taken[index].push(measured);
      }
    }
    return servers.map((server, index) => {
      const all = (field, of = index) => taken[of].map((one) => one[field]);
      const toConstant = ratios(all("cpu"), all("cpu", 0));
      return {
        size,
        question: name,
        server: server.name,
        cpu: median(all("cpu")),
        ratio: median(toConstant),
        spread: spread(toConstant),
        one: median(all("one")),
        atOnce: median(all("atOnce")),
      };
    });
  } finally {
    for (const { program } of servers) await program.end();
  }
}

/** Compares questions after the first one with a constant tool, in servers over stdio. No list is read in a round. */
export async function compareLaterQuestions(origin, sizes = SIZES, settings = { rounds: 9, calls: 250, warmUp: 3000 }) {
  const rows = [];
  for (const size of sizes) for (const name of Object.keys(questions)) rows.push(...(await compareServers(origin, size, name, settings)));
  return rows;
}

const count = (size) => size.toLocaleString("en");
const ms = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

export const fleetTables = (view, later) => [
  {
    title: "The fleet in memory: the first question (locate), compared with the client's streamed read of the same list",
    rows: view.map((row) => [
      count(row.size),
      {
        "first question, CPU ms": ms(row.first),
        "streamed read, CPU ms": ms(row.streamed),
        "bare read, CPU ms": ms(row.bare),
        "x streamed": row.ratio.toFixed(2),
        "middle half": row.spread,
        "longest stall, ms": ms(row.stall),
        "of the stream, ms": ms(row.stallOfStream),
      },
    ]),
  },
  {
    title: "Memory above the idle process: the view through two refreshes, compared with bare fetch and JSON.parse",
    rows: view.map((row) => [
      count(row.size),
      {
        "view, MB": row.held.toFixed(0),
        "view, peak MB": row.peak.toFixed(0),
        "bare, MB": row.bareHeld.toFixed(0),
        "bare, peak MB": row.barePeak.toFixed(0),
      },
    ]),
  },
  {
    title: `The first summary of a view, and ${AT_ONCE} at once`,
    rows: view.map((row) => [
      count(row.size),
      { "one, ms": ms(row.summary), [`${AT_ONCE} at once, x one`]: row.atOnce.toFixed(2), "middle half": row.atOnceSpread },
    ]),
  },
  {
    title: "Later questions over stdio, compared with a constant tool",
    rows: later.map(({ size, question, server, ...row }) => [
      `${count(size)}, ${question}, ${server}`,
      {
        "CPU ms": row.cpu.toFixed(2),
        "x constant": row.ratio.toFixed(2),
        "middle half": row.spread,
        "one, ms": row.one.toFixed(2),
        [`${AT_ONCE} at once, x one`]: row.atOnce.toFixed(1),
      },
    ]),
  },
];
