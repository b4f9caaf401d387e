import { readFileSync } from "node:fs";
import { fixtureText } from "../src/fixtures/fixture.ts";
import { loadFixtures } from "../src/fixtures/load-fixtures.ts";
import { jsonDifferences, told } from "../src/replay/json-differences.ts";

export const outcomeKinds = ["input", "client", "own", "walk", "list", "locate", "write", "tool", "question"] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** What became of one call: its name, and all that the caller sees. */
export type Outcome = [name: string, seen: unknown];

/** What callers and hosts see now, for the words and shapes that no schema and no recorded answer fix. */
async function* outcomesOf(kind: OutcomeKind): AsyncGenerator<Outcome> {
  // Each stands on other parts of the repository, which are only loaded where they are asked for.
  if (kind === "input") yield* (await import("./input-outcomes.ts")).inputOutcomes();
  else if (kind === "client") yield* (await import("./client-outcomes.ts")).clientOutcomes(loadFixtures());
  else if (kind === "own") yield* (await import("./own-outcomes.ts")).ownOutcomes();
  else if (kind === "walk") yield* (await import("./walk-outcomes.ts")).walkOutcomes();
  else if (kind === "question") yield* (await import("./question-outcomes.ts")).questionOutcomes();
  else if (kind === "locate") yield* (await import("./locate-outcomes.ts")).locateOutcomes();
  else if (kind === "write") yield* (await import("./write-outcomes.ts")).writeOutcomes();
  else if (kind === "list") yield* (await import("./list-outcomes.ts")).listOutcomes();
  else yield* (await import("./tool-outcomes.ts")).toolOutcomes(loadFixtures());
}

const fileOf = (kind: OutcomeKind): URL => new URL(`../baselines/outcomes/${kind}.json`, import.meta.url);

/** As JSON, in which a member that is there and undefined stays one: callers of the client can tell. */
const plain = (outcome: unknown): unknown =>
  JSON.parse(JSON.stringify(outcome, (_, value) => (value === undefined ? "<undefined>" : value)) ?? "null");

/** The files of all kinds as they would be written now. */
export async function outcomeFiles(): Promise<{ file: URL; text: string }[]> {
  const files: { file: URL; text: string }[] = [];
  for (const kind of outcomeKinds) {
    const seen: Record<string, unknown> = {};
    for await (const [name, outcome] of outcomesOf(kind)) seen[name] = plain(outcome);
    files.push({ file: fileOf(kind), text: fixtureText(seen) });
  }
  return files;
}

/** Where what is seen now differs from what was recorded, in words; with `bail` the first difference only. */
export async function outcomeProblems(kind: OutcomeKind, { bail = false }: { bail?: boolean } = {}): Promise<string[]> {
  const recorded = new Map(Object.entries(JSON.parse(readFileSync(fileOf(kind), "utf8")) as Record<string, unknown>));
  const problems: string[] = [];
  for await (const [name, outcome] of outcomesOf(kind)) {
    problems.push(...jsonDifferences(recorded.get(name), plain(outcome), name).map(told));
    recorded.delete(name);
    if (bail && problems.length > 0) return problems;
  }
  return [...problems, ...[...recorded.keys()].map((name) => `${name} is not seen any more`)];
}
