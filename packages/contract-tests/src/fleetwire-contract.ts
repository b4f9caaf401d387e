#!/usr/bin/env node
import { EXIT } from "./cli/exit-codes.ts";
import { createProgram } from "./cli/program.ts";

// A reader such as head may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  await createProgram().parseAsync();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`fleetwire-contract: ${message.replace(/\s*\n\s*/g, " ")}\n`);
  process.exitCode = EXIT.couldNotRun;
}
