import { commandError } from "@fleetwire/core/internal";
import { Command } from "commander";
import { contractVariables } from "./connection.ts";
import { addFuzz } from "./fuzz.ts";
import { addLearn } from "./learn.ts";
import { EXIT, printError, VERSION } from "./output.ts";
import { addRecord } from "./record.ts";
import { addCoverage, addReplay } from "./replay.ts";
import { addVerify } from "./verify.ts";

const CODES = `
Exit codes: 0 the contract holds, 1 the contract is broken, 2 the command could not run.`;

/** Runs `fleetwire-contract` with the arguments of a command line. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = new Command("fleetwire-contract")
    .description("Checks a fleet service, and everything built on its contract, against the contract.")
    .version(VERSION)
    .configureHelp({ sortSubcommands: false })
    .configureOutput({ outputError: (text) => printError(commandError(text, contractVariables)) })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.holds : EXIT.couldNotRun))
    .addHelpText("after", CODES);
  for (const add of [addRecord, addVerify, addFuzz, addLearn, addReplay, addCoverage]) add(program);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    process.exitCode = EXIT.couldNotRun;
  }
}
