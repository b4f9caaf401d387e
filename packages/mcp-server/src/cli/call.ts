import { createInterface } from "node:readline/promises";
import { availableTools, toolAvailability, toolCalled } from "../available-tools.ts";
import { createLog } from "../log.ts";
import type { ToolQuestion } from "../results/tool-result.ts";
import { runTool } from "../run-tool.ts";
import type { Person } from "../tool.ts";
import { createToolContext } from "../tool-context.ts";
import type { CommandOptions } from "./environment.ts";
import { fail, forTerminal, print, printError, printFailure } from "./print.ts";
import { createFleet, EXIT_FAILED, EXIT_USAGE, open } from "./session.ts";

/** Puts a question to whoever sits at the terminal. */
async function askAtTerminal({ ask, state }: ToolQuestion): Promise<Person["reply"]> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const said = await terminal.question(`${forTerminal(ask)}\nSend it? [y/N] `);
  terminal.close();
  return { answer: /^y(es)?$/i.test(said.trim()) ? "yes" : "declined", state };
}

function parseArguments(name: string, json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? "{}");
  } catch {
    return fail(`the arguments of ${name} are not JSON, such as '{"query": "truck 12"}'`, EXIT_USAGE);
  }
}

/** Calls one tool and prints its answer. */
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
    // Whoever types a call is asked at a terminal.
    const canBeAsked = config.confirm === "auto" && process.stdin.isTTY === true && process.stderr.isTTY === true;
    const context = { ...createToolContext(createFleet(config, createLog(config.log)), config), person: { canBeAsked } };
    let result = await runTool(tool, args, context);
    if ("ask" in result) {
      const reply = await askAtTerminal(result);
      result = await runTool(tool, args, { ...context, person: { canBeAsked, ...(reply && { reply }) } });
    }
    if ("error" in result) printFailure(result);
    else if ("ask" in result) {
      printError(result.ask);
      process.exitCode = EXIT_FAILED;
    } else {
      print(asJson ? JSON.stringify(result.structured, null, 2) : result.text);
    }
  } finally {
    await close();
  }
}
