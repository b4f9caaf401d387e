import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerAt } from "./fleet.ts";
import { type Dialect, openAgent } from "./model-host.ts";
import { installPackages } from "./npx-packages.ts";
import type { Opening, Session } from "./session.ts";

export const CODEX = ["@openai/codex@0.169.0"];

interface Item {
  type: string;
  output?: string | { text?: string }[];
}

/** The part of OpenAI's Responses API that this host uses. */
const responsesApi: Dialect = {
  path: "/v1/responses",
  isTurn: ({ tools }) => Array.isArray(tools) && tools.some(({ name }) => name === "mcp__fleetwire"),
  results: ({ input }) => {
    const { type, output = "" } = (input as Item[]).at(-1) ?? { type: "" };
    if (type !== "function_call_output") return [];
    return [typeof output === "string" ? output : output.map(({ text }) => text ?? "").join("\n")];
  },
  turn: (call, { input }) => {
    const id = (input as unknown[]).length;
    const item = call
      ? {
          type: "function_call",
          id: `fc_${id}`,
          call_id: `call_${id}`,
          namespace: "mcp__fleetwire",
          name: call.tool,
          arguments: JSON.stringify(call.args),
        }
      : { type: "message", id: `msg_${id}`, role: "assistant", content: [{ type: "output_text", text: "done" }] };
    const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
    return [
      { type: "response.created", response: { id: `resp_${id}` } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: `resp_${id}`, usage } },
    ];
  },
};

// JSON strings and lists of strings are valid TOML.
const serverTable = (server: ServerAt): string[] =>
  "url" in server
    ? [`url = ${JSON.stringify(server.url)}`]
    : [
        `command = ${JSON.stringify(server.command)}`,
        `args = ${JSON.stringify(server.args)}`,
        `env = { ${Object.entries(server.env)
          .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
          .join(", ")} }`,
      ];

const configuration = (origin: string, server: ServerAt): string =>
  [
    'model = "scripted"',
    'model_provider = "loopback"',
    'approval_policy = "never"',
    'sandbox_mode = "danger-full-access"',
    "check_for_update_on_startup = false",
    "[analytics]",
    "enabled = false",
    "[model_providers.loopback]",
    'name = "loopback"',
    `base_url = "${origin}/v1"`,
    'wire_api = "responses"',
    'env_key = "LOOPBACK_KEY"',
    "request_max_retries = 0",
    "stream_max_retries = 0",
    "supports_websockets = false",
    "[mcp_servers.fleetwire]",
    ...serverTable(server),
    // Otherwise the first request may be sent before the tools are loaded.
    "required = true",
    // Pre-approves calls in the host, so that only the server's question remains.
    'default_tools_approval_mode = "approve"',
  ].join("\n");

/** `codex exec` with a scripted model. It declines every question. */
export async function openCodex({ server, folder }: Opening): Promise<Session> {
  const agent = {
    command: `${await installPackages(CODEX)}/.bin/codex`,
    args: ["exec", "--skip-git-repo-check", "go"],
    env: () => ({ CODEX_HOME: folder, LOOPBACK_KEY: "canary-key", RUST_LOG: "error" }),
    prepare: (origin: string) => writeFile(join(folder, "config.toml"), configuration(origin, server)),
  };
  return { ...(await openAgent(agent, responsesApi, folder, async () => [])), reply: async () => {} };
}
