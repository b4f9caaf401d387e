import { MCP_REMOTE, openMcpRemote, openSupergateway, SUPERGATEWAY } from "./bridges.ts";
import { CLAUDE_CODE, openClaudeCode } from "./claude-code.ts";
import { CODEX, openCodex } from "./codex.ts";
import { driven, type Opening, type Session } from "./session.ts";

/** How a host replies to questions: the test plays its user, it always cancels or declines, or it does not support elicitation. */
type Elicitation = "user" | "cancels" | "declines" | "none";
type Transport = "stdio" | "http";
/** The revision that a host is configured for or chooses itself. */
type Revision = Opening["revision"];

/** One combination of revision, transport and elicitation for a host. */
export interface Way {
  revision: Revision;
  transport: Transport;
  elicitation: Elicitation;
}

export interface Host {
  name: string;
  /** Pinned packages that npx installs; none if they are dependencies of this workspace. */
  packages?: readonly string[];
  ways: readonly Way[];
  /** Extra environment for its server over stdio. */
  env?: Readonly<Record<string, string>>;
  open(how: Opening): Promise<Session>;
}

/** `"older stdio user none"` is an older revision over stdio, with and without a user who can be asked. */
const ways = (...lines: readonly `${Revision} ${Transport} ${string}`[]): Way[] =>
  lines.flatMap((line) => {
    const [revision, transport, ...elicitations] = line.split(" ") as [Revision, Transport, ...Elicitation[]];
    return elicitations.map((elicitation) => ({ revision, transport, elicitation }));
  });

const TODAY_STDIO = "2026-07-28 stdio user none";
const TODAY_HTTP = "2026-07-28 http user none";
const OLDER_STDIO = "older stdio user none";
const OLDER_HTTP = "older http user none";
const OLDER_UNASKED = ways("older stdio none", "older http none");

const sdkV1 = (version: string, talks: readonly Way[]): Host => ({
  name: `MCP SDK ${version}`,
  ways: talks,
  open: driven({ driver: "sdk-v1", also: { sdk: `sdk-${version.split(".").slice(0, 2).join(".")}` } }),
});

interface Brought extends Omit<Host, "open"> {
  driver: string;
  packages: readonly string[];
  needsNode24?: boolean;
}

const installed = ({ driver, needsNode24 = false, ...host }: Brought): Host => ({
  ...host,
  open: driven({ driver, packages: host.packages, needsNode24 }),
});

/** The hosts, one row each. expected.ts has what each of them must see. */
export const HOSTS: readonly Host[] = [
  {
    name: "MCP client 2.4.0",
    ways: ways(TODAY_STDIO, TODAY_HTTP, OLDER_STDIO, OLDER_HTTP),
    open: driven({ driver: "sdk-v2" }),
  },
  sdkV1("1.32.2", ways(OLDER_STDIO, OLDER_HTTP)),
  sdkV1("1.20.2", ways(OLDER_STDIO, OLDER_HTTP)),
  sdkV1("1.10.2", OLDER_UNASKED),
  sdkV1("0.6.1", ways("older stdio none")),
  installed({
    name: "AI SDK 7",
    driver: "ai-sdk",
    packages: ["@ai-sdk/mcp@2.0.99", "ai@7.0.173", "zod@4.6.7"],
    needsNode24: true,
    // Supports only older revisions over stdio.
    ways: ways(OLDER_STDIO, TODAY_HTTP, OLDER_HTTP),
  }),
  installed({
    name: "Mastra MCP 2",
    driver: "mastra",
    packages: ["@mastra/mcp@2.0.0", "@mastra/core@1.71.0"],
    needsNode24: true,
    // Has no elicitation in older revisions.
    ways: [...ways(TODAY_STDIO, TODAY_HTTP), ...OLDER_UNASKED],
  }),
  installed({
    name: "Anthropic SDK 1.12",
    driver: "anthropic-sdk",
    packages: ["@anthropic-ai/sdk@1.12.0", "@modelcontextprotocol/client@2.4.0"],
    ways: [...ways("2026-07-28 stdio none", "2026-07-28 http none"), ...OLDER_UNASKED],
  }),
  installed({
    name: "OpenAI Agents 0.20",
    driver: "openai-agents",
    packages: ["@openai/agents@0.20.0", "zod@4.6.7"],
    ways: ways("2026-07-28 stdio none", "2026-07-28 http none"),
  }),
  installed({
    name: "LangChain MCP 1.1",
    driver: "langchain",
    packages: ["@langchain/mcp-adapters@1.1.4", "@langchain/core@1.4.0", "@langchain/langgraph@1.7.3"],
    ways: OLDER_UNASKED,
  }),
  installed({
    name: "Genkit MCP 1.42",
    driver: "genkit",
    packages: ["genkit@1.42.0", "@genkit-ai/mcp@1.42.0"],
    ways: OLDER_UNASKED,
  }),
  installed({
    name: "Google ADK 2",
    driver: "adk",
    packages: ["@google/adk@2.0.0", "@modelcontextprotocol/sdk@1.32.2"],
    ways: OLDER_UNASKED,
    // Starts a process per call, so confirmation tokens need a fixed key.
    env: { FLEET_SEAL_KEY: Buffer.alloc(32, 7).toString("base64") },
  }),
  // Each bridges a client of MCP SDK 1.32.2 to the other transport; the row names the server's.
  { name: "mcp-remote 0.15.1", packages: MCP_REMOTE, ways: ways("older http none"), open: openMcpRemote },
  { name: "supergateway 4.0.0", packages: SUPERGATEWAY, ways: ways("older stdio user none"), open: openSupergateway },
  {
    name: "Claude Code 2.1.330",
    packages: CLAUDE_CODE,
    ways: ways("2026-07-28 stdio user cancels", "2026-07-28 http user cancels"),
    open: openClaudeCode,
  },
  {
    name: "Codex 0.169.0",
    packages: CODEX,
    ways: ways("older stdio declines", "older http declines"),
    open: openCodex,
  },
];
