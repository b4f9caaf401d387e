import type { RequestId } from "@modelcontextprotocol/server";

export interface CallInFlight {
  /** Fires when the caller cancels, or the server ends. */
  signal: AbortSignal;
  abort: () => void;
  /** Gives it the name that a cancel finds it by: the ids of its requests, and the session that they are unique in. */
  name: (session: string, ids: readonly RequestId[]) => void;
  /** The call has come to its end, and so has its response. */
  end: () => void;
}

export interface CallsInFlight {
  size: () => number;
  start: () => CallInFlight;
  /** Aborts a call of that session, if it is still in flight. */
  cancel: (session: string, id: RequestId) => void;
  /** Settles once there is none. */
  idle: () => Promise<void>;
  abortAll: () => void;
}

// Ids are unique within a session alone, and 1 is not "1".
const keyOf = (session: string, id: RequestId) => JSON.stringify([session, id]);

/** The requests that are being served. A session is a name that callers give, and nothing is kept of it between calls. */
export function callsInFlight(): CallsInFlight {
  const calls = new Set<CallInFlight>();
  const byKey = new Map<string, CallInFlight>();
  let onIdle = () => {};
  return {
    size: () => calls.size,
    start: () => {
      const ending = new AbortController();
      const keys: string[] = [];
      const call: CallInFlight = {
        signal: ending.signal,
        abort: () => ending.abort(),
        name: (session, ids) => {
          keys.push(...ids.map((id) => keyOf(session, id)));
          for (const key of keys) byKey.set(key, call);
        },
        end: () => {
          calls.delete(call);
          for (const key of keys) if (byKey.get(key) === call) byKey.delete(key);
          if (calls.size === 0) onIdle();
        },
      };
      calls.add(call);
      return call;
    },
    cancel: (session, id) => byKey.get(keyOf(session, id))?.abort(),
    idle: () =>
      new Promise((resolve) => {
        onIdle = resolve;
        if (calls.size === 0) resolve();
      }),
    abortAll: () => {
      for (const call of calls) call.abort();
    },
  };
}
