import { FleetError } from "../errors.ts";
import type { Operation } from "../operation.ts";
import type { CallOptions } from "./operation-method.ts";

/** Settings of one call, taken from its own options or else the client's. Times are in milliseconds. */
export interface CallSettings {
  timeout: number;
  /** For all attempts of a call and the delays between them. */
  totalTimeout: number;
  retries: number;
}

const DEFAULT_TIMEOUT = 30_000;
const DEFAULT_RETRIES = 2;
// Lets each attempt of a call with default retries use its full timeout.
const TIMEOUTS_IN_TOTAL = 3;

const FIRST_DELAY = 500;
/** The longest delay before a retry, unless Retry-After is longer. */
export const MAX_DELAY = 8_000;
/** The longest Retry-After that a call waits for; if it is longer, the call fails immediately. */
const MAX_RETRY_AFTER_WAIT = 60_000;
/** The longest Retry-After that an error reports: a timer of more than 24 days would fire immediately. */
const MAX_RETRY_AFTER = 86_400_000;

const isTime = (value: unknown) => typeof value === "number" && value > 0;

/** What is wrong with the settings, one entry per problem. */
export function settingProblems({ timeout, totalTimeout, retries }: Partial<Record<keyof CallSettings, number | undefined>>): string[] {
  return [
    ...(timeout === undefined || isTime(timeout) ? [] : ["timeout must be a positive number of milliseconds"]),
    ...(totalTimeout === undefined || isTime(totalTimeout) ? [] : ["totalTimeout must be a positive number of milliseconds"]),
    ...(retries === undefined || (Number.isInteger(retries) && retries >= 0) ? [] : ["retries must be a whole number, 0 or more"]),
  ];
}

/** Whether a value works as an AbortSignal, including one from another realm or a polyfill. */
const isSignal = (value: unknown): boolean => typeof (value as Partial<AbortSignal> | null)?.addEventListener === "function";

function optionProblems(options: CallOptions): string[] {
  if (typeof options !== "object" || options === null) return ["options must be an object"];
  return [...settingProblems(options), ...(options.signal == null || isSignal(options.signal) ? [] : ["signal must be an AbortSignal"])];
}

export function callSettings(operation: Operation, options: CallOptions, client: CallOptions): CallSettings {
  const problems = optionProblems(options);
  if (problems.length > 0) {
    throw new FleetError("input", `${operation.name}: ${problems.join("; ")}`, {
      operation: operation.name,
      advice: "Fix the call's options; nothing was sent",
    });
  }
  const timeout = options.timeout ?? client.timeout ?? DEFAULT_TIMEOUT;
  return {
    timeout,
    totalTimeout: options.totalTimeout ?? client.totalTimeout ?? timeout * TIMEOUTS_IN_TOTAL,
    retries: options.retries ?? client.retries ?? DEFAULT_RETRIES,
  };
}

/** Milliseconds to wait according to Retry-After, either seconds or a date; capped at one day. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const delay = parseRetryAfter(headers, now);
  return delay === undefined ? undefined : Math.min(delay, MAX_RETRY_AFTER);
}

function parseRetryAfter(headers: Headers, now: number): number | undefined {
  // A missing header becomes the word null, which is neither a number nor a date.
  const value = String(headers.get("retry-after")).trim();
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Date.parse would read a malformed number as a date, and the form that ends with the year, which is in UTC, as local time.
  const until = /[a-z]/i.test(value) ? Date.parse(value.replace(/ \d{4}$/, "$& GMT")) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  // Prefer the service's time if it sends a Date header: our clock may be wrong.
  const serverNow = Date.parse(String(headers.get("date")));
  return Math.max(0, until - (Number.isNaN(serverNow) ? now : serverNow));
}

/** Whether a retry may succeed: after a failed connection, a timeout, 408, 429 or 5xx. */
export function isTransient({ code }: Pick<FleetError, "code">): boolean {
  return code === "network" || code === "timeout" || code === "rateLimited" || code === "upstream";
}

/**
 * Milliseconds to wait before a retry, counted from 1: exponential backoff with full jitter, never less than Retry-After. Returns undefined if Retry-After
 * is too long to wait for.
 */
export function retryDelay(retry: number, { retryAfter = 0 }: FleetError, random: () => number): number | undefined {
  if (retryAfter > MAX_RETRY_AFTER_WAIT) return undefined;
  const backoff = random() * Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (retry - 1));
  return Math.max(backoff, retryAfter);
}
