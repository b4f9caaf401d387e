import { FleetError } from "@fleetwire/core";
import { plainText } from "./cell.ts";
import { resultTokens, type ToolFailure } from "./tool-result.ts";

/** Characters of what was wrong, of the next step, and of a job's number, each cut further where the budget is small. */
const LONGEST = { message: 600, next: 1_200, number: 100 };
const SHARES = [1, 0.4, 0.1];

/** A failure as a model needs it: what happened, whether anything changed, what to do next. Never a stack, an address or a secret. */
export function toFailure(error: unknown, budget: number): ToolFailure {
  if (!(error instanceof FleetError))
    return { error: "internal: Fleetwire failed; nothing more is known. Tell the person; do not repeat a write." };
  const { code, message, advice, jobNumber } = error;
  const change =
    code === "unknownOutcome" ? "Whether anything changed is not known." : jobNumber === undefined ? "" : "No job was created.";
  const number = jobNumber === undefined ? "" : `Job number used: ${plainText(jobNumber, LONGEST.number)}.`;
  const written = SHARES.map((share): ToolFailure => {
    const what = `${code}: ${plainText(message, LONGEST.message * share)}.`;
    const next = advice === undefined ? "" : `Next: ${plainText(advice, LONGEST.next * share)}.`;
    return { error: [what, change, number, next].filter((part) => part !== "").join(" ") };
  });
  return written.find((failure) => resultTokens(failure) <= budget) ?? (written.at(-1) as ToolFailure);
}
