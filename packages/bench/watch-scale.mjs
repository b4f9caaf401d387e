// Measures what rules cost at each poll of a watch, compared with a watch that has one rule.
import { count, fixed, interleaved, median, medianOf, started } from "./measure.mjs";

export async function measureWatch(origin, vehicles = 100_000, rules = 10_000, rounds = 3, polls = 5) {
  const cases = { one: 1, many: rules };
  const taken = await interleaved(cases, rounds, (asked) => started("one-watch.mjs", [origin, vehicles, asked, polls]));
  const added = median(taken.many.map(({ cpu }, round) => cpu - taken.one[round].cpu));
  const [cpu, stall, held] = ["cpu", "stall", "held"].map((of) => medianOf(taken.many, of));
  return [{ vehicles, rules, added, cpu, stall, held, one: medianOf(taken.one, "cpu") }];
}

export const watchTable = (rows) => ({
  title: "A watch: a poll half a minute after the one before, a third of the fleet driving",
  rows: rows.map(({ vehicles, rules, one, cpu, added, stall, held }) => [
    `${count(rules)} rules, ${count(vehicles)} vehicles`,
    {
      "CPU ms": fixed(cpu),
      "with one rule": fixed(one),
      "of the rules": fixed(added),
      "longest stall, ms": fixed(stall),
      "memory, MB above idle": fixed(held),
    },
  ]),
});
