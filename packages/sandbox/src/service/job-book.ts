import type { Job } from "@fleetwire/core";
import { identifier, topic } from "../simulation/chance.ts";

/** The jobs of a customer, in the order in which they were created. */
export interface JobBook {
  readonly jobs: () => Iterable<Job>;
  readonly numbered: (jobNumber: string) => Job | undefined;
  readonly nextNumber: () => string;
  /** An identifier that was not given out before. */
  readonly nextId: () => string;
  readonly keep: (job: Job & { readonly jobNumber: string }) => void;
}

const JOB = topic("identifiers of jobs");

export function jobBook(seed: number, customer: number): JobBook {
  const jobs = new Map<string, Job>();
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
    keep: (job) => {
      jobs.set(job.jobNumber, job);
    },
  };
}
