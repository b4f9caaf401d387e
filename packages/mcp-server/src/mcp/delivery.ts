import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestId, ServerContext } from "@modelcontextprotocol/server";

/** Settles once the response to a request was written or can no longer be written. */
type DeliveryReport = (id: RequestId) => Promise<boolean>;

const reports = new AsyncLocalStorage<DeliveryReport>();

/** Passes a received message to the server. Calls that it starts use `report` to learn whether their results were delivered. */
export function withDeliveryReport<Result>(report: DeliveryReport, receive: () => Result): Result {
  return reports.run(report, receive);
}

/**
 * Whether the result of a call reached its caller, as far as this process can see. Call it at any time during the call, from the call's async context. It
 * settles after the result was returned and never rejects.
 *
 * - stdio: true once stdout accepted the whole line; false if stdout or the transport closed first, or the host cancelled the call.
 * - HTTP: true once the whole response was passed to the socket; false if the socket closed first, or the call was cancelled.
 * - Transports without reports (in-memory ones): resolves at once, to true unless the call is already cancelled.
 *
 * A written result may still be lost on the way to the host or inside it: true means "delivered", never "read".
 */
export function deliveryOf({ mcpReq }: ServerContext): Promise<boolean> {
  const report = reports.getStore();
  return report === undefined ? Promise.resolve(!mcpReq.signal.aborted) : report(mcpReq.id);
}
