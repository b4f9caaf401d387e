/** The trace that a call belongs to (W3C Trace Context). */
export interface TraceContext {
  /** Version 00: `00-{32 hex digits}-{16 hex digits}-{2 hex digits}`, in lower case; neither id may be all zeros. */
  traceparent: string;
  /** Data of the tracing systems: `key=value` entries, at most 32, with at most 512 characters in total. */
  tracestate?: string;
}

const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

const VALUE = String.raw`[ -+\--<>-~]{0,255}[!-+\--<>-~]`;
const ENTRY = new RegExp(String.raw`^[a-z\d][a-z\d_*/-]{0,240}(@[a-z][a-z\d_*/-]{0,13})?=${VALUE}$`);

const MAX_ENTRIES = 32;
const MAX_LENGTH = 512;

function isTracestate(value: unknown): value is string {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return false;
  const entries = value.split(/ *, */);
  return entries.length <= MAX_ENTRIES && entries.every((entry) => ENTRY.test(entry));
}

/**
 * Parses a trace context from untrusted values, such as headers. Returns undefined unless `traceparent` is well-formed. A malformed
 * `tracestate` is dropped, as W3C Trace Context requires.
 */
export function parseTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return undefined;
  return { traceparent, ...(isTracestate(tracestate) && { tracestate }) };
}

/** Returns the trace id, 32 hex digits, of a trace context from {@link parseTraceContext}. */
export const traceIdOf = ({ traceparent }: TraceContext): string => traceparent.slice(3, 35);
