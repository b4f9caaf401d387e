import { createFleetClient } from "@fleetwire/core";
import { createLog, createServerFactory, serverConfigFromEnv } from "@fleetwire/mcp-server";
import { Client, type ElicitResult, InMemoryTransport } from "@modelcontextprotocol/client";
import { withoutSecrets } from "../src/fixtures/stand-ins.ts";

export interface Answer {
  isError?: boolean | undefined;
  text: string;
  structured: Record<string, unknown>;
}

export interface LinkedServer {
  client: Client;
  call(name: string, args: Record<string, unknown>): Promise<Answer>;
}

export interface Surroundings {
  fetch: typeof globalThis.fetch;
  now: number;
  callTimeout?: number;
  retries?: number;
  /** What the person replies to a question; without it the host cannot ask. */
  person?: (question: string) => ElicitResult;
}

/** The MCP server and a real client linked in one process, in front of a service that is in the process too, at a fixed time. */
export async function linkServer(
  env: Readonly<Record<string, string>>,
  { fetch, now, retries = 0, person, ...limits }: Surroundings,
): Promise<LinkedServer> {
  // Writes go out at once, unless a probe is about their approval.
  const config = serverConfigFromEnv({ FLEET_CONFIRM: "never", ...env });
  const fleet = createFleetClient({ ...config, fetch, retries, random: () => 0, now: () => now });
  const factory = createServerFactory({ fleet, config, log: createLog("silent"), version: "0.0.0", now: () => now, ...limits });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "fleetwire-contract", version: "0.0.0" }, { capabilities: person ? { elicitation: {} } : {} });
  if (person) client.setRequestHandler("elicitation/create", ({ params }) => person(params.message));
  await Promise.all([factory().connect(there), client.connect(here)]);
  return {
    client,
    call: async (name, args) => {
      const { isError, content, structuredContent = {} } = await client.callTool({ name, arguments: args });
      const text = (content as { text?: string }[]).map((part) => part.text ?? "").join("\n");
      // What a host gets has been JSON on its way.
      return JSON.parse(JSON.stringify({ isError, text: withoutSecrets(text), structured: structuredContent })) as Answer;
    },
  };
}
