// Measures what rules cost at each poll of a watch, compared with a watch that has one rule.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median } from "./measure.mjs";

const at = (file) => fileURLToPath(new URL(file, import.meta.url));
const VEHICLES = 100_000;
const RULES = 10_000;
const ROUNDS = 3;
const POLLS = 5;

async function watchOnce(origin, counts) {
  const child = fork(at("one-watch.mjs"), [origin, ...counts.map(String)], { execArgv: ["--expose-gc"] });
  const [result] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (typeof result !== "object" || result === null) throw new Error(`a watch with ${counts[1]} rules failed`);
  return result;
}

export async function measureWatch(origin, vehicles = VEHICLES, rules = RULES, rounds = ROUNDS, polls = POLLS) {
  const taken = { one: [], many: [] };
  for (let round = 0; round < rounds; round++) {
    taken.one.push(await watchOnce(origin, [vehicles, 1, polls]));
    taken.many.push(await watchOnce(origin, [vehicles, rules, polls]));
  }
  const middle = (which, field) => median(taken[which].map((one) => one[field]));
  const added = median(taken.many.map(({ cpu }, round) => cpu - taken.one[round].cpu));
  return [
    {
      ...{ vehicles, rules, one: middle("one", "cpu"), many: middle("many", "cpu"), added },
      ...{ stall: middle("many", "stall"), stallOfOne: middle("one", "stall"), held: middle("many", "held") },
    },
  ];
}

const count = (size) => size.toLocaleString("en");

export const watchTable = (rows) => ({
  title: "A watch: a poll half a minute after the one before, a third of the fleet driving",
  rows: rows.map(({ vehicles, rules, one, many, added, stall, stallOfOne, held }) => [
    `${count(rules)} rules, ${count(vehicles)} vehicles`,
    {
      "CPU ms": many.toFixed(0),
      "with one rule": one.toFixed(0),
      "of the rules": added.toFixed(0),
      "longest stall, ms": stall.toFixed(0),
      "with one rule, ms": stallOfOne.toFixed(0),
      "memory, MB above idle": held.toFixed(0),
    },
  ]),
});
