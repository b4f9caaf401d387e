import type { Command } from "commander";
import { compareReleases, notCompared, readRelease, releaseNote } from "../diff/index.ts";
import { CouldNotRun, EXIT, print, say } from "./print.ts";

function read(path: string) {
  try {
    return readRelease(path);
  } catch (error) {
    throw new CouldNotRun(error instanceof Error ? error.message : String(error));
  }
}

function diff(oldPath: string, newPath: string, { json }: { json?: boolean }): void {
  const [before, after] = [read(oldPath), read(newPath)];
  const missing = notCompared(before, after);
  const compared = Object.keys(before).filter((part) => part in after);
  if (compared.length === 0) throw new CouldNotRun(`nothing to compare: ${missing.join("; ")}`);
  const changes = compareReleases(before, after);
  print(json ? JSON.stringify({ changes, notCompared: missing }, null, 2) : releaseNote(changes));
  for (const note of missing) say(`not compared: ${note}`);
  process.exitCode = changes.some(({ impact }) => impact === "breaking") ? EXIT.broken : EXIT.holds;
}

export function addDiff(program: Command): void {
  program
    .command("diff")
    .description("compare two versions of the contract: breaking, additive and cosmetic changes, in words for a release note")
    .argument(
      "<old>",
      "OpenAPI 3 document (JSON), list of tools as an MCP server returns it, or folder of packages such as node_modules/@fleetwire",
    )
    .argument("<new>", "the same of the new version")
    .option("--json", "print the changes as JSON")
    .action(diff);
}
