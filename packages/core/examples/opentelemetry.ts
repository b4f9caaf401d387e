import type { CallHooks } from "@fleetwire/core";
import { type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";

/**
 * Returns hooks that create a client span for every request and add an event to the active span for every retry. The client spans are children of the span
 * that is active when you call the client: `createFleetClient({ ...config, ...tracedCalls(trace.getTracer("my-app")) })`.
 */
export function tracedCalls(tracer: Tracer): CallHooks {
  const open = new Map<string, Span>();
  return {
    onRequest({ operation, call, attempt, requestBytes }) {
      const attributes = { "http.request.body.size": requestBytes, "http.request.resend_count": attempt - 1 };
      open.set(`${call}/${attempt}`, tracer.startSpan(`fleet ${operation}`, { kind: SpanKind.CLIENT, attributes }));
    },
    onResponse({ call, attempt, status, failure, responseBytes }) {
      const span = open.get(`${call}/${attempt}`);
      open.delete(`${call}/${attempt}`);
      span?.setAttribute("http.response.body.size", responseBytes);
      if (status !== undefined) span?.setAttribute("http.response.status_code", status);
      if (failure !== undefined) span?.setAttribute("error.type", failure);
      if (failure !== undefined || (status ?? 0) >= 400) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    },
    onRetry({ operation, attempt, code, delay }) {
      trace
        .getActiveSpan()
        ?.addEvent("fleet retry", { "fleet.operation": operation, "fleet.attempt": attempt, "fleet.code": code, "fleet.delay_ms": delay });
    },
  };
}
