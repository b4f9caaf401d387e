import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { productFiles } from "./all-mutants.ts";
import { changedFiles } from "./changed.ts";
import { judgeFiles } from "./judge-files.ts";
import { byModule, knownSurvivors, scoreOf, summaryOf, survivorLine } from "./report.ts";
import { testFiles } from "./workspace.ts";

/** `--changed` may stand alone. */
const args = process.argv.slice(2).map((arg, at, all) => (arg === "--changed" && /^(--|$)/.test(all[at + 1] ?? "") ? "--changed=" : arg));

const { values, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    files: { type: "string", multiple: true, default: [] },
    changed: { type: "string" },
    sample: { type: "string" },
    minutes: { type: "string" },
    workers: { type: "string" },
    survivors: { type: "string" },
    tests: { type: "string", multiple: true },
    budget: { type: "string" },
    again: { type: "boolean", default: false },
  },
});

/** Patterns as in `packages/core/src/client/*.ts`; a folder stands for all that is in it. */
function matching(all: readonly string[], patterns: readonly string[]): string[] {
  const tests = patterns.map((pattern) => {
    const parts = pattern.split(/(\*\*\/?|\*)/).map((part) => {
      if (part.startsWith("**")) return ".*";
      return part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
    });
    return new RegExp(`(^|/)${parts.join("")}($|/)`);
  });
  return all.filter((file) => tests.some((test) => test.test(file)));
}

const patterns = [...values.files, ...positionals];
let files = patterns.length > 0 ? matching(productFiles(), patterns) : productFiles();
if (values.changed !== undefined) {
  const changed = changedFiles(values.changed || undefined);
  files = files.filter((file) => changed.has(file));
}
if (files.length === 0) console.info("No product file to mutate.");

const started = Date.now();
const { judged, left } = await judgeFiles(files, {
  tests: values.tests ? matching(testFiles(), values.tests) : testFiles(),
  sample: values.sample === undefined ? undefined : Number(values.sample),
  until: values.minutes === undefined ? Number.POSITIVE_INFINITY : started + Number(values.minutes) * 60_000,
  workers: Number(values.workers ?? availableParallelism()),
  budgetMs: Number(values.budget ?? 20) * 1_000,
  again: values.again,
  onProgress: (line) => console.error(line),
});

const { unexplained, outdated } = scoreOf(judged);
console.info(summaryOf(judged));
if (left > 0) console.info(`Not judged, for time was up: ${left}`);
if (values.survivors === undefined) for (const one of unexplained) console.info(survivorLine(one));
else {
  mkdirSync(values.survivors, { recursive: true });
  for (const [name, some] of byModule(judged))
    writeFileSync(join(values.survivors, `${name.replace("/", "-")}.txt`), `${scoreOf(some).unexplained.map(survivorLine).join("\n")}\n`);
  writeFileSync(join(values.survivors, "SUMMARY.txt"), `${summaryOf(judged)}\n`);
}
for (const id of outdated) console.info(`listed as a survivor, and caught: ${id}`);
for (const { reason, mutants } of knownSurvivors)
  for (const id of mutants)
    if (judged.some((one) => one.mutant.id === id && one.verdict.by === undefined)) console.info(`survives, for ${reason}: ${id}`);
process.exitCode = unexplained.length > 0 || outdated.length > 0 ? 1 : 0;
