import type { ToolQuestion, ToolResult } from "../model/tool-result.ts";
import { askUser, confirmationNeeded, previewResult, redeem, unsentResult } from "./approval.ts";
import type { LocalTool, ToolContext } from "./write-tool.ts";

/** Runs a tool that sends nothing to the service. As for a write, the first call changes nothing unless the user has approved it or FLEET_CONFIRM is `never`. */
export async function runLocal(
  tool: LocalTool,
  { confirmation, ...args }: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolResult | ToolQuestion> {
  const { settings, canElicit, reply, approved = false, previewOnly = false } = context;
  if (reply && reply.answer !== "yes") return unsentResult(reply, context);
  if (!tool.changes(args)) return tool.read(context);
  const { make, ...plan } = await tool.plan(args, context);
  if (previewOnly) return previewResult(tool, plan);
  const token = reply?.state ?? (typeof confirmation === "string" ? confirmation : undefined);
  const isApproved = approved || settings.confirm === "never";
  if (token !== undefined && (reply !== undefined || isApproved || !canElicit)) {
    await redeem(tool, plan, token, context);
    return make();
  }
  if (isApproved) return make();
  return canElicit ? askUser(tool, plan, "no", context) : confirmationNeeded(tool, plan, context);
}
