import { FleetError } from "@fleetwire/core";
import { plainText } from "./cell.ts";
import type { ToolFailure } from "./tool-result.ts";

const LONGEST_MESSAGE = 600;

/** A failure as a model needs it: what happened, whether anything changed, what to do next. Never a stack, an address or a secret. */
export function toFailure(error: unknown): ToolFailure {
  if (!(error instanceof FleetError))
    return { error: "internal: Fleetwire failed; nothing more is known. Tell the person; do not repeat a write." };
  const { code, message, advice, jobNumber } = error;
  const change =
    code === "unknownOutcome" ? "Whether anything changed is not known." : jobNumber === undefined ? "" : "No job was created.";
  const number = jobNumber === undefined ? "" : `Job number used: ${jobNumber}.`;
  const next = advice === undefined ? "" : `Next: ${advice}.`;
  return {
    error: [`${code}: ${plainText(message, LONGEST_MESSAGE)}.`, change, number, plainText(next, LONGEST_MESSAGE * 2)]
      .filter((part) => part !== "")
      .join(" "),
  };
}
