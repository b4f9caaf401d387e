import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scriptedProvider } from "../../frameworks/test/scripted-provider.ts";
import { installPackages, NOWHERE, run, type ServerAt } from "./programs.ts";
import { driven, type Opening, type Reply, type Session } from "./session.ts";

/** How a host replies to questions: the test plays its user, it always cancels or declines, or it does not support elicitation. */
type Elicitation = "user" | "cancels" | "declines" | "none";

/** One combination for a host; the revision is the one that it is configured for or chooses itself. */
export interface Way {
  revision: Opening["revision"];
  transport: "stdio" | "http";
  elicitation: Elicitation;
}

export interface Host {
  name: string;
  ways: readonly Way[];
  /** Extra environment for its server over stdio. */
  env?: Readonly<Record<string, string>>;
  open(how: Opening): Promise<Session>;
}

/** `"older stdio user none"` is an older revision over stdio, with and without a user who can be asked. */
const ways = (...lines: readonly `${Way["revision"]} ${Way["transport"]} ${string}`[]): Way[] =>
  lines.flatMap((line) => {
    const [revision, transport, ...elicitations] = line.split(" ") as [Way["revision"], Way["transport"], ...Elicitation[]];
    return elicitations.map((elicitation) => ({ revision, transport, elicitation }));
  });

const TODAY = ways("2026-07-28 stdio user none", "2026-07-28 http user none");
const TODAY_UNASKED = ways("2026-07-28 stdio none", "2026-07-28 http none");
const OLDER = ways("older stdio user none", "older http user none");
const OLDER_UNASKED = ways("older stdio none", "older http none");

const sdkV1 = (version: string, ways: readonly Way[]): Host => {
  const sdk = `sdk-${version.split(".").slice(0, 2).join(".")}`;
  return { name: `MCP SDK ${version}`, ways, open: driven({ client: "sdk-v1", sdk }) };
};

const installed = (client: string, needsNode24: boolean, packages: readonly string[], ways: readonly Way[], env = {}): Host => ({
  name: packages[0] ?? "",
  ways,
  env,
  open: driven({ client, packages, needsNode24 }),
});

const AI_SDK = ["@ai-sdk/mcp@2.0.99", "ai@7.0.173", "zod@4.6.7"];
export const CLAUDE_CODE = "@anthropic-ai/claude-code@2.1.330";
export const CODEX = "@openai/codex@0.169.0";

interface Agent {
  /** Its command for a prompt. */
  command(prompt: string): readonly string[];
  /** Its environment, given the model's origin. */
  env(origin: string): Readonly<Record<string, string>>;
  questions(): Promise<readonly string[]>;
  reply(reply: Reply): Promise<void>;
}

/** A host program that runs a model, which is scripted: each call is a run of its own. */
async function openAgent(
  packageName: string,
  { command, env, questions, reply }: Agent,
  folder: string,
  configure: (origin: string) => Promise<void>,
): Promise<Session> {
  const model = await scriptedProvider();
  await configure(model.origin);
  const bin = `${await installPackages([packageName])}/.bin`;
  return {
    reply,
    call: async (tool, args) => {
      const before = (await questions()).length;
      model.shown.length = 0;
      const [program = "", ...words] = command(`call ${tool} ${JSON.stringify(args)}`);
      const { output } = await run(`${bin}/${program}`, words, folder, { HOME: folder, ...NOWHERE, ...env(model.origin) });
      if (model.shown.length === 0) throw new Error(`${program} sent its model no result: ${output.slice(-1_500)}`);
      return { seen: model.shown.join("\n"), thrown: false, questions: (await questions()).slice(before) };
    },
    close: () => model.stop(),
  };
}

// The hook replies in place of a user at a terminal, and logs the questions.
const HOOK = `cat >> questions.jsonl; echo >> questions.jsonl; cat reply.json`;

/** Headless Claude Code. A hook replies to elicitation if enabled; else the host cancels. */
async function openClaudeCode({ server, elicits, folder }: Opening): Promise<Session> {
  const write = (name: string, content: object) => writeFile(join(folder, name), JSON.stringify(content));
  const reply = (hookReply: Reply) => write("reply.json", { hookSpecificOutput: { hookEventName: "Elicitation", ...hookReply } });
  const options =
    "--model claude-opus-4-5 --mcp-config mcp.json --strict-mcp-config --settings settings.json --allowedTools mcp__fleetwire";
  const agent: Agent = {
    reply,
    command: (prompt) => ["claude", "-p", prompt, ...options.split(" ")],
    env: (origin) => ({
      CLAUDE_CONFIG_DIR: join(folder, ".claude"),
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: "canary-key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      // Puts all tools into the request instead of behind tool search.
      ENABLE_TOOL_SEARCH: "false",
    }),
    questions: async () => {
      const lines = await readFile(join(folder, "questions.jsonl"), "utf8").catch(() => "");
      return lines.split("\n").flatMap((line) => (line === "" ? [] : [(JSON.parse(line) as { message: string }).message]));
    },
  };
  return openAgent(CLAUDE_CODE, agent, folder, async () => {
    await write("mcp.json", { mcpServers: { fleetwire: "url" in server ? { type: "http", ...server } : { type: "stdio", ...server } } });
    await write("settings.json", elicits ? { hooks: { Elicitation: [{ hooks: [{ type: "command", command: HOOK }] }] } } : {});
    await reply({ action: "cancel" });
  });
}

// JSON strings and lists of strings are valid TOML.
const serverTable = (server: ServerAt): string => {
  if ("url" in server) return `url = ${JSON.stringify(server.url)}`;
  const env = Object.entries(server.env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return `command = ${JSON.stringify(server.command)}\nargs = ${JSON.stringify(server.args)}\nenv = { ${env.join(", ")} }`;
};

const codexConfiguration = (origin: string, server: ServerAt): string => `model = "scripted"
model_provider = "loopback"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.loopback]
name = "loopback"
base_url = "${origin}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[mcp_servers.fleetwire]
${serverTable(server)}
# Otherwise the first request may be sent before the tools are loaded.
required = true
# Pre-approves calls in the host, so that only the server's question remains.
default_tools_approval_mode = "approve"
`;

/** `codex exec`. It declines every question. */
const openCodex = ({ server, folder }: Opening): Promise<Session> => {
  const agent: Agent = {
    command: (prompt) => ["codex", "exec", "--skip-git-repo-check", prompt],
    env: () => ({ CODEX_HOME: folder, LOOPBACK_KEY: "canary-key", RUST_LOG: "error" }),
    questions: async () => [],
    reply: async () => {},
  };
  return openAgent(CODEX, agent, folder, (origin) => writeFile(join(folder, "config.toml"), codexConfiguration(origin, server)));
};

export const SEAL_KEY = Buffer.alloc(32, 7).toString("base64");

/** The hosts, one row each. Some have no elicitation in older revisions or at all. */
export const HOSTS: readonly Host[] = [
  { name: "MCP client 2.4.0", ways: [...TODAY, ...OLDER], open: driven({ client: "sdk-v2" }) },
  sdkV1("1.32.2", OLDER),
  sdkV1("1.20.2", OLDER),
  sdkV1("1.10.2", OLDER_UNASKED),
  sdkV1("0.6.1", ways("older stdio none")),
  // Supports only older revisions over stdio.
  installed("ai-sdk", true, AI_SDK, [...OLDER, ...ways("2026-07-28 http user none")]),
  installed("mastra", true, ["@mastra/mcp@2.0.0", "@mastra/core@1.71.0"], [...TODAY, ...OLDER_UNASKED]),
  installed("anthropic", false, ["@anthropic-ai/sdk@1.12.0", "@modelcontextprotocol/client@2.4.0"], [...TODAY_UNASKED, ...OLDER_UNASKED]),
  installed("openai-agents", false, ["@openai/agents@0.20.0", "zod@4.6.7"], TODAY_UNASKED),
  installed("langchain", false, ["@langchain/mcp-adapters@1.1.4", "@langchain/core@1.4.0", "@langchain/langgraph@1.7.3"], OLDER_UNASKED),
  installed("genkit", false, ["@genkit-ai/mcp@1.42.0", "genkit@1.42.0"], OLDER_UNASKED),
  // Starts a process per call, so confirmation tokens need a fixed key.
  installed("adk", false, ["@google/adk@2.0.0", "@modelcontextprotocol/sdk@1.32.2"], OLDER_UNASKED, { FLEET_SEAL_KEY: SEAL_KEY }),
  { name: CLAUDE_CODE, ways: ways("2026-07-28 stdio user cancels", "2026-07-28 http user cancels"), open: openClaudeCode },
  { name: CODEX, ways: ways("older stdio declines", "older http declines"), open: openCodex },
];
