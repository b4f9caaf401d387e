import type { Job } from "@fleetwire/core";
import { identifier, topic } from "../simulation/random.ts";

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
