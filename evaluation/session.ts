import { createFleetClient } from "@fleetwire/core";
import { createLog, createServerFactory, serverConfigFromEnv } from "@fleetwire/mcp-server";
import { type CallToolResult, Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { ZONE } from "./days.ts";
import type { Question } from "./question.ts";
import { readWorld, startSandbox, WORLDS, type World, writeRecords } from "./world.ts";

/** A call as it is recorded. */
export interface Call {
  tool: string;
  arguments: Record<string, unknown>;
  /** Tokens of the result's text (o200k). */
  tokens: number;
  refused: boolean;
}

export interface Session {
  client: Client;
  /** Reads the world; before the first call, in the state in which the question is asked. */
  read(): Promise<World>;
  /** Makes a call and returns what a host would show its model. */
  call(tool: string, args: Record<string, unknown>): Promise<{ call: Call; text: string }>;
  close(): Promise<void>;
}

/** Connects an MCP client that cannot ask its user to a server over a fresh sandbox. */
export async function openSession({
  world = "november",
  setup = [],
  rules = [],
}: Pick<Question, "world" | "setup" | "rules">): Promise<Session> {
  const sandbox = startSandbox(world);
  const instant = Date.parse(WORLDS[world].now);
  const now = () => instant;
  await writeRecords(sandbox.env, setup, sandbox.fetch);
  const config = serverConfigFromEnv({ ...sandbox.env, FLEET_TIME_ZONE: ZONE, FLEET_LOG: "silent" });
  const fleet = createFleetClient({ ...config, fetch: sandbox.fetch, now });
  const factory = createServerFactory({ fleet, config, log: createLog(config.log), version: "0.0.0", now });
  const [here, there] = InMemoryTransport.createLinkedPair();
  serveStdio(factory, { transport: there });
  const client = new Client({ name: "exam", version: "0.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(here);
  for (const rule of rules) {
    const { record } = await attempt(client, "watch_fleet", rule);
    await attempt(client, "watch_fleet", { ...rule, confirmation: record?.["confirmation"] });
  }
  let lastConfirmation: unknown;
  return {
    client,
    read: () => readWorld(sandbox.env, instant, sandbox.fetch),
    async call(tool, args) {
      // A preview gets a new token each time it is replayed.
      const sent = "confirmation" in args && lastConfirmation ? { ...args, confirmation: lastConfirmation } : args;
      const { text, refused, record } = await attempt(client, tool, sent);
      lastConfirmation = record?.["confirmation"] ?? lastConfirmation;
      return { call: { tool, arguments: args, tokens: countTokens(text), refused }, text };
    },
    close: () => client.close(),
  };
}

async function attempt(client: Client, name: string, args: Record<string, unknown>) {
  try {
    const result: CallToolResult = await client.callTool({ name, arguments: args });
    const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    return { text, refused: result.isError === true, record: result.structuredContent as Record<string, unknown> | undefined };
  } catch (error) {
    // A protocol error, such as one for a tool that does not exist.
    return { text: error instanceof Error ? error.message : String(error), refused: true, record: undefined };
  }
}

/** What a host gives its model: instructions, and each tool's name, description and input schema. */
export async function toolsOf(client: Client) {
  const { tools } = await client.listTools();
  return {
    instructions: client.getInstructions(),
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  };
}
