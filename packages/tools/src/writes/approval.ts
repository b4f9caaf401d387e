import { resultTokens } from "../results/budget.ts";
import type { ToolQuestion, ToolResult } from "../results/tool-result.ts";
import type { PlannedWrite, Reply, ToolContext, WriteTool } from "../tool.ts";
import { type ApprovedWrite, CONFIRMATION_MINUTES } from "./confirmation-token.ts";
import { previewOf, tooLongToShow } from "./write-preview.ts";

/** What is shown for approval, and what a confirmation token of it vouches for. */
export interface PendingWrite {
  /** The number that Fleetwire gave it. */
  number: string | undefined;
  approved: ApprovedWrite;
  /** Whether a process that has ended may have sent it. */
  maybeSent?: boolean;
}

// More than anyone reads before a yes.
const MAX_QUESTION_LENGTH = 16_000;

/** Asks the user through the caller; nothing is sent before a yes to exactly what was shown. */
export async function askUser(
  tool: WriteTool,
  plan: PlannedWrite,
  { number, approved, maybeSent }: PendingWrite,
  context: ToolContext,
): Promise<ToolQuestion> {
  const preview = await previewOf(tool, plan, number);
  const ask = preview.join("\n");
  if (ask.length > MAX_QUESTION_LENGTH) throw tooLongToShow(tool, preview, "");
  return { ask, state: await context.confirmationTokens.issue({ ...approved, of: "question" }, context.now(), maybeSent) };
}

/** What a write would send, for whoever asks on their own; no token comes with it. */
export async function previewResult(tool: WriteTool, plan: PlannedWrite, number: string | undefined): Promise<ToolResult> {
  const preview = await previewOf(tool, plan, number);
  const text = preview.join("\n");
  if (text.length > MAX_QUESTION_LENGTH) throw tooLongToShow(tool, preview, "");
  return { text, structured: { result: "preview", preview } };
}

/** The preview for a caller that cannot ask, and the token that has to come back with the call. It proves the arguments, not that a user agreed. */
export async function confirmationNeeded(
  tool: WriteTool,
  plan: PlannedWrite,
  { number, approved }: PendingWrite,
  context: ToolContext,
): Promise<ToolResult> {
  const confirmation = await context.confirmationTokens.issue({ ...approved, of: "preview" }, context.now());
  const preview = await previewOf(tool, plan, number);
  const unsent = "Nothing was sent: this needs the user's approval.";
  const next = `Show the user this preview. On their yes call ${tool.name} within ${CONFIRMATION_MINUTES} minutes with the same arguments and confirmation "${confirmation}".`;
  const result: ToolResult = {
    text: [unsent, ...preview, next].join("\n"),
    structured: { result: "confirmationNeeded", preview, confirmation, note: `${unsent} ${next}` },
  };
  if (resultTokens(result) > context.settings.maxResultTokens) throw tooLongToShow(tool, preview, ", or raise FLEET_MAX_RESULT_TOKENS");
  return result;
}

// Nobody reads a question and replies to it sooner.
const MIN_USER_REPLY_MS = 500;

/** Each has what happened, and the next step where a user replied. */
const UNSENT = {
  declined: ["declined", "Do not call again unless they ask for it."],
  cancelled: ["cancelled the question", "Ask them whether they still want it before you call again."],
} as const;

const UNATTENDED =
  "Tell the user. Where nobody can be asked, whoever configures Fleetwire decides with FLEET_CONFIRM=never whether writes are sent at once.";

/** A question that brought no yes: nothing was sent, and its token is dead. Whether a user said so or the host alone is text as far as it can be known. */
export function unsentResult({ answer, state = "" }: Reply, { confirmationTokens, now }: ToolContext): ToolResult {
  const askedAt = confirmationTokens.issuedAt(state) ?? Number.NEGATIVE_INFINITY;
  confirmationTokens.discard(state);
  const took = Math.max(0, now() - askedAt);
  const said = (note: string): ToolResult => ({ text: note, structured: { result: answer, note } });
  if (answer !== "declined" && answer !== "cancelled") {
    return said(`The host could not put the question to the user: nothing was sent. ${UNATTENDED}`);
  }
  const [did, next] = UNSENT[answer];
  if (took >= MIN_USER_REPLY_MS) return said(`The user ${did}: nothing was sent. ${next}`);
  return said(
    `The host ${did} after ${Math.round(took)} ms: nothing was sent. No user replies that fast, so the host seems to have asked nobody. ${UNATTENDED}`,
  );
}
