// The goals, with what was measured for each. Values that a run does not measure are undefined.

import { SAME_RESULT } from "./fleet-in-memory.mjs";
import { SDK } from "./server-start.mjs";

const MODERN = "2026-07-28";

/** What takes the time according to profiles (`--cpu-prof`) taken by hand in November 2026, shown beside goals that are missed. */
const WHY = {
  sandbox: "simulating the vehicles (half), writing JSON (a fifth), garbage collection (a tenth), sending (a tenth)",
  first:
    "beyond reading, measured by leaving parts out: keeping the records, with their garbage collection (nearly half), the words of names (over a third), ids and codes (the rest)",
  stall: "waiting for a processor, mostly: it took 24 to 72 ms on a quieter machine, and 15 to 23 ms with the stream alone",
  locate:
    "writing to stdout (22%), the SDK and zod (15%), garbage collection (7%), the call's timer and signal (6%), the text and record (5%)",
  summarize: "a result of 9 kB: its text and record (16%), its size in tokens (13%), garbage collection (14%), writing it (15%)",
  past: "parsing, checking and masking activities of which a question needs few fields, and garbage collection",
  watch: "garbage collection of the records that a poll replaces; with one rule, the stall is as long",
  call: "writing the response (16%), garbage collection (12%), the tool (11%); the rest is the SDK, zod, Hono and the Fetch objects of Node",
  list: "a list of 15 kB, 58 times as long as the other's: JSON (12%), writing it (11%)",
  small: "ofetch; the call's deadline, slot, hooks and redaction",
  "null-heavy": "half of the check is writing undefined over 25 nulls per record; JSON.parse itself takes 0.7 x its time without nulls",
  "drifting everywhere": "five differences per record, each counted by its place in the contract, and three replaced values",
  bundle: "zod 4 (25 kB of 59), parameters, tokens, retries, streams and dates, which the others leave to their users",
};

/** How far a value is from its goal. */
export function verdict({ value, limit, least }) {
  if (value === undefined) return "not measured";
  const by = `${Math.abs((value / limit - 1) * 100).toFixed(0)}%`;
  return (least ? value >= limit : value <= limit) ? `met by ${by}` : `missed by ${by}`;
}

const goal = (work, limit, unit, value, more = {}) => ({ work, limit, unit, value, ...more });

function startGoals({ starts }) {
  return starts.flatMap(({ version, rows }) => {
    const ratioOf = (name) => rows.find((row) => row.name === name)?.ratio;
    return [
      goal(`start to tools/list, ${version}`, 3.5, "x bare Node", ratioOf("fleetwire-mcp")),
      goal(`the same, compared with the SDK's smallest server, ${version}`, 1, "x", ratioOf("fleetwire-mcp") / ratioOf(SDK)),
      goal(`the same with --sandbox, ${version}`, 5, "x bare Node", ratioOf("fleetwire-mcp --sandbox")),
    ];
  });
}

function fleetGoals({ view, later }) {
  const at = (size) => view.find((row) => row.size === size);
  const laterAt = (name, asked = "fleetwire-mcp") =>
    later.find(({ size, question, server }) => size === 100_000 && question === name && server === asked)?.ratio;
  const laterGoal = (work, name, why) => {
    const floor = laterAt(name, SAME_RESULT)?.toFixed(2);
    return goal(work, 2, "x a constant tool, CPU", laterAt(name), { why: `${why}; a constant tool with this result takes ${floor} x` });
  };
  const largest = at(100_000);
  return [
    goal("locate, first question at 100,000", 1.15, "x the client's streamed read, CPU", largest?.ratio, { why: WHY.first }),
    goal("longest stall of the event loop at 100,000", 50, "ms", largest?.stall, { why: WHY.stall }),
    laterGoal("locate after it", "locate_vehicle", WHY.locate),
    laterGoal("summarize after it", "summarize_fleet", WHY.summarize),
    goal("50 first summaries at once", 3, "x one", largest?.atOnce),
    goal("memory at 100,000", 250, "MB above idle", largest?.peak),
    goal("memory at 300,000", 600, "MB above idle", at(300_000)?.peak),
  ];
}

function serverGoals({ throughput, idle }) {
  const requests = throughput.filter(({ program }) => program === "fleetwire-mcp");
  return [
    ...requests.map(({ name, ratio: value }) => {
      const [limit, why] = name.startsWith("tools/call") ? [0.7, WHY.call] : [0.8, WHY.list];
      return goal(`HTTP ${name.replace(MODERN, "current revision")}`, limit, "x SDK v2, per core", value, { least: true, why });
    }),
    goal("idle memory over stdio", 1.3, "x SDK v2, resident", idle.find(({ name }) => name === "fleetwire-mcp")?.ratio),
  ];
}

function clientGoals({ small, whole, bundles }) {
  const [, ours, peer] = bundles;
  return [
    ...small.map(({ title, ratio }) => goal(`client: ${title}`, 1.1, "x bare, CPU", ratio, { why: WHY.small })),
    ...whole.map(({ title, mix, ratio }) => goal(`client: ${title}`, 1.15, "x bare, CPU", ratio, { why: WHY[mix] })),
    goal("client: bundle, compressed", 1, "x ofetch and zod 4", ours.compressed / peer.compressed, { why: WHY.bundle }),
  ];
}

function sandboxGoals({ sandbox }) {
  const row = sandbox.find(({ vehicles }) => vehicles === 100_000);
  return [goal("sandbox at 100,000: a list", 2, "s", row && row.list / 1000, { why: WHY.sandbox })];
}

function pastGoals({ past }) {
  return past.flatMap(({ question, ms, stall, peak }) => [
    goal(question, 1, "s", ms / 1000, { why: WHY.past }),
    goal("its longest stall", 50, "ms", stall, { why: WHY.past }),
    goal("its memory", 250, "MB above idle", peak),
  ]);
}

const watchGoals = ({ watch }) =>
  watch.flatMap(({ rules, vehicles, added, stall }) => [
    // In a small fleet, it is less than the noise.
    goal(
      `what ${rules.toLocaleString("en")} rules add to a poll of ${vehicles.toLocaleString("en")} vehicles`,
      1,
      "s of CPU",
      added > 0 ? added / 1000 : undefined,
    ),
    goal("its longest stall", 50, "ms", stall, { why: WHY.watch }),
  ]);

export const goalsOf = (results) =>
  [startGoals, fleetGoals, serverGoals, clientGoals, sandboxGoals, pastGoals, watchGoals].flatMap((of) => of(results));

export const goalsTable = (goals) => ({
  title: "Goals",
  rows: goals.map(({ work, limit, unit, value, least, why, ...one }) => {
    const digits = limit < 50 ? 2 : 0;
    const result = verdict({ ...one, limit, value, least });
    return [
      work,
      {
        goal: `at ${least ? "least" : "most"} ${limit.toLocaleString("en")} ${unit}`,
        measured: value === undefined ? "" : value.toLocaleString("en", { maximumFractionDigits: digits }),
        result,
        "bottleneck, from an earlier profile": result.startsWith("missed") ? (why ?? "") : "",
      },
    ];
  }),
});
