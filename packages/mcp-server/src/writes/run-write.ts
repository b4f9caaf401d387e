import { FleetError } from "@fleetwire/core";
import { plainText } from "../results/cell.ts";
import { largestFitting, type ToolFailure, type ToolQuestion, type ToolResult } from "../results/tool-result.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "../tool.ts";
import { dryRunResult } from "./dry-run.ts";
import { SEAL_MINUTES, type Sealed, type SealProblem } from "./seal.ts";

const PROBLEMS: Record<SealProblem, string> = {
  malformed: "the confirmation is not one that this server gave",
  "other arguments": "the confirmation does not fit: it is for other arguments, for the fleet as it was, or from a server that ended since",
  expired: `the confirmation is older than ${SEAL_MINUTES} minutes`,
  used: "the confirmation was used before",
};

// After any other failure something may have changed.
const NOTHING_CHANGED = new Set([
  "input",
  "config",
  "unauthorized",
  "forbidden",
  "notFound",
  "rejected",
  "conflict",
  "rateLimited",
  "network",
]);

/** What would be sent, and what a seal of it vouches for. */
interface Sealable {
  input: Record<string, unknown>;
  sealed: Sealed;
}

/** A new job gets its number before it is shown, or the one that comes back with the seal: a replay then carries the same one. */
function sealable(tool: WriteTool, { input }: PlannedWrite, { settings, sealer, now }: ToolContext, seal?: string): Sealable {
  const { numbering } = tool.operation;
  const numberedBefore = numbering === undefined || input[numbering.field] !== undefined;
  const number =
    numberedBefore || settings.jobNumbers === "service"
      ? undefined
      : seal === undefined
        ? numbering.newNumber(new Date(now()))
        : sealer.numberIn(seal);
  const unnumbered = tool.effect === "create" && number === undefined && !numberedBefore;
  return {
    input: numbering && number !== undefined ? { [numbering.field]: number, ...input } : input,
    sealed: { tool: tool.name, input, number, unnumbered },
  };
}

async function sendSealed(tool: WriteTool, plan: PlannedWrite, seal: string, context: ToolContext): Promise<ToolResult> {
  const { sealer, now } = context;
  const { input, sealed } = sealable(tool, plan, context, seal);
  const problem = sealer.problem(seal, sealed, now());
  if (problem !== undefined) {
    const look = sealed.number === undefined ? "" : `: look for job ${sealed.number}`;
    throw new FleetError("input", `${tool.name}: ${PROBLEMS[problem]}`, {
      advice:
        problem === "used"
          ? `Do not repeat it${look}; for another one call without confirmation`
          : "Call again without confirmation, and show the person the new preview",
    });
  }
  const takeBack = sealer.use(seal, now());
  try {
    return await tool.send(input, context, plan.unchecked);
  } catch (error) {
    if (error instanceof FleetError && NOTHING_CHANGED.has(error.code)) takeBack();
    throw error;
  }
}

// Room for the longest field that is shown, and for a dozen members of a group.
const LONGEST_LINE = 1_300;

async function previewOf(tool: WriteTool, plan: PlannedWrite, { sealed }: Sealable): Promise<string[]> {
  const lines = await plan.preview();
  const number = sealed.number === undefined ? [] : [`jobNumber: ${sealed.number}`];
  return [`${tool.title}:`, ...lines, ...number].map((line) => plainText(line, LONGEST_LINE));
}

const UNSENT = {
  declined: "The person declined: nothing was sent. Do not call again unless they ask for it.",
  cancelled: "The question was cancelled: nothing was sent. Ask the person whether they still want it before you call again.",
} as const;

/** Asks the person through the host, and goes on only on a yes to exactly what was shown. */
async function askPerson(tool: WriteTool, plan: PlannedWrite, context: ToolContext): Promise<ToolResult | ToolQuestion> {
  const { person, sealer, now } = context;
  const { answer, state } = person.reply ?? {};
  if (answer !== undefined && answer !== "yes") return { text: UNSENT[answer], structured: { result: answer } };
  if (answer === "yes" && state !== undefined) return sendSealed(tool, plan, state, context);
  const wanted = sealable(tool, plan, context);
  return { ask: (await previewOf(tool, plan, wanted)).join("\n"), state: sealer.seal(wanted.sealed, now()) };
}

/** Refuses, with a preview and a seal that has to come back with the call. It proves the arguments, not that a person agreed. */
async function refuseUnconfirmed(tool: WriteTool, plan: PlannedWrite, context: ToolContext): Promise<ToolFailure> {
  const { settings, sealer, now } = context;
  const wanted = sealable(tool, plan, context);
  const confirmation = sealer.seal(wanted.sealed, now());
  const preview = await previewOf(tool, plan, wanted);
  const refusalOf = (count: number): ToolFailure => {
    const left = preview.length - count;
    const shown = [...preview.slice(0, count), ...(left > 0 ? [`${left} more lines are left out for FLEET_MAX_RESULT_TOKENS.`] : [])];
    return {
      error: [
        `confirmation needed: FLEET_CONFIRM=always; nothing was sent.`,
        ...shown,
        `Next: show this to the person. On their yes call ${tool.name} within ${SEAL_MINUTES} minutes with the same arguments and confirmation "${confirmation}".`,
      ].join("\n"),
      structured: { result: "confirmationNeeded", preview: shown, confirmation },
    };
  };
  return largestFitting(preview.length, settings.maxResultTokens, refusalOf) ?? refusalOf(0);
}

/** Runs a write from checked arguments: only what FLEET_CONFIRM allows is sent. */
export async function runWrite(
  tool: WriteTool,
  { dryRun, confirmation, ...args }: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolResult | ToolFailure | ToolQuestion> {
  const { settings, person } = context;
  const plan = await tool.plan(args, context);
  if (dryRun === true) return dryRunResult(tool, sealable(tool, plan, context).input, context, plan.unchecked);
  if (settings.confirm === "never") return tool.send(plan.input, context, plan.unchecked);
  if (person.canBeAsked) return askPerson(tool, plan, context);
  if (settings.confirm === "auto") return tool.send(plan.input, context, plan.unchecked);
  return typeof confirmation === "string" ? sendSealed(tool, plan, confirmation, context) : refuseUnconfirmed(tool, plan, context);
}
