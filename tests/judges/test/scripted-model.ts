import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ToolCall {
  tool: string;
  args: Readonly<Record<string, unknown>>;
}

type Body = Readonly<Record<string, unknown>>;
type Event = Readonly<{ type: string }> & Body;

/** The format of a model's API: its requests, and the events of a turn. */
export interface Dialect {
  path: string;
  /** Whether a request is a turn of the conversation; hosts also request titles and the like. */
  isTurn(body: Body): boolean;
  /** The tool results in the latest request. */
  results(body: Body): string[];
  /** A turn that calls a tool, or ends the conversation. */
  turn(call: ToolCall | undefined, body: Body): Event[];
}

export interface ScriptedModel {
  origin: string;
  /** Makes the model call a tool when the host is ready, and returns what the host sends it afterwards. */
  call(call: ToolCall): Promise<string>;
  stop(): Promise<void>;
}

interface Turn {
  body: Body;
  response: ServerResponse;
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return (text === "" ? {} : JSON.parse(text)) as Body;
}

function stream(response: ServerResponse, events: readonly Event[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

/** A model on loopback that the test controls turn by turn. */
export async function scriptedModel({ path, isTurn, results, turn }: Dialect): Promise<ScriptedModel> {
  const turns: Turn[] = [];
  const listeners: ((turn: Turn) => void)[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== "POST" || !request.url?.split("?")[0]?.endsWith(path)) {
      response.writeHead(request.method === "HEAD" ? 200 : 404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const body = await bodyOf(request);
    if (!isTurn(body)) {
      stream(response, turn(undefined, body));
      return;
    }
    const listener = listeners.shift();
    if (listener) listener({ body, response });
    else turns.push({ body, response });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const next = async (): Promise<Turn> => turns.shift() ?? (await new Promise<Turn>((resolve) => listeners.push(resolve)));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    call: async (call) => {
      const request = await next();
      stream(request.response, turn(call, request.body));
      const shown = await next();
      turns.unshift(shown);
      return results(shown.body).join("\n");
    },
    stop: async () => {
      for (const { response, body } of turns.splice(0)) stream(response, turn(undefined, body));
      server.closeIdleConnections();
      await new Promise((resolve) => {
        setTimeout(() => server.closeAllConnections(), 2_000).unref();
        server.close(resolve);
      });
    },
  };
}
