import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestId, ServerContext } from "@modelcontextprotocol/server";

/** Resolves to whether the response to a request was delivered, once it has been written or can no longer be. */
type DeliveryReport = (id: RequestId) => Promise<boolean>;

const reports = new AsyncLocalStorage<DeliveryReport>();

/** Reports for calls over HTTP, by the request that the SDK passes on. An async context would slow down every promise of every call. */
const deliveries = new WeakMap<Request, Promise<boolean>>();

/** Lets the calls in a request find out whether the response was delivered. */
export function reportDelivery(request: Request, delivered: Promise<boolean>): void {
  deliveries.set(request, delivered);
}

/** Passes a received message to the server. Calls started by the message find out from `report` whether their results were delivered. */
export function withDeliveryReport<Result>(report: DeliveryReport, receive: () => Result): Result {
  return reports.run(report, receive);
}

/**
 * Returns whether the result of a tool call reached its caller, as far as this process can tell. Use it at any time during the tool call, in its async
 * context. The promise resolves after the result has been returned, and never rejects.
 *
 * - stdio: true once stdout has accepted the whole line; false if stdout or the transport closed first, or the host cancelled the call.
 * - HTTP: true once the whole response has been passed to the socket; false if the socket closed first or the call was cancelled.
 * - Transports without reports (in-memory ones): resolves at once, to true unless the call is already cancelled.
 *
 * A result may still be lost on its way to the host or inside the host: true means "delivered", not "read".
 */
export function deliveryOf({ mcpReq, http }: ServerContext): Promise<boolean> {
  const delivery = http?.req && deliveries.get(http.req);
  if (delivery) return delivery;
  const report = reports.getStore();
  return report === undefined ? Promise.resolve(!mcpReq.signal.aborted) : report(mcpReq.id);
}
