import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestId, ServerContext } from "@modelcontextprotocol/server";

/** Settles once the response to a request was written, or cannot be written any more. */
type DeliveryReport = (id: RequestId) => Promise<boolean>;

const reports = new AsyncLocalStorage<DeliveryReport>();

/** Hands what a transport received to the server; calls that follow from it ask `report` what became of their results. */
export function reportingDelivery<Result>(report: DeliveryReport, receive: () => Result): Result {
  return reports.run(report, receive);
}

/**
 * Whether the result of a call reached its caller, as far as this process can see. May be asked at any time during the call, from the call's own async
 * context; it settles after the result was returned, and never rejects.
 *
 * - stdio: true once stdout took the whole line; false where stdout or the transport closed before, or the host cancelled the call.
 * - HTTP: true once the whole response was handed to the socket; false where the socket closed before, or the call was cancelled.
 * - Transports that report nothing (in-memory ones): at once, true unless the call has been cancelled by then.
 *
 * What was written may still be lost on the way to the host or inside it: true is "was there", never "was read".
 */
export function deliveryOf({ mcpReq }: ServerContext): Promise<boolean> {
  const report = reports.getStore();
  return report === undefined ? Promise.resolve(!mcpReq.signal.aborted) : report(mcpReq.id);
}
