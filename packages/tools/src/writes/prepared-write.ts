import { FleetError } from "@fleetwire/core";
import type { PendingWrite } from "./approval.ts";
import { type BegunWrite, CONFIRMATION_MINUTES, type TokenProblem } from "./confirmation-token.ts";
import { lookUpAdvice } from "./lookup-advice.ts";
import { withLookUpOf } from "./send-write.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "./write-tool.ts";

const PROBLEMS: Record<TokenProblem, string> = {
  malformed: "the confirmation was not issued by this server",
  different:
    "the confirmation does not match: it is for other arguments, an earlier state of the fleet, or a server that has since stopped",
  expired: `the confirmation is older than ${CONFIRMATION_MINUTES} minutes`,
  used: "the confirmation was already used",
};

/** A write that is ready to be sent once it is approved. */
export interface PreparedWrite extends PendingWrite {
  input: Record<string, unknown>;
}

/**
 * Assigns the job number before anything is shown or sent: the number in the token, the one derived from the idempotency key, or a new one.
 * A repeated call with the same token or key therefore sends the same number.
 */
export function prepareWrite(
  tool: WriteTool,
  { input }: PlannedWrite,
  { settings, confirmationTokens, now }: ToolContext,
  { token, keyedNumber }: { token?: string | undefined; keyedNumber?: string | undefined } = {},
): PreparedWrite {
  const { idempotencyKey } = tool.operation;
  const hasNumber = idempotencyKey === undefined || input[idempotencyKey.field] !== undefined;
  const number =
    hasNumber || settings.jobNumbers === "service"
      ? undefined
      : token === undefined
        ? (keyedNumber ?? idempotencyKey.generate(new Date(now())))
        : confirmationTokens.jobNumberIn(token);
  const lacksKey = tool.effect === "create" && number === undefined && !hasNumber;
  return {
    input: idempotencyKey && number !== undefined ? { [idempotencyKey.field]: number, ...input } : input,
    number,
    approved: { tool: tool.name, input, number, lacksKey, issuedFor: "preview" },
  };
}

interface RedeemedToken {
  pending: PreparedWrite;
  /** Whether an earlier process may have sent it. */
  maybeSent: boolean;
  restore: () => Promise<void>;
}

/** Returns the job number in the caller's arguments. */
export function jobNumberFromArguments({ operation: { idempotencyKey } }: WriteTool, input: Record<string, unknown>): string | undefined {
  return idempotencyKey && (input[idempotencyKey.field] as string | undefined);
}

/**
 * Redeems a token; throws if it is not valid. If a job may have been created with it, the error names the job number to look for.
 */
export async function redeemToken(
  tool: WriteTool,
  plan: PlannedWrite,
  token: string,
  context: ToolContext,
  during?: BegunWrite,
): Promise<RedeemedToken> {
  const { confirmationTokens, now } = context;
  const pending = prepareWrite(tool, plan, context, { token });
  const issuedFor = context.reply ? "question" : "preview";
  const jobNumber = confirmationTokens.jobNumberIn(token) ?? jobNumberFromArguments(tool, plan.input);
  const { problem, isUnsent, restore } = await confirmationTokens
    .redeem(token, { ...pending.approved, issuedFor }, now(), during)
    .catch(withLookUpOf(tool, jobNumber, context));
  if (problem === undefined) return { pending, maybeSent: !isUnsent, restore };
  const again = "call again without confirmation, and show the user the new preview";
  if (problem === "used") {
    throw new FleetError("input", `${tool.name}: ${PROBLEMS[problem]}`, {
      jobNumber,
      advice: `Do not repeat it. ${lookUpAdvice(tool, jobNumber, context)} For another one, ${again}`,
    });
  }
  if (tool.effect !== "create" || isUnsent || problem === "malformed") {
    throw new FleetError("input", `${tool.name}: ${PROBLEMS[problem]}`, { advice: again.replace(/^c/, "C") });
  }
  const unverified = problem === "expired" || jobNumber === undefined ? "" : ", with a number that could not be verified";
  throw new FleetError(
    "unknownOutcome",
    `${tool.name}: ${PROBLEMS[problem]}; this call sent nothing, but an earlier call with this confirmation may have created the job${unverified}`,
    {
      jobNumber,
      advice: `${lookUpAdvice(tool, jobNumber, context)} If it is not there, ${again}`,
    },
  );
}
