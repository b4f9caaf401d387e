import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { TOKEN } from "./expected.ts";
import { overStdio } from "./fleet.ts";
import type { Reply } from "./session.ts";

interface Result {
  text: string;
  record: Readonly<Record<string, unknown>>;
  isError: boolean;
  /** Everything that a model may see. */
  seen: string;
}

export interface Direct {
  /** The questions to the user. */
  questions: string[];
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Result>;
  /** Makes a first call and returns the confirmation token from its preview. */
  token(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

interface Setup {
  env: Readonly<Record<string, string>>;
  /** The user's reply; without one the host does not support elicitation. */
  reply?: Reply;
}

/** The official client in the test's process, with its own server process. */
export async function direct({ env, reply }: Setup): Promise<Direct> {
  const questions: string[] = [];
  const client = new Client(
    { name: "test-host", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } }, capabilities: reply ? { elicitation: {} } : {} },
  );
  if (reply)
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      return reply as never;
    });
  const server = overStdio(env);
  if ("url" in server) throw new Error("direct clients support stdio only");
  await client.connect(new StdioClientTransport(server));
  const call = async (name: string, args: Readonly<Record<string, unknown>>): Promise<Result> => {
    const { content = [], structuredContent = {}, isError = false } = await client.callTool({ name, arguments: { ...args } });
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    return { text, record: structuredContent as Result["record"], isError, seen: `${text}\n${JSON.stringify(structuredContent)}` };
  };
  return {
    questions,
    close: () => client.close(),
    call,
    token: async (tool, args) => {
      const { seen } = await call(tool, args);
      const token = TOKEN.exec(seen)?.[0];
      if (token === undefined) throw new Error(`${tool} returned no confirmation token: ${seen.slice(0, 500)}`);
      return token;
    },
  };
}
