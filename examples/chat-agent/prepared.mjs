// Plays conversation.json: the user and the model follow the script, while the tools and the sandbox are real.
import { readFile } from "node:fs/promises";
import { createSandbox } from "@fleetwire/sandbox";
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const usage = { inputTokens: { total: 0, noCache: 0 }, outputTokens: { total: 0, text: 0 } };

function partsOf({ text, tool, args }, id) {
  const words = text?.match(/\S+\s*/g) ?? [];
  const said = [{ type: "text-start", id }, ...words.map((delta) => ({ type: "text-delta", id, delta })), { type: "text-end", id }];
  const called = { type: "tool-call", toolCallId: id, toolName: tool, input: JSON.stringify(args) };
  const unified = tool ? "tool-calls" : "stop";
  return [
    { type: "stream-start", warnings: [] },
    ...(tool ? [called] : said),
    { type: "finish", finishReason: { unified, raw: unified }, usage },
  ];
}

export async function prepareConversation() {
  const { at, turns } = JSON.parse(await readFile(new URL("conversation.json", import.meta.url), "utf8"));
  const now = () => Date.parse(at);
  const sandbox = createSandbox({ clock: now, start: now() });
  const { env } = await sandbox.listen();
  const next = (role) => (turns[0]?.[role] === undefined ? "" : turns.shift()[role]);
  let count = 0;
  const chunks = () => partsOf(next("model"), String(++count));
  return {
    model: new MockLanguageModelV4({
      doStream: async () => ({ stream: simulateReadableStream({ chunks: chunks(), chunkDelayInMs: 20 }) }),
    }),
    fleet: createFleetTools(fleetToolsConfigFromEnv({ ...env, FLEET_TIME_ZONE: "UTC" }), { now }),
    ask: async (question) => {
      const said = next("user");
      console.log(`${question}${said}`);
      return said;
    },
    end: () => sandbox.close(),
  };
}
