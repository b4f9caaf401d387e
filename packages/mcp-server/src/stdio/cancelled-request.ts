import type { JSONRPCMessage, JSONRPCNotification, RequestId } from "@modelcontextprotocol/server";

/** The id of the request that a message cancels; undefined if it cancels none. */
export function cancelledRequest(message: JSONRPCMessage): RequestId | undefined {
  const { method, params } = message as Partial<JSONRPCNotification>;
  return method === "notifications/cancelled" ? (params?.["requestId"] as RequestId | undefined) : undefined;
}
