import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Agent, type Dialect, openAgent } from "./model-host.ts";
import { installPackages } from "./npx-packages.ts";
import type { Opening, Reply, Session } from "./session.ts";

export const CLAUDE_CODE = ["@anthropic-ai/claude-code@2.1.330"];

interface Block {
  type: string;
  content?: string | { text?: string }[];
}

const nameOf = (tool: string) => `mcp__fleetwire__${tool}`;

/** The part of Anthropic's Messages API that this host uses. */
const messagesApi: Dialect = {
  path: "/v1/messages",
  isTurn: ({ tools }) => Array.isArray(tools) && tools.some(({ name }) => name === nameOf("create_job")),
  results: ({ messages }) => {
    const last = (messages as { content: string | Block[] }[]).at(-1)?.content;
    const blocks = Array.isArray(last) ? last.filter(({ type }) => type === "tool_result") : [];
    return blocks.map(({ content = "" }) => (typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("\n")));
  },
  turn: (call, { model, messages }) => {
    const id = (messages as unknown[]).length;
    const start = call ? { type: "tool_use", id: `toolu_${id}`, name: nameOf(call.tool), input: {} } : { type: "text", text: "" };
    const delta = call ? { type: "input_json_delta", partial_json: JSON.stringify(call.args) } : { type: "text_delta", text: "done" };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    return [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: start },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ];
  },
};

// The hook replies in place of a user at a terminal, and logs the questions.
const HOOK = `cat >> questions.jsonl; echo >> questions.jsonl; cat reply.json`;

const hookReply = ({ action, content }: Reply) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "Elicitation", action, ...(content !== undefined && { content }) } });

async function questionsIn(folder: string): Promise<string[]> {
  const lines = await readFile(join(folder, "questions.jsonl"), "utf8").catch(() => "");
  return lines.split("\n").flatMap((line) => (line === "" ? [] : [(JSON.parse(line) as { message: string }).message]));
}

/** Headless Claude Code with a scripted model. A hook replies to elicitation if enabled; else the host cancels. */
export async function openClaudeCode({ server, elicits, folder }: Opening): Promise<Session> {
  const files = {
    "mcp.json": { mcpServers: { fleetwire: "url" in server ? { type: "http", ...server } : { type: "stdio", ...server } } },
    "settings.json": elicits ? { hooks: { Elicitation: [{ hooks: [{ type: "command", command: HOOK }] }] } } : {},
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
  const reply = (next: Reply) => writeFile(join(folder, "reply.json"), hookReply(next));
  await reply({ action: "cancel" });
  const agent: Agent = {
    command: `${await installPackages(CLAUDE_CODE)}/.bin/claude`,
    args: ["-p", "go", "--model", "claude-opus-4-5", "--mcp-config", "mcp.json", "--strict-mcp-config"].concat([
      "--settings",
      "settings.json",
      "--allowedTools",
      "mcp__fleetwire",
    ]),
    env: (origin) => ({
      CLAUDE_CONFIG_DIR: join(folder, ".claude"),
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: "canary-key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
      // Puts all tools into the request instead of behind tool search.
      ENABLE_TOOL_SEARCH: "false",
    }),
  };
  return { ...(await openAgent(agent, messagesApi, folder, () => questionsIn(folder))), reply };
}
