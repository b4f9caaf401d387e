import type { Fleet } from "../simulation/fleet.ts";
import type { TokenIssuer } from "./credentials.ts";
import type { GroupStore } from "./group-store.ts";
import type { JobStore, UploadStore } from "./job-store.ts";

/** A customer of the service: its fleet, and everything written through the interface. */
export interface Customer {
  readonly ordinal: number;
  readonly id: string;
  readonly fleet: Fleet;
  readonly groups: GroupStore;
  readonly jobs: JobStore;
}

/** What happens to a second job with the same number, which is undocumented (interface 2.5, jobNumber). */
export type DuplicateJobs = "refuse" | "overwrite" | "conflict";

/** An authenticated request and everything else that a handler may use. */
export interface Call {
  readonly customer: Customer;
  /** The input fields as they were sent, unchecked: see `validInput`. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** The time of the request in epoch ms. */
  readonly now: number;
  readonly tokens: TokenIssuer;
  readonly uploads: UploadStore;
  readonly duplicateJobs: DuplicateJobs;
  /** The job server's URL, as used by the caller. */
  readonly jobUrl: string;
}

export type Handler = (call: Call) => Response;
