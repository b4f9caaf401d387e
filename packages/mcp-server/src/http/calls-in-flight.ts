import type { RequestId } from "@modelcontextprotocol/server";

export interface CallInFlight {
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

export interface CallsInFlight {
  size: () => number;
  start: () => CallInFlight;
  /** Aborts a call in the session if it is still in flight. */
  cancel: (session: string, id: RequestId) => void;
  /** Resolves once no call is in flight. */
  idle: () => Promise<void>;
  /** Ends the calls that would never end by themselves. */
  abortListening: () => void;
  abortAll: () => void;
}

// Ids are only unique within a session, and 1 is not "1".
const keyOf = (session: string, id: RequestId) => JSON.stringify([session, id]);

/** Tracks the requests being served. A session is just an id sent by callers: nothing is stored under it between calls. */
export function callsInFlight(): CallsInFlight {
  const calls = new Set<CallInFlight>();
  const byKey = new Map<string, CallInFlight>();
  let onIdle = () => {};
  return {
    size: () => calls.size,
    start: () => {
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
    abortListening: () => {
      for (const call of calls) if (call.listens) call.abort();
    },
    abortAll: () => {
      for (const call of calls) call.abort();
    },
  };
}
