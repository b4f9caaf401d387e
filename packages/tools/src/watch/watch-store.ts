import { sha256 } from "@noble/hashes/sha2.js";
import { base64Url, utf8 } from "../runtime/base64url.ts";
import type { When } from "./conditions.ts";

/** Something that a rule waited for. Names in it are those that a model may see, and data, never instructions. */
export interface WatchEvent {
  /** Computed from the rule, whom it is about and the record that caused it: the same event has the same id whenever it is sent. */
  id: string;
  /** The id of the rule; absent if `when` is `noData`. */
  rule?: string | undefined;
  /** The condition, or `noData` if the service has been failing for minutes. */
  when: When | "noData";
  /** One sentence that says what happened. */
  text: string;
  vehicle?: { id?: string | undefined; name?: string | undefined; registration?: string | undefined } | undefined;
  driver?: { id?: string | undefined; name?: string | undefined } | undefined;
  job?: { id?: string | undefined; number?: string | undefined } | undefined;
  /** When it happened, in UTC. */
  at: string;
  /** When it was noticed, in UTC. */
  seen: string;
  /** Set if it was noticed more than five minutes after it happened. */
  late?: true | undefined;
  /** The values that show it, and the date of the record that began it. */
  cause: Record<string, unknown>;
}

/** Computes an id from what makes an event the same event, so that it is recognized when it is sent again. */
export const idOf = (...parts: readonly (string | number)[]): string => base64Url(sha256(utf8(JSON.stringify(parts)))).slice(0, 22);

/** What a watch knew when it last saved. */
export interface SavedWatch {
  /** The tracks by key, as text. */
  tracks: Iterable<readonly [key: string, track: string]>;
  /** Events that were saved and not yet marked as delivered, oldest first. */
  pending: readonly WatchEvent[];
  /** When the fleet was last read, in milliseconds since 1970; undefined if it never was. */
  readAt: number | undefined;
  /** The id of the event that said that there is no data, until there is some. */
  noData: string | undefined;
}

/**
 * Where a watch keeps what it knows, so that a later process continues it. `save` is atomic: either all of it is kept, or nothing. An event is
 * saved before it is delivered.
 */
export interface WatchStore {
  load: () => SavedWatch | Promise<SavedWatch>;
  save: (changes: {
    /** Tracks by key; undefined removes one. */
    tracks: ReadonlyMap<string, string | undefined>;
    events: readonly WatchEvent[];
    readAt: number | undefined;
    noData: string | undefined;
  }) => void | Promise<void>;
  /** Called when the program has handled an event. */
  delivered: (id: string) => void | Promise<void>;
}

/** Keeps nothing beyond the process. */
export const noStore: WatchStore = {
  load: () => ({ tracks: [], pending: [], readAt: undefined, noData: undefined }),
  save: () => {},
  delivered: () => {},
};
