import type { McpServer, RequestId, ServerContext } from "@modelcontextprotocol/server";

/** Resolves to whether the response to a request was delivered, once it has been written or can no longer be. */
export type DeliveryReport = (id: RequestId) => Promise<boolean>;

// An async context would slow down every promise of every call.
/** Reports for calls over stdio, by the server of the connection. */
const reports = new WeakMap<McpServer, DeliveryReport>();

/** Reports for calls over HTTP, by the request that the SDK passes on. */
const deliveries = new WeakMap<Request, Promise<boolean>>();

/** Lets the calls in a request find out whether the response was delivered. */
export function reportDelivery(request: Request, delivered: Promise<boolean>): void {
  deliveries.set(request, delivered);
}

/** Lets the calls of a connection, which has a server of its own, find out whether their results were delivered. */
export function reportDeliveries(server: McpServer, report: DeliveryReport): void {
  reports.set(server, report);
}

/**
 * Returns whether the result of a tool call reached its caller, as far as this process can tell. Use it at any time during the tool call. The promise
 * resolves after the result has been returned, and never rejects.
 *
 * - stdio: true once stdout has accepted the whole line; false if stdout or the transport closed first, or the host cancelled the call.
 * - HTTP: true once the whole response has been passed to the socket; false if the socket closed first or the call was cancelled.
 * - Transports without reports (in-memory ones): resolves at once, to true unless the call is already cancelled.
 *
 * A result may still be lost on its way to the host or inside the host: true means "delivered", not "read".
 */
export function deliveryOf({ mcpReq, http }: ServerContext, server: McpServer): Promise<boolean> {
  const delivery = http?.req && deliveries.get(http.req);
  if (delivery) return delivery;
  const report = reports.get(server);
  return report === undefined ? Promise.resolve(!mcpReq.signal.aborted) : report(mcpReq.id);
}
