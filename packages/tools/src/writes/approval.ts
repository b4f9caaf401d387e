import { FleetError, previewRequest } from "@fleetwire/core";
import type { Reply, ToolQuestion, ToolResult } from "../model/tool.ts";
import { type ClipLimits, clipped, DEFAULT_LIMITS, TIGHT_LIMITS } from "../text/clip-values.ts";
import { resultTokens } from "../text/token-budget.ts";
import { visibleJson, visibleText, visibleValue } from "../text/visible-text.ts";
import { CONFIRMATION_MINUTES, type ConfirmationProblem, partsOf, type ShownWrite, type WasSent } from "./confirmations.ts";
import type { Hold } from "./hold.ts";
import { lookUpAdvice, numbered, numberedInput, ownJobNumber, withLookUpOf } from "./job-number.ts";
import type { ApprovedTool, PlannedWrite, PreviewLine, ToolContext, WriteTool } from "./write-tool.ts";

/**
 * Quotes a string and escapes its invisible characters. For strings whose beginning or end would not be visible, and for entries of a list,
 * which may contain the separator.
 */
const quoted = (text: string) => `"${visibleText(text).replaceAll('"', '\\"')}"`;

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => (typeof entry === "string" ? quoted(entry) : shown(entry))).join(", ");
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /^$|^[\s"]|\s$/.test(text) ? quoted(text) : visibleText(text);
}

const lineOf = (line: PreviewLine) => (typeof line === "string" ? visibleText(line) : `${line.field}: ${shown(line.value)}`);

/** The line without escapes, which is never longer than the one shown. */
function unescaped(line: PreviewLine): string {
  if (typeof line === "string") return line;
  const texts = (Array.isArray(line.value) ? line.value : [line.value]).filter((value) => typeof value === "string");
  return `${line.field}: ${texts.join("")}`;
}

/**
 * Returns everything that a write would send, one field per line. Nothing is shortened, because the user approves all of it. Code points
 * without a visible form are escaped, unless the preview would certainly be longer than `max` characters: then it throws.
 */
async function previewOf(tool: ApprovedTool, plan: PlannedWrite, max = Number.POSITIVE_INFINITY, more = ""): Promise<string[]> {
  const field = tool.operation?.idempotencyKey?.field;
  const lines = await plan.preview();
  const texts = lines.map(unescaped);
  if (texts.reduce((sum, { length }) => sum + length, 0) > max) throw tooLongToShow(tool, texts, more);
  const number = plan.number !== undefined && field ? [{ field, value: plan.number }] : [];
  return [`${tool.title}:`, ...lines, ...number].map(lineOf);
}

function tooLongToShow(tool: ApprovedTool, preview: readonly string[], more = ""): FleetError {
  const [longest = ""] = preview.toSorted((a, b) => b.length - a.length);
  const [field] = longest.split(":");
  return new FleetError("input", `${tool.name}: too long to show in full for approval, mostly because of ${field}; nothing was sent`, {
    advice: `Shorten ${field}${more}`,
  });
}

/** Returns the exact request and the preview of a write, without sending it. */
export async function dryRunResult(tool: WriteTool, plan: PlannedWrite, { settings }: ToolContext): Promise<ToolResult> {
  const { method, path, query, body } = previewRequest(tool.operation, numberedInput(tool, plan), settings.customerId);
  const parameters = new URLSearchParams(query).toString();
  const preview = await previewOf(tool, plan);
  const resultOf = (limits: ClipLimits | undefined): ToolResult => {
    const shown = limits === undefined ? { query, body } : { query: clipped(query, limits), body: clipped(body, limits) };
    const headline = `Dry run of ${tool.name}: the arguments are valid; nothing was sent.`;
    const shortened = "Shortened to fit FLEET_MAX_RESULT_TOKENS: long strings end in …, and lists are cut.";
    const note = [headline, ...(plan.unchecked ?? []), ...(limits ? [shortened] : [])].join(" ");
    const line = `${method} ${path}${parameters === "" || limits ? "" : `?${parameters}`}`;
    const lines = limits ? [] : preview;
    return {
      text: [note, line, visibleJson(shown.body), ...lines].join("\n"),
      structured: {
        result: "dryRun",
        request: { method, path, ...(visibleValue(shown) as object) },
        ...(lines.length > 0 && { preview: lines }),
        note,
      },
    };
  };
  const fits = (result: ToolResult) => resultTokens(result) <= settings.maxResultTokens;
  return [undefined, DEFAULT_LIMITS].map(resultOf).find(fits) ?? resultOf(TIGHT_LIMITS);
}

// Nobody would read a longer question before approving.
const MAX_QUESTION_LENGTH = 16_000;

const RAISE = ", or raise FLEET_MAX_RESULT_TOKENS";

function shownWrite(tool: ApprovedTool, { input, number }: PlannedWrite, shownAs: ShownWrite["shownAs"]): ShownWrite {
  const lacksKey = tool.effect === "create" && number === undefined && ownJobNumber(tool, input) === undefined;
  return { tool: tool.name, input, number, lacksKey, shownAs };
}

/** Returns a preview for callers that have their own approval; issues no confirmation. */
export async function previewResult(tool: ApprovedTool, plan: PlannedWrite): Promise<ToolResult> {
  const preview = await previewOf(tool, plan, MAX_QUESTION_LENGTH);
  const text = preview.join("\n");
  if (text.length > MAX_QUESTION_LENGTH) throw tooLongToShow(tool, preview);
  return { text, structured: { result: "preview", preview } };
}

/** Asks for approval: the user through the caller if it can ask, otherwise through the model. Nothing is sent unless exactly what is shown is approved. */
export async function askForApproval(
  tool: ApprovedTool,
  plan: PlannedWrite,
  wasSent: WasSent,
  context: ToolContext,
): Promise<ToolQuestion | ToolResult> {
  if (!context.canElicit) return confirmationNeeded(tool, plan, context);
  const { text } = await previewResult(tool, plan);
  const { writes, now } = context;
  return { ask: text, state: await writes.confirmations.issue(shownWrite(tool, plan, "question"), now(), wasSent === "maybe") };
}

/** Returns a preview with a confirmation to pass back. That proves which arguments were shown, not that a user agreed. */
async function confirmationNeeded(tool: ApprovedTool, plan: PlannedWrite, { writes, settings, now }: ToolContext): Promise<ToolResult> {
  const confirmation = await writes.confirmations.issue(shownWrite(tool, plan, "preview"), now());
  // A result has the preview twice, with four characters a token.
  const preview = await previewOf(tool, plan, settings.maxResultTokens * 2, RAISE);
  const unsent = "Nothing was sent: the user must approve.";
  const next = `Show the user this preview. If they agree, call ${tool.name} within ${CONFIRMATION_MINUTES} minutes with the same arguments and confirmation "${confirmation}".`;
  const result: ToolResult = {
    text: [unsent, ...preview, next].join("\n"),
    structured: { result: "confirmationNeeded", preview, confirmation, note: `${unsent} ${next}` },
  };
  if (resultTokens(result) > settings.maxResultTokens) throw tooLongToShow(tool, preview, RAISE);
  return result;
}

// No user can read and answer a question faster than this.
const MIN_USER_REPLY_MS = 500;

/** What the user did, and the next step for the model. */
const UNSENT = {
  declined: ["declined", "Do not call again unless they ask for it."],
  cancelled: ["cancelled the question", "Ask them whether they still want it before you call again."],
} as const;

const UNATTENDED =
  "Tell the user. If nobody can be asked, only the operator can allow writes without approval, by setting FLEET_CONFIRM=never.";

/**
 * The result if the user did not say yes: nothing was sent, and the question's state is now invalid. A reply too fast for a user is
 * reported as the host's.
 */
export async function unsentResult({ answer, state = "" }: Reply, { writes, now }: ToolContext): Promise<ToolResult> {
  const askedAt = partsOf(state)?.issuedAt ?? Number.NEGATIVE_INFINITY;
  await writes.confirmations.discard(state);
  const took = Math.max(0, now() - askedAt);
  const unsent = (note: string): ToolResult => ({ text: note, structured: { result: answer, note } });
  if (answer !== "declined" && answer !== "cancelled") {
    return unsent(`The host could not ask the user: nothing was sent. ${UNATTENDED}`);
  }
  const [did, next] = UNSENT[answer];
  if (took >= MIN_USER_REPLY_MS) return unsent(`The user ${did}: nothing was sent. ${next}`);
  return unsent(
    `The host ${did} after ${Math.round(took)} ms: nothing was sent. No user replies that fast, so the host probably asked nobody. ${UNATTENDED}`,
  );
}

const PROBLEMS: Record<ConfirmationProblem, string> = {
  malformed: "the confirmation was not issued by this server",
  different:
    "the confirmation does not match: it is for other arguments, an earlier state of the fleet, or a server that has since stopped",
  expired: `the confirmation is older than ${CONFIRMATION_MINUTES} minutes`,
  used: "the confirmation was already used",
};

/** Returns the plan that a confirmation approves; throws if it is not valid. If a job may have been created with it, the error names its number. */
export async function redeem(
  tool: ApprovedTool,
  unnumbered: PlannedWrite,
  token: string,
  context: ToolContext,
  hold?: Hold,
): Promise<{ plan: PlannedWrite; wasSent: WasSent }> {
  const plan = numbered(tool, unnumbered, context, { token });
  const jobNumber = partsOf(token)?.number ?? ownJobNumber(tool, plan.input);
  const { problem, wasSent } = await context.writes.confirmations
    .redeem(token, shownWrite(tool, plan, context.reply ? "question" : "preview"), context.now(), hold)
    .catch(withLookUpOf(tool, jobNumber, context));
  if (problem === undefined) return { plan, wasSent };
  const summary = `${tool.name}: ${PROBLEMS[problem]}`;
  const again = "call again without confirmation, and show the user the new preview";
  if (problem === "used") {
    throw new FleetError("input", summary, {
      jobNumber,
      advice: `Do not repeat it. ${lookUpAdvice(tool, jobNumber, context)} For another one, ${again}`,
    });
  }
  if (tool.effect !== "create" || wasSent !== "maybe") throw new FleetError("input", summary, { advice: again.replace(/^c/, "C") });
  const unverified = problem === "expired" || jobNumber === undefined ? "" : ", with a number that could not be verified";
  const doubt = `this call sent nothing, but an earlier call with this confirmation may have created the job${unverified}`;
  throw new FleetError("unknownOutcome", `${summary}; ${doubt}`, {
    jobNumber,
    advice: `${lookUpAdvice(tool, jobNumber, context)} If it is not there, ${again}`,
  });
}
