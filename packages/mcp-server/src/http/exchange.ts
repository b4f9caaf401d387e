import type { IncomingMessage, ServerResponse } from "node:http";
import type { TrustedProxies } from "./trusted-proxies.ts";

/** What the transport knows about a request, besides its content. */
export interface Exchange {
  /** Resolves, when the response ends, to whether it was written in full while the caller was connected. */
  written: Promise<boolean>;
  /** Every Host header, as received. */
  hosts: readonly string[];
  /** The request target, as received. */
  target: string;
  /** The caller's address, as far as trusted proxies report it. */
  address?: string | undefined;
  /** Whether a trusted proxy forwarded the request. */
  proxied: boolean;
}

/** Describes a request that Node's HTTP server has received. */
export function nodeExchange(incoming: IncomingMessage, outgoing: ServerResponse, proxies: TrustedProxies): Exchange {
  const written = new Promise<boolean>((resolve) => {
    if (outgoing.destroyed) resolve(false);
    let isComplete = false;
    outgoing.once("finish", () => {
      // A connection that is closed during the last write finishes too.
      isComplete = !incoming.socket.destroyed;
    });
    outgoing.once("close", () => resolve(isComplete));
  });
  const forwarded = incoming.headersDistinct["x-forwarded-for"]?.join(",");
  return {
    written,
    hosts: incoming.headersDistinct["host"] ?? [],
    target: incoming.url ?? "",
    ...proxies.callerOf(incoming.socket.remoteAddress, forwarded),
  };
}

/**
 * Describes a request received by a server that follows the Fetch standard, and watches how its response ends: it counts as delivered once the server has
 * read all of it, since the program cannot know more.
 */
export function webExchange(request: Request): { exchange: Exchange; observe: (response: Response) => Response } {
  let end = (_: boolean) => {};
  const written = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  request.signal.addEventListener("abort", () => end(false), { once: true });
  if (request.signal.aborted) end(false);
  const { host, pathname, search } = new URL(request.url);
  return {
    exchange: { written, hosts: [request.headers.get("host") ?? host], target: pathname + search, proxied: false },
    observe: (response) => {
      if (response.body === null) {
        end(true);
        return response;
      }
      const reader = response.body.getReader();
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { done, value } = await reader.read();
          if (value !== undefined) controller.enqueue(value);
          if (!done) return;
          controller.close();
          end(true);
        },
        cancel: async (reason) => {
          end(false);
          await reader.cancel(reason);
        },
      });
      return new Response(body, { status: response.status, headers: response.headers });
    },
  };
}
