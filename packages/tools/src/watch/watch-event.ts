import type { When } from "./rules.ts";

/** Something that a rule waited for. Names in it are those that a model may see, and data, never instructions. */
export interface WatchEvent {
  /** Computed from the rule, whom it is about and the record that caused it: the same event has the same id whenever it is sent. */
  id: string;
  /** The id of the rule; absent if `when` is `noData`. */
  rule?: string;
  /** The condition, or `noData` if the service has been failing for minutes. */
  when: When | "noData";
  /** One sentence that says what happened. */
  text: string;
  vehicle?: { id?: string | undefined; name?: string | undefined; registration?: string | undefined };
  driver?: { id?: string | undefined; name?: string | undefined };
  job?: { id?: string | undefined; number?: string | undefined };
  /** When it happened, in UTC. */
  at: string;
  /** When it was noticed, in UTC. */
  seen: string;
  /** Set if it was noticed more than five minutes after it happened. */
  late?: true;
  /** The values that show it, and the date of the record that began it. */
  cause: Readonly<Record<string, unknown>>;
}
