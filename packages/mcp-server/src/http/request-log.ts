import { parseTraceContext } from "@fleetwire/core";
import { traceIdOf } from "@fleetwire/core/internal";
import type { CallEvent, ToolHooks } from "@fleetwire/tools";
import { logWrite, type ServerLog } from "../log.ts";
import type { Metrics } from "./metrics.ts";

/** What the log says about a request. It contains no arguments or results, and no text that a caller can choose freely. */
interface RequestLine {
  requestId: string;
  /** The trace that the request belongs to (W3C Trace Context). */
  trace?: string;
  address?: string;
  customer?: string;
  tenant?: string;
  caller?: string;
  /** The JSON-RPC method. */
  method?: string;
  tool?: string;
  outcome?: CallEvent["outcome"];
  tokens?: number;
  /** Why the Host or Origin was rejected. */
  problem?: string;
  status?: number;
  ms?: number;
  /** Set if the caller disconnected before it had the whole response. */
  disconnected?: true;
}

export interface RequestRecord {
  line: RequestLine;
  /** When the request was received, on the clock of `performance.now`. */
  startedAt: number;
  /** Hooks for the calls in the request. */
  hooks: ToolHooks;
  /** Logs the request. */
  end: (status: number, complete: boolean) => void;
}

const ID = /^[\w.-]{1,64}$/;
const METHOD = /^[a-zA-Z/_]{1,48}$/;

/** A method as the log names it. */
export const loggedMethod = (method: unknown): string => (typeof method === "string" && METHOD.test(method) ? method : "other");

/** Starts the record of a request: one line in the log when it ends, and two for each write. */
export function recordRequest(request: Request, address: string | undefined, log: ServerLog, metrics: Metrics | undefined): RequestRecord {
  const startedAt = performance.now();
  const given = request.headers.get("x-request-id") ?? "";
  const context = parseTraceContext(request.headers.get("traceparent"));
  const trace = context && traceIdOf(context);
  const requestId = ID.test(given) ? given : crypto.randomUUID();
  const line: RequestLine = { requestId, ...(trace !== undefined && { trace }), ...(address !== undefined && { address }) };
  const who = () => ({ requestId, customer: line.customer, tenant: line.tenant, caller: line.caller });
  return {
    line,
    startedAt,
    hooks: {
      onCall: ({ tool, outcome, ms, tokens, trace: ofCall = trace }) => {
        Object.assign(line, { tool, outcome, tokens }, ofCall !== undefined && { trace: ofCall });
        metrics?.called(tool, outcome, ms);
      },
      // For audits: who requested a write, and what was sent.
      onWrite: (event) => logWrite(log, { ...who(), ...event }),
    },
    end: (status, complete) => {
      const ms = Math.round(performance.now() - startedAt);
      const { outcome = "ok" } = line;
      metrics?.responded(status, ms);
      const level = status >= 500 || (outcome !== "ok" && outcome !== "question") ? "warn" : "info";
      log[level]({ ...line, status, ms, ...(!complete && { disconnected: true }) }, "request");
    },
  };
}
