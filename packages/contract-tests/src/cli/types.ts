import { readFileSync } from "node:fs";
import { readProfile } from "@fleetwire/core";
import type { Command } from "commander";
import { profileTypes } from "../learn/index.ts";
import { checkWritable, writeAtomically } from "../write-atomically.ts";
import { CouldNotRun, print, say } from "./print.ts";

function writeTypes(file: string, { out }: { out?: string }): void {
  if (out !== undefined) checkWritable(out, "file");
  const types = profileTypes(readProfile(readFileSync(file, "utf8")));
  if (types === undefined) throw new CouldNotRun(`${file} has no list of jobs or tire events: learn from traffic that reads them`);
  if (out === undefined) print(types.trimEnd());
  else {
    writeAtomically(new Map([[out, types]]));
    say(`${out} written: observed, and not documented`);
  }
}

export function addTypes(program: Command): void {
  program
    .command("types")
    .description("write TypeScript types of the lists that only a profile describes: jobs and tire events")
    .argument("<profile>", "profile that learn wrote")
    .option("--out <file>", "file to write (default: stdout)")
    .action(writeTypes);
}
