import { operations } from "@fleetwire/core";
import { derivedTool } from "./derived-tool.ts";

export const queryTachoActivity = derivedTool(operations.queryTachoActivity, {
  notes: ["The units of duration and distance are not documented."],
});
