import type { ToolResult } from "./tool-result.ts";

/** A completed write. */
export interface CompletedWrite {
  outcome: "created" | "inferred" | "updated";
  /** The number of the new job. */
  jobNumber?: string | undefined;
  /** Renders the result, with any additional sentences. */
  result: (remarks?: readonly string[]) => ToolResult;
}
