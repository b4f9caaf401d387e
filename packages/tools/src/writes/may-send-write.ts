import { checkedArguments } from "../arguments/checked-arguments.ts";
import type { Tool } from "./write-tool.ts";

/** Whether a call, once approved, sends a write: not a read, a dry run or a call whose arguments are invalid. Without arguments, whether any call may. */
export function maySendWrite(tool: Tool, args: unknown): boolean {
  if (tool.effect === "read") return false;
  if (args === undefined) return true;
  try {
    return checkedArguments(tool, args)["dryRun"] !== true;
  } catch {
    return false;
  }
}
