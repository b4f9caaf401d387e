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
export interface StorageLimits {
  /** Jobs per customer. */
  readonly maxJobs: number;
  /** Bytes for each customer's jobs, and for all uploaded files. */
  readonly maxStoredBytes: number;
}

/** The jobs of a customer in order of creation. */
export interface JobStore {
  readonly jobs: () => Iterable<Job>;
  readonly numbered: (jobNumber: string) => Job | undefined;
  readonly nextNumber: () => string;
  /** An identifier that has not been issued before. */
  readonly nextId: () => string;
  readonly save: (job: Job & { readonly jobNumber: string }) => void;
}

const JOB = topic("identifiers of jobs");

export function jobStore(seed: number, customer: number, { maxJobs, maxStoredBytes }: StorageLimits): JobStore {
  const jobs = new Map<string, Job>();
  const sizes = new Map<string, number>();
  let size = 0;
  let numbers = 0;
  let ids = 0;
  return {
    jobs: () => jobs.values(),
    numbered: (jobNumber) => jobs.get(jobNumber),
    nextNumber: () => {
      let number: string;
      do number = `SBX-${String(++numbers).padStart(6, "0")}`;
      while (jobs.has(number));
      return number;
    },
    nextId: () => identifier(16, seed, JOB, customer, ids++),
    save: (job) => {
      const bytes = new TextEncoder().encode(JSON.stringify(job)).byteLength;
      size += bytes - (sizes.get(job.jobNumber) ?? 0);
      sizes.set(job.jobNumber, bytes);
      jobs.set(job.jobNumber, job);
      for (const oldest of jobs.keys()) {
        if (jobs.size <= maxJobs && size <= maxStoredBytes) break;
        if (oldest === job.jobNumber) continue;
        jobs.delete(oldest);
        size -= sizes.get(oldest) ?? 0;
        sizes.delete(oldest);
      }
    },
  };
}

/** Files uploaded to jobs. Slots and bytes are limited; the oldest are dropped. */
export interface UploadStore {
  /** Opens a slot for a file. Only open slots accept uploads. */
  readonly open: (id: string) => void;
  readonly put: (id: string, bytes: Uint8Array, mediaType: string) => boolean;
  readonly get: (id: string) => UploadedFile | undefined;
}

interface UploadedFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Stores at most `maxSlots` slots, and files with a total of at most `maxBytes`. */
export function uploadStore(maxSlots: number, maxBytes: number): UploadStore {
  const slots = new Set<string>();
  const files = new Map<string, UploadedFile>();
  let size = 0;

  const remove = (id: string) => {
    size -= files.get(id)?.bytes.byteLength ?? 0;
    files.delete(id);
  };
  return {
    open: (id) => {
      slots.add(id);
      const [oldest] = slots;
      if (slots.size <= maxSlots || oldest === undefined) return;
      slots.delete(oldest);
      remove(oldest);
    },
    put: (id, bytes, mediaType) => {
      if (!slots.has(id)) return false;
      remove(id);
      files.set(id, { bytes, mediaType });
      size += bytes.byteLength;
      for (const oldest of files.keys()) {
        if (size <= maxBytes || files.size === 1) break;
        remove(oldest);
      }
      return true;
    },
    get: (id) => files.get(id),
  };
}
