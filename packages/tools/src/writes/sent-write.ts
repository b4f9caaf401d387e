import type { ToolResult } from "../results/tool-result.ts";

/** A completed write. */
export interface SentWrite {
  outcome: "created" | "inferred" | "updated";
  /** The number of the new job. */
  jobNumber?: string | undefined;
  /** The result, with additional sentences if needed. */
  result: (remarks?: readonly string[]) => ToolResult;
}
