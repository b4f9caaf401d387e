import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { type ServerName, serverNames } from "@fleetwire/core";
import { type Addresses, calledOperation } from "./called-operation.ts";
import type { SeenExchange } from "./learn.ts";

/** A larger body is forwarded but not learned from. */
const MAX_BODY_BYTES = 64_000_000;

/** Headers of one connection, which each side sets for its own. */
const OF_CONNECTION = new Set(["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"]);

const DECODERS: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  "": async (body) => body,
  identity: async (body) => body,
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Raw headers, in their order and spelling, without those of the connection. */
function forwarded(raw: readonly string[], without: readonly string[] = []): string[] {
  return raw.flatMap((name, at) => {
    const key = name.toLowerCase();
    return at % 2 === 1 || OF_CONNECTION.has(key) || without.includes(key) ? [] : [name, raw[at + 1] ?? ""];
  });
}

/** Passes a body on, and returns a copy unless it is too large. */
async function pass(from: IncomingMessage, to: NodeJS.WritableStream): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  from.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  });
  from.pipe(to);
  await once(from, "end");
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

export interface LearningProxy {
  /** The URL of each configured server at the proxy. */
  servers: { readonly [Name in ServerName]?: string };
  close(): Promise<void>;
}

/**
 * Starts a proxy on loopback that forwards each request to a configured server, which its first path segment names, and passes calls of known operations to
 * `onExchange`, or to `onIgnored` if they cannot be learned from. Headers and bodies are forwarded unchanged and not kept.
 */
export async function startLearningProxy(
  port: number,
  addresses: Addresses,
  onExchange: (exchange: SeenExchange) => void,
  onIgnored: (operation: string, problem: string) => void,
): Promise<LearningProxy> {
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const at = Date.now();
    const [, name = "", rest = ""] = /^\/(\w+)(\/.*)$/s.exec(incoming.url ?? "") ?? [];
    const server = serverNames.some((known) => known === name) ? addresses.servers[name as ServerName] : undefined;
    if (server === undefined) {
      outgoing.writeHead(404).end();
      return;
    }
    const target = new URL(server.replace(/\/+$/, "") + rest);
    const send = target.protocol === "https:" ? httpsRequest : httpRequest;
    const headers = ["Host", target.host, ...forwarded(incoming.rawHeaders, ["host"])];
    // A body of unknown length is sent in chunks, as it came.
    if (incoming.headers["transfer-encoding"] !== undefined) headers.push("Transfer-Encoding", "chunked");
    const request = send(target, { method: incoming.method, headers: headers as never, setHost: false });
    outgoing.on("close", () => void (outgoing.writableFinished || request.destroy()));
    // Either side may break off at any time; what fails is forwarded as a failure.
    request.on("error", () => {});
    const sent = pass(incoming, request);
    sent.catch(() => {});
    const [response] = (await once(request, "response")) as [IncomingMessage];
    outgoing.sendDate = false;
    outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, forwarded(response.rawHeaders) as never);
    const [requestBody, received] = await Promise.all([sent, pass(response, outgoing)]);
    const called = calledOperation(incoming.method ?? "", target.href, addresses);
    const decode = DECODERS[response.headers["content-encoding"] ?? ""];
    if (!called) return;
    const responseBody = await decode?.(received ?? Buffer.alloc(0), { maxOutputLength: MAX_BODY_BYTES }).catch(() => undefined);
    if (!requestBody || !received || !responseBody) {
      const problem = requestBody && received ? "its body cannot be decoded" : "its body is too large";
      onIgnored(called.operation, problem);
      return;
    }
    onExchange({
      called,
      query: target.searchParams,
      requestBody: requestBody.toString("utf8"),
      requestType: incoming.headers["content-type"] ?? "",
      status: response.statusCode ?? 0,
      responseBody: responseBody.toString("utf8"),
      at,
    });
  };
  const listener = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
  });
  listener.listen(port, "127.0.0.1");
  await once(listener, "listening");
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const configured = serverNames.filter((name) => addresses.servers[name] !== undefined);
  return {
    servers: Object.fromEntries(configured.map((name) => [name, `${origin}/${name}`])),
    close: async () => {
      listener.close();
      listener.closeAllConnections();
      await once(listener, "close");
    },
  };
}
