import { type Effect, FleetError } from "@fleetwire/core";
import { plainText } from "./cell.ts";
import { resultTokens, type ToolFailure } from "./tool-result.ts";

/** Characters of what was wrong and of the next step. */
const LONGEST = { message: 600, next: 1_200 };
/** Shares of them, the largest that fits; the last one is told in any budget. */
const SHARES = [1, 0.4];
const LEAST_SHARE = 0.1;

/** Whether a failed call changed anything, as core decided it; a read never does. */
function changeAfter({ code, changed }: FleetError, effect: Effect): string {
  if (effect === "read") return "";
  if (changed === "unknown") return "Whether anything changed is not known.";
  // An earlier call may have: the same one sent twice, for example.
  if (code === "input" || code === "config") return "This call sent nothing.";
  return effect === "create" ? "This call created no job." : "Nothing was changed.";
}

const ASK = "Tell the person what happened";

/** A failure as a model needs it: what happened, whether anything changed, what to do next. Never a stack, an address or a secret. */
export function toFailure(error: unknown, budget: number, effect: Effect = "read"): ToolFailure {
  if (!(error instanceof FleetError))
    return { error: "internal: Fleetwire failed; nothing more is known. Tell the person; do not repeat a write." };
  const { code, message, advice = ASK, jobNumber } = error;
  const change = changeAfter(error, effect);
  const number = jobNumber === undefined ? "" : `Job number used: ${plainText(jobNumber, 100)}.`;
  const written = (share: number): ToolFailure => {
    const what = `${code}: ${plainText(message, LONGEST.message * share)}.`;
    const next = `Next: ${plainText(advice, LONGEST.next * share).replace(/[^?.]$/, "$&.")}`;
    return { error: [what, change, number, next].filter((part) => part !== "").join(" ") };
  };
  return SHARES.map(written).find((failure) => resultTokens(failure) <= budget) ?? written(LEAST_SHARE);
}
