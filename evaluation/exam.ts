import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { dynamicTool, gateway, generateText, jsonSchema, type LanguageModel, stepCountIs, type ToolSet } from "ai";
import { QUESTIONS } from "./questions/index.ts";
import { report } from "./report.ts";
import { type Call, openSession, toolsOf } from "./session.ts";
import { appendLines, check, type Transcript } from "./transcript.ts";
import { WORLDS } from "./world.ts";

const USAGE = `Asks a model every question and grades its answers. Set:
  EXAM_MODEL     the model's name, such as openai/gpt-5-mini for the AI Gateway
  EXAM_KEY       the provider's key; or AI_GATEWAY_API_KEY, for a model of any provider
  EXAM_BASE_URL  with EXAM_KEY: an OpenAI-compatible address, such as https://api.openai.com/v1
  EXAM_KINDS     only these kinds of questions, such as faults,work`;

function modelFrom({ EXAM_MODEL, EXAM_KEY, EXAM_BASE_URL, AI_GATEWAY_API_KEY }: NodeJS.ProcessEnv): LanguageModel | undefined {
  if (!EXAM_MODEL) return undefined;
  if (EXAM_KEY && EXAM_BASE_URL)
    return createOpenAICompatible({ name: "exam", baseURL: EXAM_BASE_URL, apiKey: EXAM_KEY }).chatModel(EXAM_MODEL);
  return AI_GATEWAY_API_KEY ? gateway(EXAM_MODEL) : undefined;
}

/** Everything that the model is given besides the question, as by a host. */
const system = (instructions: string | undefined, now: string) =>
  `You assist the dispatchers of a haulage company. Reply briefly, in the language of the question. It is ${now}; the user is in Berlin.\n\n${instructions ?? ""}`;

async function sit(model: LanguageModel, question: (typeof QUESTIONS)[number]): Promise<Transcript> {
  const session = await openSession(question);
  const calls: Call[] = [];
  const { instructions, tools } = await toolsOf(session.client);
  const offered: ToolSet = Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      dynamicTool({
        description: description ?? "",
        inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]),
        execute: async (input) => {
          const { call, text } = await session.call(name, input as Record<string, unknown>);
          calls.push(call);
          return text;
        },
      }),
    ]),
  );
  const { text } = await generateText({
    model,
    system: system(instructions, WORLDS[question.world ?? "november"].now),
    prompt: question.text,
    tools: offered,
    stopWhen: stepCountIs(10),
  });
  await session.close();
  return { question: question.id, calls, answer: text };
}

const model = modelFrom(process.env);
if (!model) {
  console.log(`No model is set, so there is nothing to examine.\n${USAGE}`);
} else {
  const kinds = process.env["EXAM_KINDS"]?.split(",");
  const graded: Transcript[] = [];
  for (const question of QUESTIONS.filter(({ kind }) => !kinds || kinds.includes(kind))) {
    const transcript = await sit(model, question);
    const { shown, wrong } = await check(transcript);
    graded.push({ ...transcript, shown, wrong });
    const { calls, answer = "" } = transcript;
    appendLines(".model", question.id, [{ restart: true }, ...calls.map((call) => ({ call })), { answer }, { grade: { shown, wrong } }]);
    console.error(`${wrong.length ? "wrong" : "right"} ${question.id}`);
  }
  console.log(report(graded));
}
// Servers keep reading the fleet for a while after a call.
process.exit(0);
