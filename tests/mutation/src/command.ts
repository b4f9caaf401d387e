import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { productFiles } from "./all-mutants.ts";
import { baseOf, changedLines } from "./changed.ts";
import { byModule, knownSurvivors, scoreOf, summaryOf, survivorText } from "./report.ts";
import { type Options, runMutants } from "./run-mutants.ts";
import { sampleOf } from "./sample.ts";
import { testFiles } from "./workspace.ts";

/** Total time limit for the tests of one mutant, and for a survivor that hundreds of tests cover, once all others have been tested. */
const SECONDS = 20;
const SECONDS_IF_UNDECIDED = 120;

// `--changed` may have no value.
const args = process.argv.slice(2).map((arg, at, all) => (arg === "--changed" && /^(--|$)/.test(all[at + 1] ?? "") ? "--changed=" : arg));

const { values, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    files: { type: "string", multiple: true, default: [] },
    tests: { type: "string", multiple: true, default: [] },
    changed: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "Infinity" },
    seconds: { type: "string" },
    workers: { type: "string", default: String(availableParallelism()) },
    again: { type: "boolean", default: false },
    survivors: { type: "string" },
    least: { type: "string" },
  },
});

/** Files whose path ends with a pattern such as `client/*.ts` or that are in a folder such as `core/src/client`; without patterns, all files. */
function matching(all: readonly string[], patterns: readonly string[]): string[] {
  if (patterns.length === 0) return [...all];
  const expressions = patterns.map((pattern) => {
    const parts = pattern.split(/(\*+)/).map((part) => {
      if (part.startsWith("*")) return part === "*" ? "[^/]*" : ".*";
      return part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
    });
    return new RegExp(`(^|/)${parts.join("")}($|/)`);
  });
  return all.filter((file) => expressions.some((expression) => expression.test(file)));
}

const changed = values.changed === undefined ? undefined : changedLines(values.changed || baseOf()?.commit || "HEAD");
const files = matching(productFiles(), [...values.files, ...positionals]).filter((file) => changed?.has(file) ?? true);
if (files.length === 0) console.info("No source files to mutate.");

const options: Options = {
  tests: matching(testFiles(), values.tests),
  choose: (all) => [values.sample === undefined ? all : sampleOf(all, Number(values.sample), Number(values.seed))],
  until: Date.now() + Number(values.minutes) * 60_000,
  workers: Number(values.workers),
  budgetMs: Number(values.seconds ?? SECONDS) * 1_000,
  again: values.again,
  print: (line) => console.error(line),
};
let { tested, left } = await runMutants(files, options);
if (left === 0 && values.seconds === undefined && scoreOf(tested).undecided.length > 0) {
  const { tested: decided } = await runMutants(files, { ...options, again: false, budgetMs: SECONDS_IF_UNDECIDED * 1_000 });
  const ids = new Set(decided.map(({ mutant }) => mutant.id));
  tested = [...decided, ...tested.filter(({ mutant }) => !ids.has(mutant.id))];
}

const { share, unexplained, undecided, outdated } = scoreOf(tested);
console.info(summaryOf(tested));
if (left > 0) console.info(`Not tested, because time ran out: ${left}`);
if (values.survivors === undefined) for (const one of [...unexplained, ...undecided]) console.info(survivorText(one));
else {
  mkdirSync(values.survivors, { recursive: true });
  for (const [name, some] of byModule(tested)) {
    const { unexplained: decided, undecided: others } = scoreOf(some);
    const survivors = [...decided, ...others].map(survivorText);
    writeFileSync(join(values.survivors, `${name.replace("/", "-")}.txt`), `${survivors.join("\n")}\n`);
  }
}
const survived = new Set(tested.filter(({ result }) => result.killedBy === undefined).map(({ mutant }) => mutant.id));
for (const { reason, mutants } of knownSurvivors)
  for (const id of mutants) if (survived.has(id)) console.info(`Survives (${reason}): ${id}`);
for (const id of outdated) console.info(`Listed in survivors.json but killed: ${id}`);

const hasFailed = values.least === undefined ? unexplained.length > 0 : 100 * share < Number(values.least);
process.exitCode = hasFailed || outdated.length > 0 ? 1 : 0;
