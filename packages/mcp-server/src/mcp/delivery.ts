import type { McpServer, RequestId, ServerContext } from "@modelcontextprotocol/server";
import { receivedFor } from "./received-requests.ts";

/** Resolves to whether the response to a request was delivered, once it has been written or can no longer be. */
export type DeliveryReport = (id: RequestId) => Promise<boolean>;

/** Delivery reports for calls over stdio, by the connection's server. */
const reports = new WeakMap<McpServer, DeliveryReport>();

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
export function deliveryOf(request: ServerContext, server: McpServer): Promise<boolean> {
  const delivered = receivedFor(request)?.delivered;
  if (delivered) return delivered;
  const report = reports.get(server);
  const { mcpReq } = request;
  return report === undefined ? Promise.resolve(!mcpReq.signal.aborted) : report(mcpReq.id);
}
