/** A request as the console lists it. */
export interface RecentRequest {
  /** Counts from 1. */
  readonly id: number;
  /** When the response began, in epoch ms of the real clock. */
  readonly at: number;
  /** Name of the operation; undefined for a path without one. */
  readonly operation: string | undefined;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** 0 if a fault reset the connection. */
  readonly status: number;
  /** Time to the start of the response, in ms. */
  readonly ms: number;
  /** The name of the client in its User-Agent header. */
  readonly client: string | undefined;
}

const KEPT = 200;

/** Keeps the latest requests. */
export function recentRequests(): { add: (request: Omit<RecentRequest, "id">) => void; list: () => readonly RecentRequest[] } {
  const kept: RecentRequest[] = [];
  let id = 0;
  return {
    add: (request) => {
      kept.push({ ...request, id: ++id });
      if (kept.length > KEPT) kept.shift();
    },
    list: () => kept,
  };
}
