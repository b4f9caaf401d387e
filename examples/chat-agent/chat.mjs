// A terminal chat about a fleet. It streams the answers, and shows every write in full before it is sent.
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { createSandbox } from "@fleetwire/sandbox";
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { toAiSdkTools } from "@fleetwire/tools/ai-sdk";
import { isStepCount, streamText } from "ai";
import { prepareConversation } from "./prepared.mjs";

/** The model in MODEL, such as openai/gpt-5. Its provider's package is `@ai-sdk/openai`, which reads its key from the environment. */
async function chosenModel() {
  const [provider, ...id] = process.env.MODEL.split("/");
  const { [provider]: models } = await import(`@ai-sdk/${provider}`);
  return models(id.join("/"));
}

async function liveConversation() {
  const terminal = createInterface({ input: stdin, output: stdout });
  const sandbox = process.env.FLEET_CUSTOMER_ID ? undefined : createSandbox();
  if (sandbox) console.log("FLEET_CUSTOMER_ID is not set: the fleet is made up.");
  const { env } = (await sandbox?.listen()) ?? process;
  return {
    model: await chosenModel(),
    fleet: createFleetTools(fleetToolsConfigFromEnv(env)),
    ask: (question) => terminal.question(question),
    end: async () => {
      terminal.close();
      await sandbox?.close();
    },
  };
}

if (!process.env.MODEL) console.log("MODEL is not set (such as openai/gpt-5): this is a prepared conversation about a made-up fleet.");
const { model, fleet, ask, end } = process.env.MODEL ? await liveConversation() : await prepareConversation();
const { tools, toolApproval } = toAiSdkTools(fleet);
const messages = [];

// A model may repeat control characters, which a terminal would obey.
const print = (text) => stdout.write(text.replace(/(?!\n)\p{Cc}/gu, ""));

async function answer() {
  const result = streamText({ model, instructions: fleet.instructions, messages, tools, toolApproval, stopWhen: isStepCount(10) });
  const requests = [];
  for await (const part of result.stream) {
    if (part.type === "text-delta") print(part.text);
    else if (part.type === "tool-call") print(`  ${part.toolName} ${JSON.stringify(part.input)}\n`);
    else if (part.type === "tool-approval-request") requests.push(part);
    else if (part.type === "error") throw part.error;
  }
  messages.push(...(await result.responseMessages));
  if (requests.length === 0) return print("\n");

  const responses = [];
  for (const { approvalId, reason } of requests) {
    print(`\n${reason}\n`);
    const approved = /^y(es)?$/i.test((await ask("Send it? [y/N] ")).trim());
    responses.push({ type: "tool-approval-response", approvalId, approved });
  }
  messages.push({ role: "tool", content: responses });
  await answer();
}

for (;;) {
  const question = await ask("\nYou: ");
  if (question.trim() === "") break;
  messages.push({ role: "user", content: question });
  await answer();
}
await fleet.writesSettled();
await end();
