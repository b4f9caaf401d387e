import { createFleet, type Fleet } from "../simulation/fleet.ts";
import { customerId } from "./credentials.ts";
import { type GroupStore, groupStore } from "./group-store.ts";
import { type JobStore, jobStore, type StorageLimits } from "./job-store.ts";

/** A customer of the service: its fleet, and everything written through the interface. */
export interface Customer {
  readonly ordinal: number;
  readonly id: string;
  readonly fleet: Fleet;
  readonly groups: GroupStore;
  readonly jobs: JobStore;
}

export function createCustomer(
  seed: number,
  ordinal: number,
  vehicles: number,
  groupLists: "replace" | "add",
  limits: StorageLimits,
  start: number | undefined,
): Customer {
  const fleet = createFleet(seed, ordinal, vehicles, start);
  return { ordinal, id: customerId(seed, ordinal), fleet, groups: groupStore(fleet, groupLists), jobs: jobStore(seed, ordinal, limits) };
}
