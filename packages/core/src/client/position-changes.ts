import { isLaterPosition } from "../schemas/latest-position.ts";
import type { LivePosition } from "../schemas/shapes.generated.ts";
import { textHash } from "./text-hash.ts";

/** A vehicle that appeared in the list of live positions, changed or left it (interface 4.3). */
export interface PositionChange {
  /** `added`: the vehicle was not in the list before. `changed`: its record differs. `removed`: it is no longer in the list. */
  change: "added" | "changed" | "removed";
  /** The record as read now. For `removed`, the last one read if `withPrevious` is set, otherwise only its `assetId`. */
  position: LivePosition;
  /** The record before a change, if `withPrevious` is set. */
  previous?: LivePosition;
}

/** What is kept about a vehicle between two reads. */
interface Known {
  fingerprint: number;
  /** The latest record's date and privacy. */
  latest: Pick<LivePosition, "date" | "privacy">;
  /** The read that last contained the vehicle. */
  read: number;
  /** Whether lists contain the vehicle more than once, so that only the end of a list tells which record is its latest. */
  isRepeated: boolean;
  record: LivePosition | undefined;
}

/** Serializes a value. Values that are nested too deeply all serialize alike. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "nested";
  }
}

/** Hashes a record to 53 bits, regardless of the order of its fields. */
function fingerprintOf(record: LivePosition, fields: readonly string[]): number {
  let [high, low] = [0, 0];
  for (const field of fields) {
    const value = record[field as keyof LivePosition] as unknown;
    if (value === undefined) continue;
    const [one, other] = textHash(`${field} ${textOf(value)}`);
    high = (high + one) | 0;
    low = (low + other) | 0;
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}

/** Compares each list of live positions with the one before, record by record. A record without an `assetId` cannot be recognized and is ignored. */
export class PositionChanges {
  readonly #fields: readonly string[] | undefined;
  readonly #keepsRecords: boolean | undefined;
  readonly #known = new Map<string, Known>();
  readonly #repeated = new Map<string, LivePosition>();
  #read = 0;

  constructor(fields: readonly string[] | undefined, keepsRecords: boolean | undefined) {
    this.#fields = fields;
    this.#keepsRecords = keepsRecords;
  }

  /** Begins a list, even if the previous one has not ended. */
  begin(): void {
    this.#read++;
    this.#repeated.clear();
  }

  add(record: LivePosition): PositionChange | undefined {
    const { assetId } = record;
    if (!assetId) return undefined;
    const known = this.#known.get(assetId);
    if (known === undefined || (known.read !== this.#read && !known.isRepeated)) return this.#compare(assetId, record, known);
    known.isRepeated = true;
    const latest = this.#repeated.get(assetId) ?? (known.read === this.#read ? known.latest : undefined);
    if (!latest || isLaterPosition(record, latest)) this.#repeated.set(assetId, record);
    return undefined;
  }

  /** Ends a complete list, and returns the changes that only its end reveals. */
  *end(): Generator<PositionChange> {
    for (const [assetId, record] of this.#repeated) {
      const change = this.#compare(assetId, record, this.#known.get(assetId));
      if (change) yield change;
    }
    for (const [assetId, { read, record }] of this.#known) {
      if (read === this.#read) continue;
      this.#known.delete(assetId);
      yield { change: "removed", position: record ?? { assetId } };
    }
  }

  #compare(assetId: string, position: LivePosition, known: Known | undefined): PositionChange | undefined {
    const fingerprint = fingerprintOf(position, this.#fields ?? Object.keys(position));
    const latest = { date: position.date, privacy: position.privacy };
    const record = this.#keepsRecords ? position : undefined;
    if (!known) {
      this.#known.set(assetId, { fingerprint, latest, read: this.#read, isRepeated: false, record });
      return { change: "added", position };
    }
    const { fingerprint: before, record: previous } = known;
    Object.assign(known, { fingerprint, latest, read: this.#read, record });
    return before === fingerprint ? undefined : { change: "changed", position, ...(previous && { previous }) };
  }
}
