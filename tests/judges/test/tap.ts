import { existsSync, readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServerAt } from "./fleet.ts";

const TAP = fileURLToPath(new URL("../drivers/tap.mjs", import.meta.url));

export interface Tapped {
  server: ServerAt;
  /** The revision of the host's last tool call, as seen by the server. */
  revision(): string | undefined;
  stop(): Promise<void>;
}

interface Message {
  method?: string;
  params?: { protocolVersion?: string; _meta?: Readonly<Record<string, unknown>> };
}

/** The current revision is in each request, an older one in the handshake. */
function revisionIn(messages: readonly Message[]): string | undefined {
  const call = messages.findLast(({ method }) => method === "tools/call");
  const named = call?.params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  return typeof named === "string" ? named : messages.findLast(({ method }) => method === "initialize")?.params?.protocolVersion;
}

function parsed(text: string): Message[] {
  return text.split("\n").flatMap((line) => {
    try {
      const message = JSON.parse(line) as Message | Message[];
      return Array.isArray(message) ? message : [message];
    } catch {
      return [];
    }
  });
}

function tapStdio({ command, args, env }: Exclude<ServerAt, { url: string }>, folder: string): Tapped {
  const file = join(folder, "messages.jsonl");
  return {
    server: { command, args: [TAP, file, ...args], env },
    revision: () => revisionIn(existsSync(file) ? parsed(readFileSync(file, "utf8")) : []),
    stop: async () => {},
  };
}

async function tapHttp(url: string): Promise<Tapped> {
  const messages: Message[] = [];
  const target = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    const options = { host: target.hostname, port: target.port, path: incoming.url, method: incoming.method };
    const onward = request({ ...options, headers: { ...incoming.headers, host: target.host } }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    let text = "";
    incoming.on("data", (chunk: Buffer) => (text += chunk));
    incoming.on("end", () => messages.push(...parsed(text)));
    incoming.pipe(onward);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => proxy.once("listening", resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    server: { url: `http://127.0.0.1:${port}${target.pathname}` },
    revision: () => revisionIn(messages),
    stop: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Listens to a host's messages, so that the matrix shows the actual revision. */
export const tap = async (server: ServerAt, folder: string): Promise<Tapped> =>
  "url" in server ? tapHttp(server.url) : tapStdio(server, folder);
