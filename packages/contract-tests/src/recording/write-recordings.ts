import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtureText, type NamedFixture } from "../fixtures/fixture.ts";
import { jsonDifferences, told } from "../replay/json-differences.ts";

/** How a recording differs from the file that is there. */
export interface Change {
  file: string;
  kind: "new" | "changed" | "same";
  /** In words that name the fields. */
  differences: string[];
}

const fileOf = (folder: string, { id }: NamedFixture) => join(folder, `${id}.json`);

const textOf = ({ id: _, ...fixture }: NamedFixture) => fixtureText(fixture);

/** The day alone makes no change. */
const undated = (text: string): unknown => {
  const { provenance, ...fixture } = JSON.parse(text) as { provenance?: { date?: string } };
  return { ...fixture, provenance: { ...provenance, date: undefined } };
};

export function changesIn(folder: string, fixtures: readonly NamedFixture[]): Change[] {
  return fixtures.map((fixture) => {
    const file = fileOf(folder, fixture);
    if (!existsSync(file)) return { file, kind: "new", differences: [] };
    const differences = jsonDifferences(undated(readFileSync(file, "utf8")), undated(textOf(fixture))).map(told);
    return { file, kind: differences.length > 0 ? "changed" : "same", differences };
  });
}

/** Writes what is new or changed. Each file is complete or as it was: all of them are written beside their places first. */
export function writeRecordings(folder: string, fixtures: readonly NamedFixture[], changes: readonly Change[]): void {
  mkdirSync(folder, { recursive: true });
  const due = fixtures.filter((_, at) => changes[at]?.kind !== "same");
  const part = (fixture: NamedFixture) => `${fileOf(folder, fixture)}.part`;
  try {
    for (const fixture of due) writeFileSync(part(fixture), textOf(fixture));
    for (const fixture of due) renameSync(part(fixture), fileOf(folder, fixture));
  } finally {
    for (const fixture of due) rmSync(part(fixture), { force: true });
  }
}
