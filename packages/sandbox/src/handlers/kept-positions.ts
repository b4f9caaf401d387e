import type { Customer } from "../service/customers.ts";
import { vehicleState } from "../simulation/vehicle-state.ts";
import { livePositionRecord, type RecordOptions } from "./live-position-record.ts";

export interface ListOptions extends RecordOptions {
  readonly showsSold: boolean;
}

/** The records of successive vehicles as JSON, each after a comma. A record stays valid until its vehicle may report something new. */
interface Chunk {
  readonly bytes: Uint8Array;
  /** The offset of the end of each record. */
  readonly ends: Uint32Array;
  /** Epoch ms. */
  readonly from: Float64Array;
  readonly until: Float64Array;
}

const CHUNK = 250;
/** Chunks kept for each customer, about 150 MB; larger fleets are computed anew beyond that. */
const MAX_KEPT = 600;
const COMMA = ",";

/** A buffer for chunks whose size is not yet known; it grows to fit the largest one. */
let scratch = Buffer.allocUnsafe(1_048_576);

function reserve(bytes: number): void {
  if (bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(2 * bytes);
  larger.set(scratch);
  scratch = larger;
}

/** Writes the chunk that starts with a vehicle, copying the records of the previous one that are still valid. */
function writeChunk(customer: Customer, first: number, options: ListOptions, now: number, previous?: Chunk): Chunk {
  const { fleet } = customer;
  const count = Math.min(CHUNK, fleet.size - first);
  const ends = new Uint32Array(count);
  const from = new Float64Array(count);
  const until = new Float64Array(count);
  let end = 0;
  for (let at = 0; at < count; at++) {
    if (previous && (previous.from[at] as number) <= now && now < (previous.until[at] as number)) {
      const start = at === 0 ? 0 : (previous.ends[at - 1] as number);
      const length = (previous.ends[at] as number) - start;
      reserve(end + length);
      scratch.set(previous.bytes.subarray(start, start + length), end);
      end += length;
      from[at] = previous.from[at] as number;
      until[at] = previous.until[at] as number;
      ends[at] = end;
      continue;
    }
    const vehicle = fleet.at(first + at);
    if (options.showsSold || vehicle.soldAt === undefined) {
      const state = vehicleState(vehicle, now);
      const text = COMMA + JSON.stringify(livePositionRecord(customer, vehicle, state, options));
      reserve(end + 3 * text.length);
      end += scratch.write(text, end);
      from[at] = state.at;
      until[at] = state.until;
    } else {
      from[at] = Number.NEGATIVE_INFINITY;
      until[at] = Number.POSITIVE_INFINITY;
    }
    ends[at] = end;
  }
  return { bytes: Uint8Array.prototype.slice.call(scratch, 0, end), ends, from, until };
}

interface Kept {
  readonly key: string;
  readonly chunks: (Chunk | undefined)[];
}

const keptOf = new WeakMap<Customer, Kept>();

/**
 * The list of a whole fleet as JSON without its brackets, in pieces. Each vehicle's last report is kept for later lists with the same
 * options, since most vehicles of a large fleet report nothing new between two lists.
 */
export function* fleetInPieces(customer: Customer, options: ListOptions, now: number): Generator<Uint8Array> {
  const { fleet, groups } = customer;
  const key = JSON.stringify([options, groups.revision()]);
  let kept = keptOf.get(customer);
  if (kept?.key !== key) {
    kept = { key, chunks: [] };
    keptOf.set(customer, kept);
  }
  let isFirst = true;
  for (let index = 0; index * CHUNK < fleet.size; index++) {
    const previous = kept.chunks[index];
    const isValid = previous?.until.every((until, at) => now < until && (previous.from[at] as number) <= now);
    const chunk = previous && isValid ? previous : writeChunk(customer, index * CHUNK, options, now, previous);
    if (index < MAX_KEPT) kept.chunks[index] = chunk;
    if (chunk.bytes.length === 0) continue;
    yield chunk.bytes.slice(isFirst ? COMMA.length : 0);
    isFirst = false;
  }
}
