import { FleetError } from "@fleetwire/core";
import type { SavedWatch } from "@fleetwire/tools/watch";
import type { Encryption } from "../replicas/shared-state.ts";
import type { LeasedHash } from "./leased-hash.ts";
import { outboxInMemory, type Receiver, type StateStore, type Waiting } from "./state-store.ts";

/** How long the ids of delivered events are remembered, in milliseconds. */
const KEPT = 30 * 24 * 3_600_000;
/** Tracks that are written at once if nothing else depends on them. */
const MAX_TRACKS = 20_000;

export const refusal = (problem: string, advice: string): FleetError => new FleetError("config", `--state redis: ${problem}`, { advice });

/** The encryption of the fields of one watch: none can be moved to another field or watch. */
export function fieldEncryption(name: string, { encrypt, decrypt }: Encryption): Encryption {
  const nameIn = (field: string) => `${name} ${field}`;
  return {
    encrypt: (text, field) => encrypt(text, nameIn(field)),
    decrypt: (value, field) => {
      try {
        return decrypt(value, nameIn(field));
      } catch {
        throw refusal(
          "what is kept there was written with another FLEET_SEAL_KEY, or is damaged",
          "Set the key with which it was written, or use another name, such as --state redis:second",
        );
      }
    },
  };
}

/** What earlier processes have written. */
export interface Kept {
  tracks: Map<string, string>;
  waiting: Waiting[];
  /** When an event no longer had to be delivered to anybody, by its id, oldest first. */
  settled: Map<string, number>;
  /** The hash of the address at which no more events are wanted, by channel. */
  disabled: Map<string, string>;
  read: Partial<Pick<SavedWatch, "readAt" | "noData">>;
}

export async function readKept(hash: LeasedHash, { decrypt }: Encryption): Promise<Kept> {
  const kept: Kept = { tracks: new Map(), waiting: [], settled: new Map(), disabled: new Map(), read: {} };
  for await (const part of hash.fields()) {
    for (const { field, value } of part) {
      const text = decrypt(value, field);
      const kind = field.split(" ", 1)[0] as string;
      const key = field.slice(kind.length + 1);
      if (kind === "track") kept.tracks.set(key, text);
      else if (kind === "event") kept.waiting.push(JSON.parse(text));
      else if (kind === "settled") kept.settled.set(key, Number(text));
      else if (kind === "disabled") kept.disabled.set(key, text);
      else if (kind === "read") kept.read = JSON.parse(text);
    }
  }
  return { ...kept, settled: new Map([...kept.settled].sort(([, a], [, b]) => a - b)) };
}

/** A field and its text; undefined removes it. */
export type Change = readonly [field: string, text: string | undefined];

/** The store of the process whose turn it is. The outbox is in memory, since nobody else changes it meanwhile. */
export function storeIn(
  kept: Kept,
  receivers: readonly Receiver[],
  put: (changes: readonly Change[]) => Promise<void>,
): Omit<StateStore, "lost" | "close"> {
  const { settled, read } = kept;
  let tracks: SavedWatch["tracks"] = kept.tracks;
  const outbox = outboxInMemory(receivers, {
    onEvent: (id, waiting) => {
      if (waiting) return put([[`event ${id}`, JSON.stringify(waiting)]]);
      const now = Date.now();
      settled.set(id, now);
      // Its id stays, so that it is not saved again.
      return put([
        [`event ${id}`, undefined],
        [`settled ${id}`, String(now)],
      ]);
    },
    onDisabled: (channel, address) => put([[`disabled ${channel}`, address]]),
  });
  outbox.restore(kept.waiting);
  for (const [channel, address] of kept.disabled) outbox.disabled.set(channel, address);
  const tooOld = () => {
    const ids: string[] = [];
    const end = Date.now() - KEPT;
    for (const [id, at] of settled) {
      if (at > end) break;
      ids.push(id);
    }
    return ids;
  };
  return {
    ...outbox,
    load: () => {
      const pending = [...outbox.waiting.values()].filter(({ isPending }) => isPending).map(({ event }) => event);
      const saved = { tracks, pending, readAt: read.readAt, noData: read.noData };
      // They may be large, and whoever loads them keeps them.
      tracks = [];
      return saved;
    },
    save: async ({ tracks: changed, events, readAt, noData }) => {
      const isNew = ({ id }: { id: string }) => !outbox.waiting.has(id) && !settled.has(id);
      const added = events.filter(isNew).map((event) => outbox.waitingFor(event, true));
      const forgotten = tooOld();
      const ofTracks = [...changed].map(([key, track]): Change => [`track ${key}`, track]);
      // Without events, tracks do not depend on each other: all of a large fleet, at its first read, would keep Redis from serving others.
      if (added.length === 0) while (ofTracks.length > MAX_TRACKS) await put(ofTracks.splice(-MAX_TRACKS));
      await put([
        ...ofTracks,
        ...added.map((entry): Change => [`event ${entry.event.id}`, JSON.stringify(entry)]),
        ...forgotten.map((id): Change => [`settled ${id}`, undefined]),
        ["read", JSON.stringify({ readAt, noData })],
      ]);
      // Only what is saved may be delivered.
      for (const entry of added) outbox.waiting.set(entry.event.id, entry);
      for (const id of forgotten) settled.delete(id);
    },
  };
}
