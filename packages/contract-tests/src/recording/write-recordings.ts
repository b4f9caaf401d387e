import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@fleetwire/core/internal";
import { FixtureProblem, fixtureText, type NamedFixture } from "../fixtures/fixture.ts";
import { jsonOf } from "../json-values.ts";
import { describeChange, jsonDifferences } from "../replay/json-differences.ts";
import { writeAtomically } from "../write-atomically.ts";

/** How a recording differs from the existing file. */
export interface Change {
  file: string;
  kind: "new" | "changed" | "same";
  /** Messages that name the fields. */
  differences: string[];
}

const fileOf = (folder: string, { id }: NamedFixture) => join(folder, `${id}.json`);

const textOf = ({ id: _, ...fixture }: NamedFixture) => fixtureText(fixture);

/** Ignores the date: a new date alone is not a change. */
function undated(text: string, file: string): unknown {
  const fixture = jsonOf(text);
  if (!isRecord(fixture)) throw new FixtureProblem(`${file}: the file is not JSON`);
  return { ...fixture, provenance: { ...Object(fixture["provenance"]), date: undefined } };
}

export function changesIn(folder: string, fixtures: readonly NamedFixture[]): Change[] {
  return fixtures.map((fixture) => {
    const file = fileOf(folder, fixture);
    if (!existsSync(file)) return { file, kind: "new", differences: [] };
    const recorded = undated(readFileSync(file, "utf8"), file);
    const differences = jsonDifferences(recorded, undated(textOf(fixture), file)).map(describeChange);
    return { file, kind: differences.length > 0 ? "changed" : "same", differences };
  });
}

/** Writes new and changed recordings. */
export function writeRecordings(folder: string, fixtures: readonly NamedFixture[], changes: readonly Change[]): void {
  const due = fixtures.filter((_, at) => changes[at]?.kind !== "same");
  writeAtomically(new Map(due.map((fixture) => [fileOf(folder, fixture), textOf(fixture)])));
}
