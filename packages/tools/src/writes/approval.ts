import type { Reply } from "../model/tool.ts";
import type { ToolQuestion, ToolResult } from "../model/tool-result.ts";
import { resultTokens } from "../text/token-budget.ts";
import { type ApprovedWrite, CONFIRMATION_MINUTES } from "./confirmation-token.ts";
import { previewOf, tooLongToShow } from "./write-preview.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "./write-tool.ts";

/** A write that is shown for approval and signed by a confirmation token. */
export interface PendingWrite {
  /** The job number generated for it. */
  number: string | undefined;
  approved: ApprovedWrite;
  /** Whether an earlier process may have sent it. */
  maybeSent?: boolean;
}

// Nobody would read a longer question before approving.
const MAX_QUESTION_LENGTH = 16_000;

const RAISE = ", or raise FLEET_MAX_RESULT_TOKENS";

/** Asks the user through the caller. Nothing is sent unless the user approves exactly what is shown. */
export async function askUser(
  tool: WriteTool,
  plan: PlannedWrite,
  { number, approved, maybeSent }: PendingWrite,
  context: ToolContext,
): Promise<ToolQuestion> {
  const preview = await previewOf(tool, plan, number, MAX_QUESTION_LENGTH);
  const ask = preview.join("\n");
  if (ask.length > MAX_QUESTION_LENGTH) throw tooLongToShow(tool, preview);
  return { ask, state: await context.confirmationTokens.issue({ ...approved, issuedFor: "question" }, context.now(), maybeSent) };
}

/** Returns a preview for callers that have their own approval; issues no token. */
export async function previewResult(tool: WriteTool, plan: PlannedWrite, number: string | undefined): Promise<ToolResult> {
  const preview = await previewOf(tool, plan, number, MAX_QUESTION_LENGTH);
  const text = preview.join("\n");
  if (text.length > MAX_QUESTION_LENGTH) throw tooLongToShow(tool, preview);
  return { text, structured: { result: "preview", preview } };
}

/**
 * Returns a preview for callers that cannot ask, with a token to pass back. The token proves which arguments were shown, not that a user
 * agreed.
 */
export async function confirmationNeeded(
  tool: WriteTool,
  plan: PlannedWrite,
  { number, approved }: PendingWrite,
  context: ToolContext,
): Promise<ToolResult> {
  const confirmation = await context.confirmationTokens.issue({ ...approved, issuedFor: "preview" }, context.now());
  // A result has the preview twice, with four characters a token.
  const preview = await previewOf(tool, plan, number, context.settings.maxResultTokens * 2, RAISE);
  const unsent = "Nothing was sent: the user must approve.";
  const next = `Show the user this preview. If they agree, call ${tool.name} within ${CONFIRMATION_MINUTES} minutes with the same arguments and confirmation "${confirmation}".`;
  const result: ToolResult = {
    text: [unsent, ...preview, next].join("\n"),
    structured: { result: "confirmationNeeded", preview, confirmation, note: `${unsent} ${next}` },
  };
  if (resultTokens(result) > context.settings.maxResultTokens) throw tooLongToShow(tool, preview, RAISE);
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
 * The result if the user did not say yes: nothing was sent, and the question's token is now invalid. A reply too fast for a user is
 * reported as the host's.
 */
export async function unsentResult({ answer, state = "" }: Reply, { confirmationTokens, now }: ToolContext): Promise<ToolResult> {
  const askedAt = confirmationTokens.issuedAt(state) ?? Number.NEGATIVE_INFINITY;
  await confirmationTokens.discard(state);
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
