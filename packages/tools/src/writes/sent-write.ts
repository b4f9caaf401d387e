import type { ToolResult } from "../results/tool-result.ts";

/** What became of a write. */
export interface SentWrite {
  outcome: "created" | "inferred" | "updated";
  /** The number of what was created. */
  jobNumber?: string | undefined;
  /** The result, with more sentences where something has to be said beside it. */
  result: (remarks?: readonly string[]) => ToolResult;
}
