// Fails a test if it opens a file in the repository that is not an input of its target: its cached result would be wrong once that file changes.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, inject } from "vitest";
import { advice, type Opening, undeclaredFile } from "./vitest.declared-inputs.ts";

interface OpenedFiles {
  LOG: string;
  reportTo: (listener: (how: Opening, path: string) => void) => void;
}

/** Maximum files to list per test. */
const SHOWN = 3;

const declared = inject("declaredInputs");

if (declared) {
  const { LOG, reportTo }: OpenedFiles = createRequire(import.meta.url)("./scripts/opened-files.cjs");
  const mistakes = new Map<string, Set<string>>();
  let test = "the test file itself, outside its tests";
  const note = (how: Opening, path: string) => {
    const file = undeclaredFile(declared, how, path);
    if (file) mistakes.set(test, (mistakes.get(test) ?? new Set()).add(file));
  };
  reportTo(note);

  // One folder per test file, since programs may outlive the test file that started them.
  const log = mkdtempSync(join(declared.logs, "programs-"));
  process.env[LOG] = log;
  const linesRead = new Map<string, number>();
  const readLogs = () => {
    for (const name of readdirSync(log)) {
      const lines = readFileSync(join(log, name), "utf8").split("\n").slice(0, -1);
      for (const line of lines.slice(linesRead.get(name))) {
        const [how = "", path = ""] = line.split(/ (.*)/);
        note(how as Opening, path);
      }
      linesRead.set(name, lines.length);
    }
  };

  beforeEach(() => {
    test = expect.getState().currentTestName ?? test;
  });
  afterEach(readLogs);
  afterAll(() => {
    readLogs();
    const lines = [...mistakes].flatMap(([name, files]) => {
      const shown = [...files].slice(0, SHOWN).map((file) => `"${name}" opens ${advice(declared, file)}`);
      return files.size > SHOWN ? [...shown, `... and ${files.size - SHOWN} more`] : shown;
    });
    mistakes.clear();
    if (lines.length > 0) throw new Error(lines.join("\n"));
  });
}
