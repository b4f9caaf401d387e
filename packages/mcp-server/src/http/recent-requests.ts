import type { ResponseEvent } from "@fleetwire/core";
import type { ConsoleRequest } from "@fleetwire/tools/console";

const KEPT = 200;

/** The latest requests to the service, for the console. They contain no arguments. */
export interface RecentRequests {
  add: (event: ResponseEvent) => void;
  list: () => readonly ConsoleRequest[];
}

export function recentRequests(): RecentRequests {
  const kept: ConsoleRequest[] = [];
  let id = 0;
  return {
    add: ({ operation, status = 0, failure, duration: ms }) => {
      kept.push({ id: ++id, at: Date.now(), operation, status, failure, ms });
      if (kept.length > KEPT) kept.shift();
    },
    list: () => kept,
  };
}
