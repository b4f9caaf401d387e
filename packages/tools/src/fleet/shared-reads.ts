import { type CallOptions, type FleetClient, FleetError, type Operation, operations } from "@fleetwire/core";

/** Settings of a call whose answer may be shared. */
export interface SharedCallOptions extends CallOptions {
  /** Told how many milliseconds ago the answer came from the service. */
  onRead?: (age: number) => void;
}

type Pages = (input?: unknown, options?: SharedCallOptions) => AsyncIterableIterator<unknown>;
type Method = ((input?: unknown, options?: SharedCallOptions) => Promise<unknown>) & { pages?: Pages };

interface Read {
  answer: Promise<unknown>;
  cancel: AbortController;
  waiting: number;
  /** When the answer came; undefined while it is on its way. */
  readAt?: number;
}

/** Answers that are kept at a time; each may be a whole fleet. */
const MOST_KEPT = 8;

/** Ends one waiter's wait when its signal fires; the read goes on as long as another one waits. */
async function waitFor(read: Read, signal: AbortSignal | undefined, operation: string): Promise<unknown> {
  read.waiting++;
  let leave = () => {};
  try {
    if (!signal) return await read.answer;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(new FleetError("aborted", `${operation}: the caller ended the call`, { operation }));
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
    });
    return await Promise.race([read.answer, left]);
  } finally {
    signal?.removeEventListener("abort", leave);
    read.waiting--;
    if (read.waiting === 0 && read.readAt === undefined) read.cancel.abort();
  }
}

/** Node waits for its timers; elsewhere they are numbers. */
function keepNoProcessAlive(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function") timer.unref();
}

/**
 * A client whose identical reads in flight are one request, and whose answers serve the same question again for some seconds. A write makes
 * it read anew. Answers are shared: nobody may change one.
 */
export function shareReads(fleet: FleetClient, { seconds, now }: { seconds: number; now: () => number }): FleetClient {
  let reads = new Map<string, Read>();

  function begin(key: string, send: (options: CallOptions) => Promise<unknown>, options: CallOptions): Read {
    const cancel = new AbortController();
    const read: Read = { cancel, waiting: 0, answer: send({ ...options, signal: cancel.signal }) };
    const mine = reads;
    const forget = () => {
      if (mine.get(key) === read) mine.delete(key);
    };
    mine.set(key, read);
    read.answer.then(() => {
      read.readAt = now();
      if (seconds === 0) forget();
      else keepNoProcessAlive(setTimeout(forget, seconds * 1000));
      for (const [old] of [...mine].slice(0, Math.max(0, mine.size - MOST_KEPT))) mine.delete(old);
    }, forget);
    return read;
  }

  const isFresh = ({ readAt }: Read) => readAt === undefined || now() - readAt < seconds * 1000;

  /** Pages that were read to their end serve the same question again. On their way they are not shared: each reader goes at its own pace. */
  function keptPages({ name }: Operation, pages: Pages): Pages {
    return async function* (input = {}, options = {}) {
      const { onRead, signal: _, ...settings } = options;
      const key = JSON.stringify([name, "pages", input, settings]);
      const known = reads.get(key);
      if (known && isFresh(known)) {
        const all = (await known.answer) as unknown[];
        onRead?.(now() - (known.readAt ?? now()));
        yield* all;
        return;
      }
      const mine = reads;
      const all: unknown[] = [];
      for await (const page of pages(input, options)) {
        all.push(page);
        yield page;
      }
      // What was read from before a change is not kept.
      if (mine === reads) begin(key, async () => all, settings);
    };
  }

  function shared({ name }: Operation, method: Method): Method {
    return async (input = {}, { onRead, signal, ...options } = {}) => {
      const key = JSON.stringify([name, input, options]);
      const known = reads.get(key);
      // Whoever left last has cancelled it.
      const read = known && isFresh(known) && !known.cancel.signal.aborted ? known : begin(key, (own) => method(input, own), options);
      const answer = await waitFor(read, signal, name);
      onRead?.(now() - (read.readAt ?? now()));
      return answer;
    };
  }

  function clearing(method: Method): Method {
    return async (input, options) => {
      reads = new Map();
      try {
        return await method(input, options);
      } finally {
        // What was read meanwhile may be from before the change.
        reads = new Map();
      }
    };
  }

  const methods = Object.values<Operation>(operations).map((operation) => {
    const method = fleet[operation.name as keyof FleetClient] as unknown as Method;
    const own = operation.effect === "read" ? shared(operation, method) : clearing(method);
    return [operation.name, Object.assign(own, method, method.pages && { pages: keptPages(operation, method.pages) })];
  });
  return Object.freeze({ ...fleet, ...Object.fromEntries(methods) });
}
