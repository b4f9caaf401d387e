import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Body = Readonly<Record<string, unknown>>;

export interface Call {
  id: string;
  name: string;
  args: Record<string, unknown>;
  /** Of the tool, where a host groups its tools. */
  namespace?: string;
}

/** A model's turn: tool calls, or text that ends the conversation. */
interface Turn {
  calls: Call[];
  text: string;
}

/** The conversation since the user's last message. */
interface Said {
  user: string;
  results: string[];
}

/** The format of a provider's API. */
interface Dialect {
  said(body: Body): Said;
  reply(turn: Turn): Body;
  /** The events of a streamed reply. */
  events(turn: Turn): Body[];
}

interface Entry {
  role?: string;
  type?: string;
  content?: unknown;
  output?: unknown;
  is_error?: boolean;
}

const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map((part) => (part as { text?: string }).text ?? "").join("\n")
      : "";

/** What follows the last message that asks for something: a host may add messages of its own to what its user says. */
function since(entries: readonly Entry[], result: (entry: Entry) => string[]): Said {
  const isUser = (entry: Entry) => entry.role === "user" && callsFor(textOf(entry.content)).length > 0;
  const at = entries.findLastIndex(isUser);
  return { user: textOf(entries[at]?.content), results: entries.slice(at + 1).flatMap(result) };
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, prompt_tokens: 1, completion_tokens: 1 };
const responsesUsage = { ...usage, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };

const items = ({ calls, text }: Turn) => {
  const status = "completed";
  const content = [{ type: "output_text", text, annotations: [], logprobs: [] }];
  if (calls.length === 0) return [{ type: "message", id: "msg_1", role: "assistant", status, content }];
  return calls.map(({ id, args, ...called }) => {
    return { type: "function_call", id: `fc_${id}`, call_id: id, ...called, arguments: JSON.stringify(args), status };
  });
};

const response = (turn: Turn, status: string) => {
  const common = { id: "resp_1", object: "response", created_at: 1, model: "gpt-5", status, error: null, incomplete_details: null };
  return status === "completed" ? { ...common, output: items(turn), usage: responsesUsage } : { ...common, output: [], usage: null };
};

function* itemEvents(turn: Turn): Generator<Body> {
  for (const [output_index, item] of items(turn).entries()) {
    const at = { output_index, item_id: item.id };
    if ("arguments" in item) {
      yield { type: "response.output_item.added", output_index, item: { ...item, arguments: "", status: "in_progress" } };
      yield { type: "response.function_call_arguments.delta", ...at, delta: item.arguments };
      yield { type: "response.function_call_arguments.done", ...at, arguments: item.arguments };
    } else {
      const part = { type: "output_text", text: "", annotations: [] };
      yield { type: "response.output_item.added", output_index, item: { ...item, content: [], status: "in_progress" } };
      yield { type: "response.content_part.added", ...at, content_index: 0, part };
      yield { type: "response.output_text.delta", ...at, content_index: 0, delta: turn.text, logprobs: [] };
      yield { type: "response.output_text.done", ...at, content_index: 0, text: turn.text, logprobs: [] };
      yield { type: "response.content_part.done", ...at, content_index: 0, part: { ...part, text: turn.text } };
    }
    yield { type: "response.output_item.done", output_index, item };
  }
}

/** OpenAI's Responses API. */
const responses: Dialect = {
  said: ({ input }) =>
    since(typeof input === "string" ? [{ role: "user", content: input }] : (input as Entry[]), ({ type, output }) =>
      type === "function_call_output" ? [textOf(output)] : [],
    ),
  reply: (turn) => response(turn, "completed"),
  events: (turn) =>
    [
      { type: "response.created", response: response(turn, "in_progress") },
      ...itemEvents(turn),
      { type: "response.completed", response: response(turn, "completed") },
    ].map((event, sequence_number) => ({ ...event, sequence_number })),
};

/** OpenAI's Chat Completions API, unstreamed. */
const completions: Dialect = {
  said: ({ messages }) => since(messages as Entry[], ({ role, content }) => (role === "tool" ? [textOf(content)] : [])),
  reply: ({ calls, text }) => {
    const called = calls.map(({ id, name, args }) => ({ id, type: "function", function: { name, arguments: JSON.stringify(args) } }));
    const message = { role: "assistant", content: calls.length > 0 ? null : text, ...(calls.length > 0 && { tool_calls: called }) };
    const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
    return { id: "c1", object: "chat.completion", created: 1, model: "gpt-5", choices: [{ index: 0, message, finish_reason }], usage };
  },
  events: () => [],
};

const blocks = ({ calls, text }: Turn): Body[] =>
  calls.length > 0 ? calls.map(({ args: input, ...call }) => ({ type: "tool_use", ...call, input })) : [{ type: "text", text }];

const envelope = (content: Body[], stop_reason: string | null) => ({
  ...{ id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5" },
  ...{ content, stop_reason, stop_sequence: null, usage },
});

const stopReason = ({ calls }: Turn) => (calls.length > 0 ? "tool_use" : "end_turn");

/** Anthropic's Messages API. */
const messages: Dialect = {
  said: (body) =>
    since(body["messages"] as Entry[], ({ content }) =>
      Array.isArray(content) ? (content as Entry[]).flatMap((part) => (part.type === "tool_result" ? [textOf(part.content)] : [])) : [],
    ),
  reply: (turn) => envelope(blocks(turn), stopReason(turn)),
  events: (turn) => [
    { type: "message_start", message: envelope([], null) },
    ...blocks(turn).flatMap(({ input, text, ...block }, index) => [
      { type: "content_block_start", index, content_block: { ...block, ...(input ? { input: {} } : { text: "" }) } },
      {
        type: "content_block_delta",
        index,
        delta: input ? { type: "input_json_delta", partial_json: JSON.stringify(input) } : { type: "text_delta", text },
      },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: stopReason(turn), stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ],
};

const DIALECTS: Readonly<Record<string, Dialect>> = {
  "/v1/responses": responses,
  "/v1/chat/completions": completions,
  "/v1/messages": messages,
};

function stream(to: ServerResponse, events: readonly Body[]): void {
  to.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) to.write(`event: ${event["type"]}\ndata: ${JSON.stringify(event)}\n\n`);
  to.end();
}

/**
 * The calls of a model that follows the prompt literally: a line `call NAME ARGUMENTS` for each call, or a question about where something
 * is. Calls get the same ids in every conversation, as with some providers.
 */
export function callsFor(user: string): Call[] {
  const lines = [...user.matchAll(/^call (\w+) (\{.*\})$/gm)].map(([, name = "", args = ""]) => ({ name, args: JSON.parse(args) }));
  const [, where] = /where is ([^?\n]+)\?/i.exec(user) ?? [];
  const calls = lines.length > 0 || where === undefined ? lines : [{ name: "locate_vehicle", args: { query: where } }];
  return calls.map((call, index) => ({ id: `call_${index}`, ...call }));
}

interface Offered {
  name?: string;
  function?: { name: string };
}

/** The call as a request offers its tool, whose name a host may prefix or put into a namespace; none if it does not. */
function offered({ tools = [] }: Body, call: Call): Call[] {
  for (const tool of tools as Offered[]) {
    const name = tool.function?.name ?? tool.name ?? "";
    if (name === "mcp__fleetwire") return [{ ...call, namespace: name }];
    if (name === call.name || name.endsWith(`__${call.name}`)) return [{ ...call, name }];
  }
  return [];
}

export interface ScriptedProvider {
  origin: string;
  env: Readonly<Record<string, string>>;
  /** The results of tools that reached the model, in order. */
  shown: string[];
  stop(): Promise<void>;
}

/** A model provider on loopback. Its model replies to tool results by repeating them. */
export async function scriptedProvider(): Promise<ScriptedProvider> {
  const shown: string[] = [];
  const server = createServer(async (request, to) => {
    const dialect = DIALECTS[request.url?.split("?")[0] ?? ""];
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    if (dialect === undefined || text === "") return void to.writeHead(request.method === "HEAD" ? 200 : 404).end("{}");
    const body = JSON.parse(text) as Body;
    const { user, results } = dialect.said(body);
    shown.push(...results);
    const turn: Turn =
      results.length > 0
        ? { calls: [], text: results.join("\n") }
        : { calls: callsFor(user).flatMap((call) => offered(body, call)), text: "" };
    if (body["stream"] === true) return stream(to, dialect.events(turn));
    to.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(dialect.reply(turn)));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    env: {
      OPENAI_API_KEY: "canary-key",
      OPENAI_BASE_URL: `${origin}/v1`,
      ANTHROPIC_API_KEY: "canary-key",
      ANTHROPIC_BASE_URL: origin,
    },
    shown,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
