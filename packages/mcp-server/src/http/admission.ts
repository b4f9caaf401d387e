import type { RequestId } from "@modelcontextprotocol/server";
import { ABORT_GRACE_MS, SHUTDOWN_GRACE_MS, settlesWithin } from "../limits.ts";
import type { HttpLimits } from "./limits.ts";
import { busy, type Refusal } from "./refusal.ts";

/** Counts callers' requests across all replicas. */
export interface SharedRate {
  /** Adds a request. Returns the number of the caller's requests in the current minute, and how many milliseconds of it are left. */
  count: (caller: string) => Promise<{ count: number; left: number }>;
}

interface CallInFlight {
  /** Aborted when the caller cancels or the server shuts down. */
  signal: AbortSignal;
  abort: () => void;
  /** Whether the call stays open until its caller ends it. */
  listens: boolean;
  /** Registers the ids of the call's requests, which are unique within the session, so that they can be cancelled. */
  register: (session: string, ids: readonly RequestId[]) => void;
  /** Must be called once both the call and its response have ended. */
  end: () => void;
}

/** Decides what is served: what one caller, or all callers of one customer, may use at a time, and nothing new once the server ends. */
export interface Admission {
  /** Counts a request towards the caller's rate. Returns the refusal for one that exceeds it. */
  arrive: (caller: string) => Promise<Refusal | undefined>;
  /** Takes a slot of the caller and of its customer. Returns the refusal if either has none left, otherwise a function that releases the slots. */
  enter: (caller: string, customer: string) => Refusal | (() => void);
  /** Starts a call that takes slots until it ends. */
  start: (caller: string, customer: string) => Refusal | CallInFlight;
  /** Aborts a call in the session if it is still in flight. A session is just an id sent by callers: nothing is stored under it between calls. */
  cancel: (session: string, id: RequestId) => void;
  inFlight: () => number;
  isEnding: () => boolean;
  /** Rejects new calls, and gives those in flight a moment to finish, and the writes to settle, before it aborts them. Streams stay open. */
  drain: (writesSettled: () => Promise<unknown>) => Promise<void>;
  /** Resolves once no call is in flight. */
  idle: () => Promise<void>;
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

// Ids are only unique within a session, and 1 is not "1".
const keyOf = (session: string, id: RequestId) => JSON.stringify([session, id]);

/** Limits in this process. The rate is counted across all replicas if they share it, or in this process while that fails. */
export function createAdmission(
  { requests, requestsPerCaller, requestsPerCustomer, callerRate }: HttpLimits,
  shared?: SharedRate,
): Admission {
  const tooMany = (milliseconds: number): Refusal => {
    const seconds = Math.ceil(milliseconds / 1_000);
    const message = `You may send ${callerRate} requests a minute; try again in ${seconds} s`;
    return { status: 429, message, headers: { "retry-after": String(seconds) } };
  };
  const [callers, customers] = [slots(requestsPerCaller), slots(requestsPerCustomer)];
  // A token bucket for each: the number of requests left, and as of when.
  const buckets = new Map<string, { left: number; asOf: number }>();
  const calls = new Set<CallInFlight>();
  const byKey = new Map<string, CallInFlight>();
  let ending = false;
  let onEnd = () => {};
  const none = (isCounted: (call: CallInFlight) => boolean) =>
    new Promise<void>((resolve) => {
      onEnd = () => [...calls].some(isCounted) || resolve();
      onEnd();
    });

  const enter: Admission["enter"] = (caller, customer) => {
    if (callers.isFull(caller)) return busy(429, `You already have ${requestsPerCaller} requests in flight; wait for a response first`);
    if (customers.isFull(customer)) return busy(503, `Already serving ${requestsPerCustomer} requests for this customer; try again later`);
    callers.take(caller);
    customers.take(customer);
    return () => {
      callers.free(caller);
      customers.free(customer);
    };
  };

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
    enter,
    start: (caller, customer) => {
      if (ending) return busy(503, "The server is shutting down");
      if (calls.size >= requests) return busy(503, `Already serving ${requests} requests; try again later`);
      const leave = enter(caller, customer);
      if (typeof leave !== "function") return leave;
      const controller = new AbortController();
      const keys: string[] = [];
      const call: CallInFlight = {
        signal: controller.signal,
        abort: () => controller.abort(),
        listens: false,
        register: (session, ids) => {
          keys.push(...ids.map((id) => keyOf(session, id)));
          for (const key of keys) byKey.set(key, call);
        },
        end: () => {
          leave();
          calls.delete(call);
          for (const key of keys) if (byKey.get(key) === call) byKey.delete(key);
          onEnd();
        },
      };
      calls.add(call);
      return call;
    },
    cancel: (session, id) => byKey.get(keyOf(session, id))?.abort(),
    inFlight: () => calls.size,
    isEnding: () => ending,
    drain: async (writesSettled) => {
      ending = true;
      const finished = () => none(({ listens }) => !listens);
      if (await settlesWithin(SHUTDOWN_GRACE_MS, finished().then(writesSettled))) return;
      for (const call of calls) if (!call.listens) call.abort();
      await settlesWithin(ABORT_GRACE_MS, finished());
    },
    idle: () => none(() => true),
  };
}
