import { quoted } from "./quotation.ts";
import type { ApiError } from "./schemas/api-error.ts";

/** Every way in which a call can fail; the list is closed. */
export const fleetErrorCodes = {
  input: "The input breaks a rule of the contract; nothing was sent",
  unauthorized: "The service did not accept the credentials",
  forbidden: "The credentials do not allow this",
  notFound: "There is nothing at this address",
  rejected: "The service refused the request as it was given",
  conflict: "The request clashes with what is there",
  rateLimited: "The service asks for fewer requests",
  timeout: "No complete answer came in time",
  aborted: "The caller ended the call",
  network: "The service could not be reached, or the connection broke",
  upstream: "The service failed",
  tooLarge: "The response is larger than the client may read at once",
  contract: "The answer is not what the contract says",
  unknownOutcome: "Whether the change was made is not known",
  config: "The configuration is incomplete or malformed",
} as const;

/** In which way a call failed. */
export type FleetErrorCode = keyof typeof fleetErrorCodes;

/** What is known of a failure beside its code and summary. */
export interface FleetErrorDetails {
  /** What the service said of it, without secrets and on one line. Not our words: show it as a quotation, with nothing of yours behind it. */
  quotation?: string | undefined;
  /** The operation that failed, such as `listLivePositions`. */
  operation?: string | undefined;
  /** HTTP status, where an answer came. */
  status?: number | undefined;
  /** What the service said, in one form whatever form it had (interface 2.2); its text is the service's own. */
  errors?: readonly ApiError[] | undefined;
  /** What to do next, in our words. */
  advice?: string | undefined;
  /** The number that the failed job creation carried, so that it can be tried again with the same one. */
  jobNumber?: string | undefined;
  /** Milliseconds after which the service asked to be tried again, where it did. */
  retryAfter?: number | undefined;
  /** Whether the failed call may have changed something at the service; see {@link FleetError.changed}. */
  changed?: "no" | "unknown" | undefined;
}

/**
 * The one error class. It holds no request, header, secret or response body, and never has a `cause`: a cause would carry them.
 */
export class FleetError extends Error implements FleetErrorDetails {
  /** In which way the call failed; the list of codes is closed. */
  readonly code: FleetErrorCode;
  /** What happened, in our words alone. `message` is this and then, marked as a quotation, what the service said. */
  readonly summary: string;
  declare readonly quotation?: string;
  declare readonly operation?: string;
  declare readonly status?: number;
  readonly errors: readonly ApiError[];
  declare readonly advice?: string;
  declare readonly jobNumber?: string;
  declare readonly retryAfter?: number;
  /**
   * Whether the call changed anything at the service: `no` where it certainly did not (a read, nothing sent, a refusal of everything that was sent),
   * `unknown` where a request of an update or a creation went out and no response rules it out.
   */
  readonly changed: "no" | "unknown";

  constructor(code: FleetErrorCode, summary: string, details: FleetErrorDetails = {}) {
    super(details.quotation === undefined ? summary : `${summary}. The service said: ${quoted(details.quotation)}`);
    this.name = "FleetError";
    this.code = code;
    this.summary = summary;
    if (details.quotation !== undefined) this.quotation = details.quotation;
    this.errors = details.errors ?? [];
    this.changed = details.changed ?? (code === "unknownOutcome" ? "unknown" : "no");
    if (details.operation !== undefined) this.operation = details.operation;
    if (details.status !== undefined) this.status = details.status;
    if (details.advice !== undefined) this.advice = details.advice;
    if (details.jobNumber !== undefined) this.jobNumber = details.jobNumber;
    if (details.retryAfter !== undefined) this.retryAfter = details.retryAfter;
  }

  /** All that the error holds but its stack, for logs. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, summary, quotation, operation, status, errors, advice, jobNumber, retryAfter, changed } = this;
    return { name, code, message, summary, quotation, operation, status, errors, advice, jobNumber, retryAfter, changed };
  }
}

/** The same error with some details replaced. */
export function withDetails(error: FleetError, details: FleetErrorDetails): FleetError {
  const { code, summary, quotation, operation, status, errors, advice, jobNumber, retryAfter, changed } = error;
  return new FleetError(code, summary, { quotation, operation, status, errors, advice, jobNumber, retryAfter, changed, ...details });
}
