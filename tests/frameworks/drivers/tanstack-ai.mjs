import { toTanStackTools } from "@fleetwire/tools/tanstack-ai";
import { chat } from "@tanstack/ai";
import { openaiText } from "@tanstack/ai-openai";
import { drive } from "./drive.mjs";

drive((fleet, options) => {
  const { tools, middleware } = toTanStackTools(fleet, options);
  return async ({ prompt, decide, bare, asked, aborting }) => {
    const used = { tools, middleware: bare ? [] : [middleware] };
    const common = { adapter: openaiText("gpt-5"), ...used, abortController: aborting, threadId: "dispatch" };
    let messages = [{ role: "user", content: prompt }];
    let resumed = {};
    for (;;) {
      let finished;
      for await (const chunk of chat({ ...common, messages, ...resumed })) {
        if (chunk.type === "MESSAGES_SNAPSHOT") ({ messages } = chunk);
        if (chunk.type === "RUN_ERROR") throw new Error(chunk.message);
        if (chunk.type === "RUN_FINISHED") finished = chunk;
      }
      const interrupts = finished?.outcome?.interrupts ?? [];
      if (interrupts.length === 0) return;
      const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
      for (const { toolCallId } of interrupts) {
        const { function: called } = calls.find(({ id }) => id === toolCallId);
        asked.push((await fleet.byName.get(called.name).preview(JSON.parse(called.arguments))).text);
      }
      if (decide === "open") return;
      const payload = { approved: decide === "approve" };
      const resume = interrupts.map(({ id: interruptId }) => ({ interruptId, status: "resolved", payload }));
      resumed = { resume, parentRunId: finished.runId };
    }
  };
});
