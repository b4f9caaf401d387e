import { FleetError } from "@fleetwire/core";
import { isTransient } from "@fleetwire/core/internal";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { Row } from "../query/list-result.ts";
import { isLate } from "./conditions.ts";
import { jobLabel, jobOf } from "./job-of.ts";
import { readJobs } from "./read-observed.ts";
import type { ResolvedRule } from "./rule-index.ts";

const MAX_JOBS = 5;

/** Names the jobs of a rule that are late when it begins: they cause no event. */
export async function lateAlready({ rule, vehicleId }: ResolvedRule, context: FleetContext): Promise<string | undefined> {
  if (rule.when !== "jobLate") return undefined;
  try {
    const late = ((await readJobs(context)) as readonly Row[]).filter(
      (job) => isLate(job) && (vehicleId === undefined || jobOf(job).vehicleId === vehicleId),
    );
    const more = late.length - MAX_JOBS;
    const named = late.slice(0, MAX_JOBS).map(jobLabel).join(", ");
    return late.length === 0 ? undefined : `${named}${more > 0 ? ` and ${more} more` : ""}`;
  } catch (error) {
    // A list that cannot be read now is read again at the next poll.
    if (error instanceof FleetError && isTransient(error)) return undefined;
    throw error;
  }
}
