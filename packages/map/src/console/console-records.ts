import type { ConsoleGroup, RecentRequest } from "@fleetwire/sandbox";

/** What the page is for; read once. */
export interface ConsoleAbout {
  /** A sandbox can be controlled; a real fleet is only shown. */
  kind: "sandbox" | "fleet";
  /** Milliseconds between two reads of the fleet. */
  refreshMs: number;
  /** Every fault that a sandbox can inject, with its effect. */
  faults?: Readonly<Record<string, string>>;
  /** The names of the operations, to which faults can be limited. */
  operations?: readonly string[];
}

/** A request to the service. `status` is 0 if there was no response. */
export type ConsoleRequest = Pick<RecentRequest, "id" | "at" | "operation" | "status" | "ms" | "client"> & Partial<RecentRequest>;

/** What changes all the time beside the fleet. */
export interface ConsoleStatus {
  /** The service's time in epoch ms. */
  now: number;
  /** How fast its clock runs; absent if it cannot be set. */
  speed?: number;
  /** Faults that a sandbox injects, as in `--faults`. */
  faults?: string;
  /** Empty unless the service's own groups are known: then with their parents. */
  groups: readonly ConsoleGroup[];
  /** Requests after the one asked for, oldest first. */
  requests: readonly ConsoleRequest[];
}
