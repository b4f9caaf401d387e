import { Job, operations } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import { callRead, findRecords, type ToolContext } from "@fleetwire/tools/internal";

const shownFields = [
  "jobId",
  "jobNumber",
  "jobTitle",
  "address",
  "status",
  "vehicleId",
  "vehicleName",
  "personName",
  "arrivalWindowStart",
  "arrivalWindowEnd",
  "scheduledStartDateTime",
  "eta",
] as const satisfies readonly (keyof typeof Job.shape)[];

export type ConsoleJob = Pick<Job, (typeof shownFields)[number]>;

/** Reads the jobs. The fields of the response are undocumented (interface 4.6), so fields that do not look like those of a job are left out. */
export async function readJobs(context: ToolContext): Promise<ConsoleJob[]> {
  const { listJobs } = operations;
  const records = findRecords(await callRead(listJobs, {}, context), listJobs.path)?.records ?? [];
  return records.filter(isRecord).map((record) => {
    const shown = shownFields.flatMap((field) => {
      const { success, data } = Job.shape[field].safeParse(record[field]);
      return success && data !== undefined ? [[field, data]] : [];
    });
    return Object.fromEntries(shown) as ConsoleJob;
  });
}
