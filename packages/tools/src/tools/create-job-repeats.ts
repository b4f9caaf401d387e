import { operations } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable } from "../fleet/fleet-reader.ts";
import { distanceKm, pointOf } from "../places/geography.ts";
import { callRead } from "../query/call-read.ts";
import { findRecords } from "../query/find-records.ts";
import { singleLine } from "../text/clip-values.ts";
import { compact } from "../text/spelling.ts";

type Job = Readonly<Record<string, unknown>>;

/** Statuses of jobs that nobody has worked on. */
const OPEN = ["NEW", "ASSIGNED"];
/** Points this close are one place. */
const SAME_PLACE_KM = 0.1;
const MAX_NAMED = 3;

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? compact(value) : undefined);

/** Whether two values are the same; undefined if either is missing. */
const same = <Value>(of: (job: Job) => Value | undefined, a: Job, b: Job): boolean | undefined => {
  const [one, other] = [of(a), of(b)];
  return one === undefined || other === undefined ? undefined : one === other;
};

function isSamePlace(a: Job, b: Job): boolean {
  const address = same((job) => textOf(job["address"]), a, b);
  if (address !== undefined) return address;
  const [one, other] = [a, b].map(({ lat, lng }) => pointOf({ latitude: lat as number, longitude: lng as number }));
  return one !== undefined && other !== undefined && distanceKm(one, other) <= SAME_PLACE_KM;
}

/** Whether a job is at the same place, and neither its time nor its vehicle is another one. */
function isRepeated(a: Job, b: Job): boolean {
  const time = same((job) => parseDateTime(job["arrivalWindowStart"]) ?? parseDateTime(job["scheduledStartDateTime"]), a, b);
  const vehicle = same(({ vehicleId }) => vehicleId, a, b) ?? same((job) => textOf(job["vehicleName"]), a, b);
  return isSamePlace(a, b) && [time, vehicle].includes(true) && ![time, vehicle].includes(false);
}

/** Says if somebody may think that a new job changes an existing one: the interface can neither change nor cancel jobs. */
export function changesNoJob({ status }: Job): string[] {
  if (typeof status !== "string" || OPEN.includes(status)) return [];
  return [`Creates a new job that is ${status} from the start. It changes and cancels no existing job: the interface offers neither.`];
}

/** Names listed jobs that a new one repeats. Says nothing if the jobs cannot be read. */
export async function repeatedJobs(job: Job, context: FleetContext): Promise<string[]> {
  const { listJobs } = operations;
  const response = await ifReadable(() => callRead(listJobs, {}, context));
  const repeated = (findRecords(response, listJobs.path)?.records ?? []).filter((listed) => isRepeated(job, listed));
  if (repeated.length === 0) return [];
  const named = repeated.slice(0, MAX_NAMED).map(({ jobNumber, jobId, status }) => {
    const name = singleLine(String(jobNumber ?? jobId ?? "without a number"), 60);
    return typeof status === "string" ? `${name} (${singleLine(status, 30)})` : name;
  });
  const more = repeated.length > MAX_NAMED ? ` and ${repeated.length - MAX_NAMED} more` : "";
  return [`Same place, time or vehicle as the existing job ${named.join(", ")}${more}, which stays as it is.`];
}
