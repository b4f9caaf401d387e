import type { ToolHooks } from "@fleetwire/tools";
import type { ServerContext } from "@modelcontextprotocol/server";

export interface ReceivedMessage {
  method: unknown;
  /** The name in its parameters, such as that of a tool. */
  name: string | undefined;
}

interface ReceivedRequest {
  /** Hooks for the calls in the request, used instead of the tools' own. */
  hooks: ToolHooks;
  /** Whether another server may have finished this call, since this one was paused. */
  wasPaused?: () => boolean;
  /** Who sent it, unlike any other caller of the server. */
  caller: string;
  /** The message; undefined for a batch. */
  message: ReceivedMessage | undefined;
}

/**
 * What is known about each HTTP request, keyed by the object that the SDK passes on: an async context would slow down every promise of every call.
 */
export const receivedRequests = new WeakMap<Request, ReceivedRequest>();

export const receivedFor = ({ http }: ServerContext): ReceivedRequest | undefined => http?.req && receivedRequests.get(http.req);
