import type { HttpLimits } from "./limits.ts";
import { busy, type Refusal } from "./refusal.ts";

/** What one caller, or all callers of one customer, may use at a time. */
export interface CallerLimits {
  /** Counts a request towards the caller's rate. Returns the refusal for one that exceeds it. */
  arrive: (caller: string) => Promise<Refusal | undefined>;
  /** Takes a slot of the caller and of its customer. Returns the refusal if either has none left, otherwise a function that releases the slots. */
  enter: (caller: string, customer: string) => Refusal | (() => void);
}

/** Counts callers' requests across all replicas. */
export interface SharedRate {
  /** Adds a request. Returns the number of the caller's requests in the current minute, and how many milliseconds of it are left. */
  count: (caller: string) => Promise<{ count: number; left: number }>;
}

const MINUTE = 60_000;

/** Far more callers than one process serves in a minute. */
const MAX_REMEMBERED = 10_000;

/** Slots by name. */
function slots(limit: number) {
  const taken = new Map<string, number>();
  return {
    isFull: (name: string) => (taken.get(name) ?? 0) >= limit,
    take: (name: string) => void taken.set(name, (taken.get(name) ?? 0) + 1),
    free: (name: string) => {
      const left = (taken.get(name) ?? 0) - 1;
      if (left > 0) taken.set(name, left);
      else taken.delete(name);
    },
  };
}

/** Limits in this process. The rate is counted across all replicas if they share it, or in this process while that fails. */
export function callerLimits(limits: HttpLimits, shared?: SharedRate): CallerLimits {
  const { requestsPerCaller, requestsPerCustomer, callerRate } = limits;
  const tooMany = (milliseconds: number): Refusal => {
    const seconds = Math.ceil(milliseconds / 1_000);
    const message = `You may send ${callerRate} requests a minute; try again in ${seconds} s`;
    return { status: 429, message, headers: { "retry-after": String(seconds) } };
  };
  const [callers, customers] = [slots(requestsPerCaller), slots(requestsPerCustomer)];
  // A token bucket for each: the number of requests left, and as of when.
  const buckets = new Map<string, { left: number; asOf: number }>();
  return {
    arrive: async (caller) => {
      if (callerRate === Number.POSITIVE_INFINITY) return undefined;
      const counted = await shared?.count(caller).catch(() => undefined);
      if (counted) return counted.count > callerRate ? tooMany(counted.left) : undefined;
      const time = performance.now();
      const known = buckets.get(caller) ?? { left: callerRate, asOf: time };
      const left = Math.min(callerRate, known.left + ((time - known.asOf) * callerRate) / MINUTE);
      buckets.delete(caller);
      // A refused request uses nothing up: a caller that keeps asking is still served at its rate.
      buckets.set(caller, { left: left >= 1 ? left - 1 : left, asOf: time });
      const [oldest] = buckets.keys();
      if (buckets.size > MAX_REMEMBERED && oldest !== undefined) buckets.delete(oldest);
      return left >= 1 ? undefined : tooMany(((1 - left) * MINUTE) / callerRate);
    },
    enter: (caller, customer) => {
      if (callers.isFull(caller)) return busy(429, `You already have ${requestsPerCaller} requests in flight; wait for a response first`);
      if (customers.isFull(customer))
        return busy(503, `Already serving ${requestsPerCustomer} requests for this customer; try again later`);
      callers.take(caller);
      customers.take(customer);
      return () => {
        callers.free(caller);
        customers.free(customer);
      };
    },
  };
}
