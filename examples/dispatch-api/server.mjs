// A web route that answers questions about a fleet and streams the answers to a browser. It cannot change anything.

import { openai } from "@ai-sdk/openai";
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { toAiSdkTools } from "@fleetwire/tools/ai-sdk";
import { serve } from "@hono/node-server";
import { isStepCount, streamText } from "ai";
import { Hono } from "hono";

const MAX_QUESTION_LENGTH = 2_000;

const fleet = createFleetTools({ ...fleetToolsConfigFromEnv(process.env), readOnly: true });

const page = `<!doctype html>
<meta charset="utf-8">
<title>Dispatch</title>
<form><input name="question" size="60" required autofocus> <button>Ask</button></form>
<pre style="white-space: pre-wrap"></pre>
<script type="module">
  const [form, answer] = [document.querySelector("form"), document.querySelector("pre")];
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    answer.textContent = "";
    const { body } = await fetch("/ask", { method: "POST", body: new FormData(form).get("question") });
    for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      // Set as text, because the fleet's names and notes may contain markup.
      answer.textContent += value;
    }
  });
</script>`;

const app = new Hono();

app.get("/", (c) => c.html(page));

app.post("/ask", async (c) => {
  const question = await c.req.text();
  if (question.trim() === "" || question.length > MAX_QUESTION_LENGTH) return c.text("Ask a question of at most 2,000 characters.", 400);
  const result = streamText({
    model: openai("gpt-5"),
    instructions: fleet.instructions,
    prompt: question,
    tools: toAiSdkTools(fleet).tools,
    stopWhen: isStepCount(10),
    // Aborted when the browser disconnects, which also cancels requests to the fleet service.
    abortSignal: c.req.raw.signal,
    onError: ({ error }) => console.error(error),
  });
  return result.toTextStreamResponse();
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 8080) }, ({ port }) => {
  console.log(`Open http://127.0.0.1:${port}`);
});
