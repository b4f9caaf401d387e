import type { ApiError } from "./schemas/group.ts";

const MARKS = /["'`´«»‘-‟′-‷⹂❛-❞〝-〟＂＇]+/g;
const APOSTROPHE = /^['’`´‘]$/;

/**
 * Quotes text from the service between `“` and `”`. Anything inside that looks like a double quote becomes an apostrophe, so that the text cannot close the
 * quotation.
 */
export function quoted(text: string): string {
  return `“${text.replace(MARKS, (marks) => (APOSTROPHE.test(marks) ? marks : "'"))}”`;
}

/** All ways in which a call can fail. */
export const fleetErrorCodes = {
  input: "The input violates the contract; nothing was sent",
  unauthorized: "The service did not accept the credentials",
  forbidden: "These credentials are not allowed to do this",
  notFound: "There is nothing at this URL",
  rejected: "The service rejected the request",
  conflict: "The request conflicts with existing data",
  rateLimited: "Too many requests",
  timeout: "No complete response arrived in time",
  aborted: "The caller aborted the call",
  network: "The service could not be reached, or the connection broke",
  upstream: "The service failed",
  tooLarge: "The response exceeds maxResponseBytes",
  contract: "The response does not match the contract",
  unknownOutcome: "It is not known whether the change was made",
  config: "The configuration is incomplete or invalid",
} as const;

/** Identifies the kind of failure. */
export type FleetErrorCode = keyof typeof fleetErrorCodes;

/** Details of a failure. */
export interface FleetErrorDetails {
  /** The service's own message, on one line and without secrets. It may say anything: show it as a quotation, at the end of your own message. */
  quotation?: string | undefined;
  /** The operation that failed, such as `listLivePositions`. */
  operation?: string | undefined;
  /** HTTP status, if there was a response. */
  status?: number | undefined;
  /** The service's errors, always as a list (interface 2.2). Their wording is the service's own. */
  errors?: readonly ApiError[] | undefined;
  /** What to do next. Never contains text from the service. */
  advice?: string | undefined;
  /** The number that the failed job creation was sent with; reuse it to retry safely. */
  jobNumber?: string | undefined;
  /** Milliseconds to wait before trying again, if the service sent Retry-After. */
  retryAfter?: number | undefined;
  /** Whether the failed call may have changed any of the service's data; see {@link FleetError.changed}. */
  changed?: "no" | "unknown" | undefined;
}

/** The class of all errors. An error contains no request, header, secret or response body, and never a `cause`, which could contain them. */
export class FleetError extends Error implements FleetErrorDetails {
  /** Identifies the kind of failure. */
  readonly code: FleetErrorCode;
  /** What happened, without text from the service. `message` appends the service's own words as a quotation. */
  readonly summary: string;
  declare readonly quotation?: string;
  declare readonly operation?: string;
  declare readonly status?: number;
  readonly errors: readonly ApiError[];
  declare readonly advice?: string;
  declare readonly jobNumber?: string;
  declare readonly retryAfter?: number;
  /**
   * Whether the call may have changed any of the service's data. `no`: it was a read, nothing was sent, or the service rejected every request. `unknown`: an
   * update or a creation was sent, and no response rules out that it succeeded.
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

  /** All properties except the stack, for logs. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, summary, quotation, operation, status, errors, advice, jobNumber, retryAfter, changed } = this;
    return { name, code, message, summary, quotation, operation, status, errors, advice, jobNumber, retryAfter, changed };
  }
}

/** The message of an error and what to do about it, as sentences. */
export function withAdvice({ message, advice }: FleetError): string {
  if (!advice) return message;
  return `${message}${/[.?!]$/.test(message) ? "" : "."} ${advice}`;
}

/** Returns a copy of an error with some details replaced. */
export const withDetails = (error: FleetError, details: FleetErrorDetails): FleetError =>
  new FleetError(error.code, error.summary, { ...error, ...details });
