import { openai } from "@ai-sdk/openai";
import { toAiSdkTools } from "@fleetwire/tools/ai-sdk";
import { generateText, isStepCount } from "ai";
import { drive } from "./drive.mjs";

drive((fleet, options) => {
  const { tools, toolApproval } = toAiSdkTools(fleet, options);
  return async ({ prompt, decide, bare, asked, signal }) => {
    const messages = [{ role: "user", content: prompt }];
    for (;;) {
      const { content, responseMessages, steps } = await generateText({
        model: openai("gpt-5"),
        messages,
        tools,
        ...(!bare && { toolApproval }),
        stopWhen: isStepCount(3),
        abortSignal: signal,
        maxRetries: 0,
      });
      messages.push(...responseMessages);
      const requests = content.filter(({ type }) => type === "tool-approval-request");
      asked.push(...requests.map(({ reason }) => reason));
      if (requests.length === 0 && messages.length === 1 + responseMessages.length)
        return steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output.structured));
      if (requests.length === 0 || decide === "open") return undefined;
      messages.push({
        role: "tool",
        content: requests.map(({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved: decide === "approve" })),
      });
    }
  };
});
