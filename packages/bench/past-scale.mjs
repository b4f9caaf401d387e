// Measures questions about the past against the sandbox: a year of one driver, and a week of a fleet.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median } from "./measure.mjs";

const at = (file) => fileURLToPath(new URL(file, import.meta.url));
const NOW = Date.parse("2026-11-20T10:34:00Z");
const VEHICLES = 500;
const ROUNDS = 5;
const YEAR = "2025-11-20/2026-11-19";

const questionsOf = (vehicles) => [
  ["a year of one driver", "trips_and_stops", { driver: "truck 12", period: YEAR }],
  ["a year of one driver", "driver_infringements", { driver: "truck 12", period: YEAR }],
  ["a year ago", "where_was", { driver: "truck 12", time: "2025-11-21T12:00:00Z" }],
  [`a week of ${vehicles} vehicles`, "trips_and_stops", { period: "last week" }],
  [`a week of ${vehicles} vehicles`, "driver_infringements", { period: "last week" }],
];

async function askOnce(env, tool, args) {
  const child = fork(at("one-past.mjs"), [JSON.stringify(env), String(NOW), tool, JSON.stringify(args)], { execArgv: ["--expose-gc"] });
  const [result] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof result !== "object" || result === null) throw new Error(`${tool} failed`);
  return result;
}

/** The first round makes the service compute its responses, and is not counted. */
export async function measurePast(vehicles = VEHICLES, rounds = ROUNDS) {
  const server = fork(at("past-server.mjs"), [String(vehicles), String(NOW)]);
  const [{ env }] = await once(server, "message");
  const rows = [];
  for (const [question, tool, args] of questionsOf(vehicles)) {
    await askOnce(env, tool, args);
    const taken = [];
    for (let round = 0; round < rounds; round++) taken.push(await askOnce(env, tool, args));
    const all = (field) => taken.map((one) => one[field]);
    rows.push({
      question: `${question}, ${tool}`,
      ...{ ms: median(all("ms")), cpu: median(all("cpu")), stall: median(all("stall")), peak: Math.max(...all("peak")) },
    });
  }
  server.disconnect();
  return rows;
}

export const pastTable = (rows) => ({
  title: "The past: a year of one driver, and a week of a fleet",
  rows: rows.map(({ question, ms, cpu, stall, peak }) => [
    question,
    {
      ms: ms.toFixed(0),
      "CPU ms": cpu.toFixed(0),
      "longest stall, ms": stall.toFixed(0),
      "peak, MB above idle": peak.toFixed(0),
    },
  ]),
});
