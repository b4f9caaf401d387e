import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { TOKEN } from "./expected.ts";
import { overStdio } from "./fleet.ts";
import type { Reply } from "./session.ts";

interface Result {
  text: string;
  record: Readonly<Record<string, unknown>>;
  isError: boolean;
  /** All that a model may be shown. */
  seen: string;
}

export interface Direct {
  /** The questions that the user was asked. */
  asked: string[];
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Result>;
  /** Makes a first call, and returns the confirmation token that comes with its preview. */
  token(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

interface Setup {
  env: Readonly<Record<string, string>>;
  /** What the user replies; without it the host cannot ask. */
  reply?: Reply;
}

/** The official client beside the test, in front of a server process of its own. */
export async function direct({ env, reply }: Setup): Promise<Direct> {
  const asked: string[] = [];
  const client = new Client(
    { name: "judge", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } }, capabilities: reply ? { elicitation: {} } : {} },
  );
  if (reply)
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return reply as never;
    });
  const server = overStdio(env);
  if ("url" in server) throw new Error("direct clients speak over stdio");
  await client.connect(new StdioClientTransport(server));
  const call = async (name: string, args: Readonly<Record<string, unknown>>): Promise<Result> => {
    const { content = [], structuredContent = {}, isError = false } = await client.callTool({ name, arguments: { ...args } });
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    return { text, record: structuredContent as Result["record"], isError, seen: `${text}\n${JSON.stringify(structuredContent)}` };
  };
  return {
    asked,
    close: () => client.close(),
    call,
    token: async (tool, args) => {
      const { seen } = await call(tool, args);
      const token = TOKEN.exec(seen)?.[0];
      if (token === undefined) throw new Error(`no confirmation token came with ${tool}: ${seen.slice(0, 500)}`);
      return token;
    },
  };
}
