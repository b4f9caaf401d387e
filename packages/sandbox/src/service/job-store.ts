import type { Job, JobType } from "@fleetwire/core";
import { identifier, topic } from "../simulation/random.ts";

/** The job types of every customer. `list_jobs` returns them, since the interface has no operation for them. */
export const JOB_TYPES: readonly JobType[] = [
  ["delivery", "Delivery", "Goods are handed over", true, true] as const,
  ["collection", "Collection", "Goods are picked up", true, true] as const,
  ["service", "Service visit", "Work on site", false, true] as const,
  ["survey", "Survey", "No longer in use", false, false] as const,
].map(([key, label, description, global, used]) => ({ id: `jobtype${key}`, key, label, description, global, used, disabled: !used }));

/** Storage limits beyond which the oldest entries are dropped, so that a sandbox can run for a long time. */
interface StorageLimits {
  /** Jobs per customer. */
  readonly maxJobs: number;
  /** Bytes for each customer's jobs, and for all uploaded files. */
  readonly maxStoredBytes: number;
}

/** A map in order of storage that drops its oldest entries beyond a number of entries or bytes. The latest always stays. */
function limitedMap<Value>(maxEntries: number, maxBytes: number, bytesOf: (value: Value) => number) {
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let size = 0;
  const drop = (key: string) => {
    size -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    values: () => [...entries.values()].map(({ value }) => value),
    get: (key: string) => entries.get(key)?.value,
    set: (key: string, value: Value) => {
      drop(key);
      const bytes = bytesOf(value);
      entries.set(key, { value, bytes });
      size += bytes;
      for (const oldest of entries.keys()) {
        if (entries.size === 1 || (entries.size <= maxEntries && size <= maxBytes)) break;
        drop(oldest);
      }
    },
  };
}

const JOB = topic("identifiers of jobs");

/** The jobs of a customer, the latest last. */
export function jobStore(seed: number, customer: number, { maxJobs, maxStoredBytes }: StorageLimits) {
  const stored = limitedMap<Job>(maxJobs, maxStoredBytes, (job) => Buffer.byteLength(JSON.stringify(job)));
  let numbers = 0;
  let ids = 0;
  return {
    jobs: (): Job[] => stored.values(),
    numbered: (jobNumber: string): Job | undefined => stored.get(jobNumber),
    nextNumber: () => {
      let number: string;
      do number = `SBX-${String(++numbers).padStart(6, "0")}`;
      while (stored.get(number));
      return number;
    },
    /** An identifier that has not been issued before. */
    nextId: () => identifier(16, seed, JOB, customer, ids++),
    save: (job: Job & { readonly jobNumber: string }) => stored.set(job.jobNumber, job),
  };
}

const FILES_PER_JOB = 3;

/** Files uploaded to jobs. Only open slots accept uploads. */
export function uploadStore({ maxJobs, maxStoredBytes }: StorageLimits) {
  const slots = limitedMap<true>(maxJobs * FILES_PER_JOB, maxStoredBytes, () => 0);
  const files = limitedMap<{ bytes: Uint8Array<ArrayBuffer>; mediaType: string }>(
    maxJobs * FILES_PER_JOB,
    maxStoredBytes,
    ({ bytes }) => bytes.byteLength,
  );
  return {
    open: (id: string) => slots.set(id, true),
    /** Returns whether the slot is open. */
    put: (id: string, bytes: Uint8Array<ArrayBuffer>, mediaType: string) => {
      if (slots.get(id)) files.set(id, { bytes, mediaType });
      return slots.get(id) === true;
    },
    get: files.get,
  };
}
