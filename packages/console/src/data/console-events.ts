import type { WatchEvent } from "@fleetwire/tools/watch";

/** What the page shows of an event. */
export type ConsoleEvent = Pick<WatchEvent, "id" | "rule" | "when" | "text" | "vehicle" | "at" | "late">;

/** What has happened as the rules say. */
export interface ConsoleEvents {
  /** When the rules were first understood, in epoch ms; undefined if they have not been yet. */
  readonly since?: number | undefined;
  /** Why the rules, or those of the changed file, are not watched. */
  readonly problem?: string | undefined;
  /** How many rules there are. */
  readonly ruleCount: number;
  /** The first of them, in words. */
  readonly rules: readonly string[];
  /** The latest events, oldest first. */
  readonly events: readonly ConsoleEvent[];
}

/** Leaves out the events up to the last one that the page has, if it is known. Null if there are no rules. */
export function eventsAfter(shown: ConsoleEvents | undefined, last: string | null): ConsoleEvents | null {
  return shown ? { ...shown, events: shown.events.slice(shown.events.findIndex(({ id }) => id === last) + 1) } : null;
}
