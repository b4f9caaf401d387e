// Measures questions about the past against the sandbox: a year of one driver, and a week of a fleet.
import { fixed, medianOf, started } from "./measure.mjs";

const NOW = Date.parse("2026-11-20T10:34:00Z");
const YEAR = "2025-11-20/2026-11-19";

const questionsOf = (vehicles) => [
  ["a year of one driver", "trips_and_stops", { driver: "truck 12", period: YEAR }],
  ["a year of one driver", "driver_infringements", { driver: "truck 12", period: YEAR }],
  ["a year ago", "where_was", { driver: "truck 12", time: "2025-11-21T12:00:00Z" }],
  [`a week of ${vehicles} vehicles`, "trips_and_stops", { period: "last week" }],
  [`a week of ${vehicles} vehicles`, "driver_infringements", { period: "last week" }],
];

/** The first round makes the service compute its responses, and is not counted. */
export async function measurePast(vehicles = 500, rounds = 5) {
  const { env, stop } = await started("past-server.mjs", [vehicles, NOW]);
  const rows = [];
  for (const [question, tool, args] of questionsOf(vehicles)) {
    const taken = [];
    for (let round = -1; round < rounds; round++) {
      const one = await started("one-past.mjs", [JSON.stringify(env), NOW, tool, JSON.stringify(args)]);
      if (round >= 0) taken.push(one);
    }
    const [ms, cpu, stall] = ["ms", "cpu", "stall"].map((of) => medianOf(taken, of));
    rows.push({ question: `${question}, ${tool}`, ms, cpu, stall, peak: Math.max(...taken.map(({ peak }) => peak)) });
  }
  stop();
  return rows;
}

export const pastTable = (rows) => ({
  title: "The past: a year of one driver, and a week of a fleet",
  rows: rows.map(({ question, ms, cpu, stall, peak }) => [
    question,
    { ms: fixed(ms), "CPU ms": fixed(cpu), "longest stall, ms": fixed(stall), "peak, MB above idle": fixed(peak) },
  ]),
});
