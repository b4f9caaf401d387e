import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { OperationName } from "@fleetwire/core";
import type { Fixture, Given } from "../fixtures/fixture.ts";
import { operationAt } from "../replay/request-path.ts";
import type { ProviderSandbox } from "./provider-sandbox.ts";
import { setUpState } from "./states.ts";

/** Where a verifier posts the provider state for its next request: `{"state": "...", "params": {...}}`. */
export const STATE_PATH = "/_state";

export interface ProviderServer {
  origin: string;
  close(): Promise<void>;
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message.setEncoding("utf8")) text += chunk;
  return text;
}

function bodyFrom(text: string, type: string): Pick<Fixture["request"], "body" | "text"> {
  if (text === "") return {};
  if (type.startsWith("application/x-www-form-urlencoded")) return { body: Object.fromEntries(new URLSearchParams(text)) };
  try {
    return { body: JSON.parse(text) };
  } catch {
    return { text };
  }
}

/**
 * Serves the sandbox, with the fixtures' ids and names, to a verifier that sends recorded requests itself. All paths share one origin, secrets
 * replace their placeholders, and the most recently posted state is set up before the next request.
 */
export async function startProvider(): Promise<ProviderServer> {
  let provider: Promise<ProviderSandbox> = setUpState("a fleet");
  const server = createServer(async (message, response) => {
    const text = await textOf(message);
    const url = new URL(message.url ?? "", "http://provider");
    const reply = (status: number, body: unknown, type = "application/json") => {
      response.writeHead(status, { "content-type": type });
      response.end(body === undefined ? "" : JSON.stringify(body));
    };
    try {
      if (url.pathname === STATE_PATH) {
        const { action, state, params } = JSON.parse(text) as Exclude<Given, string> & { action?: string };
        if (action !== "teardown") {
          provider = setUpState({ state, params });
          await provider;
        }
        return reply(200, {});
      }
      const operation = operationAt(message.method ?? "", url.pathname)?.name as OperationName | undefined;
      if (!operation) return reply(404, { errorMessage: "nothing is served at this path" });
      const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, [value].flat().join(", ")]));
      const forwarded = Object.fromEntries(
        Object.entries(headers).filter(([name]) => ["authorization", "x-connect-token", "content-type", "accept"].includes(name)),
      );
      const request = {
        method: message.method as Fixture["request"]["method"],
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: forwarded,
        ...bodyFrom(text, headers["content-type"] ?? ""),
      };
      const sent = await (await provider).send({ operation, request });
      return reply(sent.status, sent.body, sent.headers.get("content-type") ?? undefined);
    } catch (error) {
      return reply(500, { errorMessage: error instanceof Error ? error.message : String(error) });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
