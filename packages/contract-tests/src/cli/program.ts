import { readFileSync } from "node:fs";
import { commandError } from "@fleetwire/core/internal";
import { Command } from "commander";
import { contractVariables } from "./connection.ts";
import { addCoverage } from "./coverage.ts";
import { addFuzz } from "./fuzz.ts";
import { addLearn } from "./learn.ts";
import { EXIT, say } from "./print.ts";
import { addRecord } from "./record.ts";
import { addReplay } from "./replay.ts";
import { addVerify } from "./verify.ts";

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };
  return manifest.version;
}

const CODES = `
Exit codes: 0 the contract holds, 1 the contract is broken, 2 the command could not run.`;

/** Prints an error on one line. */
export const printError = (message: string): void => say(`fleetwire-contract: ${commandError(message, contractVariables)}`);

/** The command line of `fleetwire-contract`. */
function createProgram(): Command {
  const program = new Command("fleetwire-contract")
    .description("Checks a fleet service, and everything built on its contract, against the contract.")
    .version(packageVersion())
    .configureHelp({ sortSubcommands: false })
    .configureOutput({ outputError: (text) => printError(text) })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.holds : EXIT.couldNotRun))
    .addHelpText("after", CODES);
  addRecord(program, packageVersion());
  addVerify(program, packageVersion());
  addFuzz(program, packageVersion());
  addLearn(program);
  addReplay(program);
  addCoverage(program);
  return program;
}

/** Runs `fleetwire-contract` with the arguments of a command line. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    printError(message);
    process.exitCode = EXIT.couldNotRun;
  }
}
