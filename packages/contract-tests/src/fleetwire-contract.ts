#!/usr/bin/env node
import { EXIT, printError } from "./cli/output.ts";
import { runProgram } from "./cli/program.ts";

// A reader such as head may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  printError(`stdout cannot be written: ${error.message}`);
  process.exit(EXIT.couldNotRun);
});

// What cannot be reported must not change the exit code.
process.stderr.on("error", () => {});

await runProgram(process.argv.slice(2));
