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
