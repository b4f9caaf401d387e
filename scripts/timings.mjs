// Prints how long each part of a test run took, and which parts exceeded their share of .ci/run's time.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Minutes on two cores. With the parts in .ci/run, they total 18 of its 30 minutes. */
export const SHARES = {
  "npm test": 3,
  "@fleetwire/browser": 2.5,
  "@fleetwire/frameworks": 0.75,
  "@fleetwire/judges": 1,
  "@fleetwire/packaging": 1.25,
  "@fleetwire/replicas": 0.75,
};

const rows = [];
const began = Date.now();
let testTook;

/** nx's record of its last run: each task with start, end and cache status. */
const lastRun = join(dirname(fileURLToPath(import.meta.url)), "..", ".nx", "cache", "run.json");

/** Runs nx and adds its timings. */
export function timed(runNx) {
  rmSync(lastRun, { force: true });
  const status = runNx();
  // If nx could not start the run, there is no record.
  const { tasks } = existsSync(lastRun) ? JSON.parse(readFileSync(lastRun, "utf8")) : { tasks: [] };
  for (const { projectName, target, startTime, endTime, cacheStatus, status } of tasks) {
    const seconds = (Date.parse(endTime) - Date.parse(startTime)) / 1000;
    rows.push({ part: projectName, target, seconds, cached: cacheStatus !== "cache-miss", failed: status !== 0 });
  }
  return status;
}

/** Adds a part that is not run by nx. */
export const notePart = (part, seconds) => rows.push({ part, target: "", seconds, cached: false, failed: false });

/** Ends the part of a run that `npm test` includes. */
export const noteTestEnd = () => {
  testTook = (Date.now() - began) / 1000;
};

const clock = (seconds) => `${seconds.toFixed(1)} s`;

function late(part, seconds) {
  const share = SHARES[part];
  if (share === undefined) return [];
  return seconds > share * 60 ? [`${part} took ${(seconds / 60).toFixed(1)} min; its budget is ${share} min (scripts/timings.mjs)`] : [];
}

/** Prints a line for each part, slowest first, and the parts that exceeded their share. */
export function printTimings() {
  const tests = rows.toSorted((a, b) => b.seconds - a.seconds);
  const width = Math.max(...tests.map(({ part, target }) => `${part} ${target}`.length), 10);
  console.log("\nTimings");
  for (const { part, target, seconds, cached, failed } of tests) {
    const notes = [cached ? "cached" : "", failed ? "FAILED" : ""].filter(Boolean).join(", ");
    console.log(`  ${`${part} ${target}`.padEnd(width)} ${clock(seconds).padStart(9)}  ${notes}`.trimEnd());
  }
  console.log(`  ${"total".padEnd(width)} ${clock((Date.now() - began) / 1000).padStart(9)}`);
  const suites = tests.flatMap(({ part, target, seconds }) => late(target === "test" ? part : `${part} ${target}`, seconds));
  const exceeded = [...(testTook === undefined ? [] : late("npm test", testTook)), ...suites];
  for (const line of exceeded) console.log(`  OVER ITS SHARE: ${line}`);
}
