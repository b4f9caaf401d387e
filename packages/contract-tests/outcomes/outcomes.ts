import { readFileSync } from "node:fs";
import { fixtureText } from "../src/fixtures/fixture.ts";
import { loadFixtures } from "../src/fixtures/load-fixtures.ts";
import { jsonDifferences, told } from "../src/replay/json-differences.ts";
import type { Outcome } from "./outcome.ts";

/** Makers of outcomes by their kind. Each stands on other parts of the repository, which are only loaded where they are asked for. */
const MAKERS = {
  input: async () => (await import("./input-outcomes.ts")).inputOutcomes(),
  client: async () => (await import("./client-outcomes.ts")).clientOutcomes(loadFixtures()),
  own: async () => (await import("./own-outcomes.ts")).ownOutcomes(),
  walk: async () => (await import("./walk-outcomes.ts")).walkOutcomes(),
  stream: async () => (await import("./stream-outcomes.ts")).streamOutcomes(),
  list: async () => (await import("./list-outcomes.ts")).listOutcomes(),
  locate: async () => (await import("./locate-outcomes.ts")).locateOutcomes(),
  write: async () => (await import("./write-outcomes.ts")).writeOutcomes(),
  tool: async () => (await import("./tool-outcomes.ts")).toolOutcomes(loadFixtures()),
  question: async () => (await import("./question-outcomes.ts")).questionOutcomes(),
} satisfies Readonly<Record<string, () => Promise<AsyncGenerator<Outcome>>>>;

export type OutcomeKind = keyof typeof MAKERS;
export const outcomeKinds = Object.keys(MAKERS) as OutcomeKind[];

const fileOf = (kind: OutcomeKind): URL => new URL(`../baselines/outcomes/${kind}.json`, import.meta.url);

/** As JSON, in which a member that is there and undefined stays one: callers of the client can tell. */
const plain = (outcome: unknown): unknown =>
  JSON.parse(JSON.stringify(outcome, (_, value) => (value === undefined ? "<undefined>" : value)) ?? "null");

/** The files of all kinds as they would be written now. */
export async function outcomeFiles(): Promise<{ file: URL; text: string }[]> {
  const files: { file: URL; text: string }[] = [];
  for (const kind of outcomeKinds) {
    const seen: Record<string, unknown> = {};
    for await (const [name, outcome] of await MAKERS[kind]()) seen[name] = plain(outcome);
    files.push({ file: fileOf(kind), text: fixtureText(seen) });
  }
  return files;
}

/** Where what is seen now differs from what was recorded, in words; with `bail` the first difference only. */
export async function outcomeProblems(kind: OutcomeKind, { bail = false }: { bail?: boolean } = {}): Promise<string[]> {
  const recorded = new Map(Object.entries(JSON.parse(readFileSync(fileOf(kind), "utf8")) as Record<string, unknown>));
  const problems: string[] = [];
  for await (const [name, outcome] of await MAKERS[kind]()) {
    problems.push(...jsonDifferences(recorded.get(name), plain(outcome), name).map(told));
    recorded.delete(name);
    if (bail && problems.length > 0) return problems;
  }
  return [...problems, ...[...recorded.keys()].map((name) => `${name} is not seen any more`)];
}
