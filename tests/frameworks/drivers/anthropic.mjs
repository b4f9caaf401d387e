import Anthropic from "@anthropic-ai/sdk";
import { ToolError } from "@anthropic-ai/sdk/lib/tools/ToolError";
import { toAnthropicTools } from "@fleetwire/tools/anthropic";
import { drive } from "./drive.mjs";

drive((fleet, options) => {
  const client = new Anthropic({ maxRetries: 0 });
  const tools = toAnthropicTools(fleet, { ToolError, ...options });
  return async ({ prompt, signal }) => {
    const messages = [{ role: "user", content: prompt }];
    await client.beta.messages.toolRunner({ model: "claude-sonnet-4-5", max_tokens: 1024, messages, tools }, { signal });
  };
});
