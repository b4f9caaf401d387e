#!/usr/bin/env node
import { runProgram } from "./cli/program.ts";

// A reader such as head may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

// What cannot be reported must not change the exit code.
process.stderr.on("error", () => {});

await runProgram(process.argv.slice(2));
