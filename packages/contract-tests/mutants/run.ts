import { parseArgs } from "node:util";
import { allMutants } from "./all-mutants.ts";
import { judgeMutants } from "./pool.ts";
import { reportOf, sampleOf, scoreOf } from "./report.ts";

const LEAST_SHARE = 0.9;

/** The command: all mutants, a sample, or those whose words fit; prints the share that was caught. Exit code 1 where it is too small. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { sample: { type: "string" }, seed: { type: "string", default: "1" }, only: { type: "string" }, verbose: { type: "boolean" } },
  });
  const fitting = allMutants().filter(({ id }) => new RegExp(values.only ?? "").test(id));
  const mutants = values.sample === undefined ? fitting : sampleOf(fitting, Number(values.sample), Number(values.seed));
  let judged = 0;
  const judgements = await judgeMutants(mutants, ({ mutant, by }) => {
    judged++;
    if (values.verbose) console.error(`${mutant.id} => ${by ?? "SURVIVED"}`);
    else if (judged % 50 === 0) console.error(`${judged} of ${mutants.length}`);
  });
  console.log(reportOf(judgements));
  return scoreOf(judgements).share >= LEAST_SHARE ? 0 : 1;
}
