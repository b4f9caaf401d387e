import { FleetError, operations } from "@fleetwire/core";
import { isTransient, parseDateTime } from "@fleetwire/core/internal";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { Row } from "../query/list-result.ts";
import { callRead, findRecords } from "../query/read-records.ts";
import { singleLine } from "../text/clip-values.ts";
import type { Reading } from "./place-areas.ts";

const ENDED = new Set(["VISITED", "CANCELLED", "MISSED", "INCOMPLETE"]);
const MAX_NAMED = 5;

/** Reads the jobs, whatever the list looks like. */
export async function readJobs(context: FleetContext): Promise<readonly Row[]> {
  const { listJobs } = operations;
  return findRecords(await callRead(listJobs, {}, context), listJobs.path)?.records ?? [];
}

/** What identifies a job, and its vehicle. Some services send numbers. */
export function jobOf(job: Row): { id: string | undefined; number: string | undefined; vehicleId: string | undefined } {
  const [id, number, vehicleId] = [job["jobId"], job["jobNumber"], job["vehicleId"]].map((value) =>
    (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined,
  );
  return { id, number, vehicleId };
}

export function jobLabel(job: Row): string {
  const { id, number } = jobOf(job);
  return `Job ${singleLine(number ?? id ?? "without a number", 60)}`;
}

/** Whether a job is expected after its arrival window. */
export function isLate(job: Row): Reading {
  const [eta, end] = [parseDateTime(job["eta"]), parseDateTime(job["arrivalWindowEnd"])];
  if (eta === undefined || end === undefined || ENDED.has(String(job["status"]))) return undefined;
  return eta > end;
}

/** Names the jobs of a rule that are late when it begins: they cause no event. */
export async function lateAlready(
  { rule, vehicleId }: { rule: { when: string }; vehicleId?: string | undefined },
  context: FleetContext,
): Promise<string | undefined> {
  if (rule.when !== "jobLate") return undefined;
  try {
    const late = (await readJobs(context)).filter((job) => isLate(job) && (vehicleId === undefined || jobOf(job).vehicleId === vehicleId));
    const named = late.slice(0, MAX_NAMED).map(jobLabel).join(", ");
    const more = late.length - MAX_NAMED;
    return late.length === 0 ? undefined : `${named}${more > 0 ? ` and ${more} more` : ""}`;
  } catch (error) {
    // A list that cannot be read now is read again at the next poll.
    if (error instanceof FleetError && isTransient(error)) return undefined;
    throw error;
  }
}
