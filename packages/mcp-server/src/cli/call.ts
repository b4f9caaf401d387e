import { createInterface } from "node:readline/promises";
import type { Elicitation, ToolQuestion } from "@fleetwire/tools/host";
import { availableTools, createToolContext, runTool, toolAvailability, toolCalled } from "@fleetwire/tools/host";
import { createLog, writeLogger } from "../log.ts";
import type { CommandOptions } from "./environment.ts";
import { fail, forTerminal, notify, print, printError, printFailure } from "./print.ts";
import { createFleet, EXIT_FAILED, EXIT_USAGE, open } from "./session.ts";

/** Puts a question to whoever sits at the terminal; the end of the input is no reply. */
async function askAtTerminal({ ask, state }: ToolQuestion): Promise<Elicitation["reply"]> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  const said = await Promise.race([terminal.question(`${forTerminal(ask)}\nSend it? [y/N] `), closed]);
  terminal.close();
  if (said === undefined) return { answer: "cancelled", state };
  return { answer: /^y(es)?$/i.test(said.trim()) ? "yes" : "declined", state };
}

function parseArguments(name: string, json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? "{}");
  } catch {
    return fail(`the arguments of ${name} are not JSON, such as '{"query": "truck 12"}'`, EXIT_USAGE);
  }
}

/** Calls one tool and prints its result. */
export async function call(name: string, json: string | undefined, { json: asJson, ...options }: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  try {
    const available = availableTools(config);
    const tool = toolCalled(name, available);
    if (!tool) {
      const known = toolAvailability(config).find((candidate) => toolCalled(name, [candidate.tool]));
      const problem = known && !known.available ? `${name} is not available: ${known.why}` : `there is no tool ${name}`;
      return fail(`${problem}; available: ${available.map((candidate) => candidate.name).join(", ")}`, EXIT_USAGE);
    }
    const args = parseArguments(name, json);
    const log = createLog(config.log);
    const canElicit = process.stdin.isTTY === true && process.stderr.isTTY === true;
    const context = { ...createToolContext(createFleet(config, log), config), onWrite: writeLogger(log), elicitation: { canElicit } };
    let result = await runTool(tool, args, context);
    if ("ask" in result) {
      const reply = await askAtTerminal(result);
      result = await runTool(tool, args, { ...context, elicitation: { canElicit, ...(reply && { reply }) } });
    }
    if ("error" in result) return printFailure(result);
    if ("ask" in result) {
      printError(result.ask);
      process.exitCode = EXIT_FAILED;
      return;
    }
    print(asJson ? JSON.stringify(result.structured, null, 2) : result.text);
    // A write that did not happen has failed, for a script that goes on from its exit code.
    const { result: ended } = result.structured;
    if (tool.effect !== "read" && ended !== undefined && ended !== "dryRun") process.exitCode = EXIT_FAILED;
    if (ended === "confirmationNeeded") notify("nothing was sent: run it at a terminal to be asked, or with --confirm never");
  } finally {
    await close();
  }
}
