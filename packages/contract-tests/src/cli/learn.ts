import type { FleetConfig } from "@fleetwire/core";
import { textColumns } from "@fleetwire/core/internal";
import type { Command } from "commander";
import { callsIn } from "../learn/har-calls.ts";
import { type LearnedFact, profileOf, type SeenCall } from "../learn/learn.ts";
import { checkWritable, writeAtomically } from "../write-atomically.ts";
import { configuredServers } from "./connection.ts";
import { CouldNotRun, print, say } from "./print.ts";

const SHOWN = 8;

const shortList = (texts: readonly string[]) =>
  texts.length > SHOWN
    ? `${texts.slice(0, SHOWN).join(", ")} and ${texts.length - SHOWN} more`
    : texts.join(", ") || "none that can be shown";

/** What a fact is about, and what it says. */
function factTexts(fact: LearnedFact): [of: string, observed: string] {
  if (fact.fact === "shape") return ["body", `${fact.fields.length} fields`];
  if (fact.fact === "unit") return [fact.path, `in ${fact.unit}`];
  return [fact.path, `${shortList(fact.values.map(({ value }) => value))}${fact.withheld > 0 ? ` (${fact.withheld} withheld)` : ""}`];
}

/** The calls in archives. Without configured servers, each operation must have been called at one host only. */
function callsInAll(
  files: readonly string[],
  servers: FleetConfig["servers"],
  onIgnored: (operation: string, problem: string) => void,
): SeenCall[] {
  const isAnywhere = Object.values(servers).every((server) => server === undefined);
  const origins = new Map<string, string>();
  return files.flatMap((file) => {
    const calls = callsIn(file, servers, onIgnored);
    for (const { operation, exchange } of calls) {
      const { origin } = new URL(exchange.url);
      const known = origins.get(operation) ?? origin;
      if (known !== origin && isAnywhere)
        throw new CouldNotRun(
          `${file} has calls of ${operation} to ${known} and ${origin}: set FLEET_BASE_URL and the others to one deployment`,
        );
      origins.set(operation, known);
    }
    return calls;
  });
}

function learn(files: readonly string[], { out }: { out: string }): void {
  checkWritable(out, "file");
  /** The calls that cannot be learned from, by operation and reason. */
  const ignored = new Map<string, number>();
  let calls: SeenCall[];
  try {
    calls = callsInAll(files, configuredServers(), (operation, problem) => {
      const key = `${operation}: ${problem}`;
      ignored.set(key, (ignored.get(key) ?? 0) + 1);
    });
  } finally {
    for (const [key, count] of ignored) say(`ignored ${count} ${count === 1 ? "call" : "calls"} of ${key}`);
  }
  const profile = profileOf(calls);
  writeAtomically(new Map([[out, `${JSON.stringify(profile, null, 2)}\n`]]));
  const rows = profile.facts.map((fact) => [fact.operation, ...factTexts(fact), `${fact.records} of ${fact.of}`]);
  print(textColumns([["operation", "of", "observed", "records"], ...rows]));
  say(`${out}: ${profile.facts.length} facts from ${calls.length} calls, observed and not documented`);
}

export function addLearn(program: Command): void {
  program
    .command("learn")
    .description("learn from real traffic how a deployment resolves what the interface leaves open, and write a profile")
    .argument("<har...>", "HTTP archives with calls to the deployment, of at most 100 MB each")
    .option("--out <file>", "profile to write", "fleetwire-profile.json")
    .action(learn);
}
