import type { WatchEvent } from "./watch-event.ts";

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
