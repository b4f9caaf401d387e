import { operations } from "@fleetwire/core";
import { undocumentedList } from "./undocumented-list.ts";

export const listJobs = undocumentedList(operations.listJobs, (fleet) => fleet.listJobs);
