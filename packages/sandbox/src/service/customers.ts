import { createFleet, type Fleet } from "../simulation/fleet.ts";
import { customerId } from "./credentials.ts";
import { type GroupBook, groupBook } from "./group-store.ts";
import { type JobBook, jobBook, type KeepingBounds } from "./job-store.ts";

/** A customer of the service: its fleet, and what was written on top of it. */
export interface Customer {
  readonly ordinal: number;
  readonly id: string;
  readonly fleet: Fleet;
  readonly groups: GroupBook;
  readonly jobs: JobBook;
}

export function createCustomer(
  seed: number,
  ordinal: number,
  vehicles: number,
  groupLists: "replace" | "add",
  bounds: KeepingBounds,
): Customer {
  const fleet = createFleet(seed, ordinal, vehicles);
  return { ordinal, id: customerId(seed, ordinal), fleet, groups: groupBook(fleet, groupLists), jobs: jobBook(seed, ordinal, bounds) };
}
