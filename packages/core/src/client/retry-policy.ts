import { FleetError } from "../errors.ts";
import type { Operation } from "../operation.ts";
import type { CallOptions } from "./operation-method.ts";

/** Settings of calls in milliseconds and numbers of retries, the client's where a call has none of its own. */
export interface CallSettings {
  timeout: number;
  /** For all attempts and pauses of a call. */
  totalTimeout: number;
  retries: number;
}

const DEFAULT_TIMEOUT = 30_000;
const DEFAULT_RETRIES = 2;
// Room for the default number of attempts, each with its whole timeout.
const TIMEOUTS_IN_TOTAL = 3;

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;
/** The longest Retry-After that is waited for. */
const MAX_RETRY_DELAY = 60_000;
/** The longest that an error carries: a timer of more than 24 days would fire at once. */
const MAX_RETRY_AFTER = 86_400_000;

/** What is wrong with settings, a line each. */
export function settingProblems({ timeout, totalTimeout, retries }: Partial<Record<keyof CallSettings, number | undefined>>): string[] {
  return [
    ...(timeout === undefined || timeout > 0 ? [] : ["timeout must be a positive number of milliseconds"]),
    ...(totalTimeout === undefined || totalTimeout > 0 ? [] : ["totalTimeout must be a positive number of milliseconds"]),
    ...(retries === undefined || (Number.isInteger(retries) && retries >= 0) ? [] : ["retries must be a whole number, 0 or more"]),
  ];
}

/** Whether a value is what `AbortController` gives; one of another realm or a polyfill is as good. */
const isSignal = (value: unknown) => typeof (value as Partial<AbortSignal> | null)?.addEventListener === "function";

function optionProblems(options: CallOptions): string[] {
  if (typeof options !== "object" || options === null) return ["options must be an object"];
  return [...settingProblems(options), ...(options.signal == null || isSignal(options.signal) ? [] : ["signal must be an AbortSignal"])];
}

export function callSettings(operation: Operation, options: CallOptions, client: CallOptions): CallSettings {
  const problems = optionProblems(options);
  if (problems.length > 0) {
    throw new FleetError("input", `${operation.name}: ${problems.join("; ")}`, {
      operation: operation.name,
      advice: "Mend the call's options; nothing was sent",
    });
  }
  const timeout = options.timeout ?? client.timeout ?? DEFAULT_TIMEOUT;
  return {
    timeout,
    totalTimeout: options.totalTimeout ?? client.totalTimeout ?? timeout * TIMEOUTS_IN_TOTAL,
    retries: options.retries ?? client.retries ?? DEFAULT_RETRIES,
  };
}

/** Milliseconds that a Retry-After asks to wait, a day at most, in either of its forms: seconds, or a date. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const asked = askedFor(headers, now);
  return asked === undefined ? undefined : Math.min(asked, MAX_RETRY_AFTER);
}

function askedFor(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Dates without a letter would be misread numbers.
  const until = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  // By the service's own clock where it tells: ours may be wrong.
  const there = Date.parse(headers.get("date") ?? "");
  return Math.max(0, until - (Number.isNaN(there) ? now : there));
}

/** Whether another attempt may end differently: no connection, no answer in time, 408, 429, 5xx. */
export function mayPass({ code }: FleetError): boolean {
  return code === "network" || code === "timeout" || code === "rateLimited" || code === "upstream";
}

/**
 * Milliseconds before a retry, counted from 1: exponential backoff with full jitter, and never sooner than the service asks for. Undefined where it asks
 * for more than is waited.
 */
export function pauseBefore(retry: number, { retryAfter = 0 }: FleetError, random: () => number): number | undefined {
  if (retryAfter > MAX_RETRY_DELAY) return undefined;
  const backoff = random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (retry - 1));
  return Math.max(backoff, retryAfter);
}
