// Tests the mutants of a change, within the minutes that npm run test:all has for them.
import { availableParallelism } from "node:os";
import { type MutatedSource, mutatedSource, productFiles } from "./all-mutants.ts";
import { baseOf, changedLines } from "./changed.ts";
import { distancesFrom } from "./import-graph.ts";
import { lineOf, type Mutant } from "./mutant.ts";
import { scoreOf, summaryOf, survivorText } from "./report.ts";
import { type Options, packageOf, runMutants } from "./run-mutants.ts";
import { sampleOf } from "./sample.ts";
import { testFiles } from "./workspace.ts";

/** The rest of its three minutes goes to starting and stopping. */
const SECONDS = 160;
const SECONDS_A_MUTANT = 40;
/** A change with more mutants than can be tested in that time is sampled, and some may survive. */
const MOST = 120;
const MOST_FILES = 10;
const MOST_PERCENT = 10;
const SEED = 1;
/** Its tests are the fastest. */
const SAMPLED_PACKAGE = "core";
/** tests/frameworks tests the adapters, in the frameworks themselves. */
const sourceFiles = productFiles().filter((file) => !file.startsWith("packages/tools/src/adapters/"));

interface Task {
  title: string;
  files: string[];
  /** Mutants whose survival fails the gate once all tests of their own package were run. */
  isChanged: (mutant: Mutant) => boolean;
  choose: NonNullable<Options["choose"]>;
  isSample: boolean;
}

const mutantsOf = (sources: readonly MutatedSource[]) => sources.flatMap(({ mutants }) => mutants);

/** In few files, so that their tests can be run in time. */
function sampleIn(home: string, all: readonly string[], title: string, isAsked: (mutant: Mutant) => boolean = () => true): Task {
  const hasSome = (file: string) => packageOf(file) === home && mutatedSource(file).mutants.some(isAsked);
  const files = sampleOf(all.filter(hasSome), MOST_FILES, SEED);
  const choose = (mutants: readonly Mutant[]) => [sampleOf(mutants.filter(isAsked), MOST, SEED)];
  return { title, files, isChanged: isAsked, choose, isSample: true };
}

function taskOf(): Task {
  const [asked] = process.argv.slice(2);
  const base = asked === undefined ? baseOf() : { commit: asked, what: "as asked" };
  if (!base) return sampleIn(SAMPLED_PACKAGE, sourceFiles, `No commit to compare with: a fixed sample of ${SAMPLED_PACKAGE}`);
  const lines = changedLines(base.commit);
  const since = `since ${base.commit.slice(0, 7)}, ${base.what}`;
  const changed = sourceFiles.filter((file) => lines.has(file));
  const sources = new Map(changed.map((file) => [file, mutatedSource(file)]));
  const isChanged = ({ file, start }: Mutant): boolean => lines.get(file)?.has(lineOf(sources.get(file)?.text ?? "", start)) ?? false;
  const sizes = new Map<string, number>();
  for (const mutant of mutantsOf([...sources.values()]).filter(isChanged))
    sizes.set(packageOf(mutant.file), (sizes.get(packageOf(mutant.file)) ?? 0) + 1);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const [largest = "", size] = [...sizes].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (total > MOST)
    return sampleIn(largest, changed, `${total} mutants in lines changed ${since}: a sample of the ${size} in ${largest}`, isChanged);
  // A weakened test shows up in the sources that it imports by name.
  const tested = testFiles().flatMap((test) => (lines.has(test) ? [...distancesFrom(test)].filter(([, distance]) => distance === 1) : []));
  const files = sourceFiles.filter((file) => sources.has(file) || tested.some(([imported]) => imported === file));
  const choose = (all: readonly Mutant[]) => [
    all.filter(isChanged),
    sampleOf(
      all.filter((mutant) => !isChanged(mutant)),
      MOST,
      SEED,
    ),
  ];
  return { title: `${total} mutants in lines changed ${since}, then others in these files`, files, isChanged, choose, isSample: false };
}

/**
 * Tests of other packages are not run. Those of core and the server check all of their own code, but some code of tools is checked only by the server's tests.
 */
function isDecided(mutant: Mutant, missing: readonly string[], isCovered: boolean): boolean {
  const home = packageOf(mutant.file);
  return !missing.some((test) => packageOf(test) === home) && (home !== "tools" || (isCovered && isChanged(mutant)));
}

const { title, files, isChanged, choose, isSample } = taskOf();
console.info(title);
const homes = new Set(files.map(packageOf));
const { tested, left } = await runMutants(files, {
  tests: testFiles().filter((test) => homes.has(packageOf(test))),
  choose,
  isCautious: true,
  isDecided,
  until: Date.now() + SECONDS * 1_000,
  // Many tests wait for timeouts.
  workers: availableParallelism() + 1,
  budgetMs: SECONDS_A_MUTANT * 1_000,
  again: false,
  print: (line) => console.error(line),
});

const { unexplained, undecided } = scoreOf(tested);
if (tested.length > 0) console.info(summaryOf(tested));
if (undecided.length + left > 0) console.info(`Undecided, since not all of their tests could be run in time: ${undecided.length + left}`);
for (const one of unexplained) console.info(`${survivorText(one)}\n    id: ${one.mutant.id}`);
const percent = (100 * unexplained.length) / (tested.length + left);
if (unexplained.length > 0) {
  const files = new Set(unexplained.map(({ mutant }) => mutant.file.replace(/^packages\//, "")));
  console.info(`
The tests pass with each of these changes made. If nothing needs the code, delete it. Otherwise assert what it is for, in one of the tests named. If no test can
notice the change, add its id to tests/mutation/survivors.json with the reason. To check: npm run mutants -- ${[...files].join(" ")}`);
}
if (isSample) console.info(`${percent.toFixed(0)}% of the sample survived; ${MOST_PERCENT}% may.`);
process.exitCode = (isSample ? percent > MOST_PERCENT : unexplained.length > 0) ? 1 : 0;
