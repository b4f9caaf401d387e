import { createInterface } from "node:readline/promises";
import { forTerminal } from "@fleetwire/core/internal";
import { type Answer, createFleetTools, type Question, toolAvailability } from "@fleetwire/tools";
import { matchesName } from "@fleetwire/tools/host";
import { createLog, writeLogger } from "../log.ts";
import { createFleet, open } from "./create-fleet.ts";
import { EXIT_FAILED, EXIT_USAGE, fail, notify, print, printFailure } from "./print.ts";
import type { CommandOptions } from "./runtime.ts";

/** Asks the user at the terminal. End of input counts as a cancellation. */
async function askAtTerminal({ text }: Question): Promise<Answer> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  const reply = await Promise.race([terminal.question(`${forTerminal(text)}\nSend it? [y/N] `), closed]);
  terminal.close();
  if (reply === undefined) return "cancelled";
  return /^y(es)?$/i.test(reply.trim()) ? "yes" : "declined";
}

function parseArguments(name: string, json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? "{}");
  } catch {
    return fail(`the arguments of ${name} must be JSON, such as '{"query": "truck 12"}'`, EXIT_USAGE);
  }
}

/** Calls one tool and prints its result. */
export async function call(name: string, json: string | undefined, { json: asJson, ...options }: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  try {
    const log = createLog(config.log);
    // No timeout, since the user can interrupt the call.
    const callTimeout = Number.POSITIVE_INFINITY;
    const fleet = createFleetTools(config, {
      fleet: createFleet(config, log),
      callTimeout,
      gazetteer: () => import("@fleetwire/tools/gazetteer"),
      onWrite: writeLogger(log),
    });
    const tool = fleet.tools.find((candidate) => matchesName(candidate, name));
    if (!tool) {
      const known = toolAvailability(config).find((candidate) => matchesName(candidate.tool, name));
      const problem = known && !known.available ? `${name} is not available: ${known.reason}` : `there is no tool ${name}`;
      return fail(`${problem}; available: ${[...fleet.byName.keys()].join(", ")}`, EXIT_USAGE);
    }
    const args = parseArguments(name, json);
    const canElicit = process.stdin.isTTY === true && process.stderr.isTTY === true;
    const result = await tool.execute(args, { ...(canElicit && { elicitation: { ask: askAtTerminal } }) });
    if (!result.ok) return printFailure(result);
    print(asJson ? JSON.stringify(result.structured, null, 2) : result.text);
    // Scripts rely on the exit code, so a write that was not sent counts as a failure.
    const { result: ended } = result.structured;
    if (tool.effect !== "read" && ended !== undefined && ended !== "dryRun") process.exitCode = EXIT_FAILED;
    if (ended === "confirmationNeeded") notify("nothing was sent: run the command in a terminal to be asked, or set FLEET_CONFIRM=never");
  } finally {
    await close();
  }
}
