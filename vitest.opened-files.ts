// Fails a test that opens a file of the repository which is no input of its target: its result would be taken from the cache after a change of it.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, inject } from "vitest";
import { advice, type Opening, undeclaredFile } from "./vitest.declared-inputs.ts";

interface OpenedFiles {
  LOG: string;
  reportTo: (listener: (how: Opening, path: string) => void) => void;
}

const declared = inject("declaredInputs");

if (declared) {
  const { LOG, reportTo }: OpenedFiles = createRequire(import.meta.url)("./scripts/opened-files.cjs");
  const mistakes = new Map<string, string>();
  let test = "the file itself, outside of its tests";
  const note = (how: Opening, path: string) => {
    const file = undeclaredFile(declared, how, path);
    if (file && !mistakes.has(file)) mistakes.set(file, test);
  };
  reportTo(note);

  const log = join(declared.logs, String(process.pid));
  mkdirSync(log, { recursive: true });
  process.env[LOG] = log;
  const readLogs = () => {
    for (const name of readdirSync(log)) {
      for (const line of readFileSync(join(log, name), "utf8").split("\n").slice(0, -1)) {
        const [how = "", path = ""] = line.split(/ (.*)/);
        note(how as Opening, path);
      }
    }
  };

  beforeEach(() => {
    test = expect.getState().currentTestName ?? test;
  });
  afterEach(readLogs);
  afterAll(() => {
    readLogs();
    const lines = [...mistakes].map(([file, name]) => `"${name}" opens a file that it may not: ${advice(declared, file)}`);
    mistakes.clear();
    if (lines.length > 0) throw new Error(lines.join("\n"));
  });
}
