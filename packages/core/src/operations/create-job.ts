import * as z from "zod";
import { defineOperation } from "../define-operation.ts";
import type { Creation, Operation } from "../operation.ts";
import { JobCreation, JobRequest } from "../schemas/job.ts";
import type { CreateJobInput } from "./inputs.generated.ts";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Generates a unique job number: `FW-`, the UTC date, and ten random characters in Crockford's base 32 (50 bits). */
export function generateJobNumber(now: Date): string {
  const random = crypto.getRandomValues(new Uint8Array(10));
  const characters = Array.from(random, (byte) => CROCKFORD[byte & 31]).join("");
  return `FW-${now.toISOString().slice(0, 10).replaceAll("-", "")}-${characters}`;
}

export const createJob: Operation<CreateJobInput, Creation<JobCreation>> = defineOperation({
  name: "createJob",
  summary: "Create a job for a driver or a vehicle",
  source: "interface 4.4",
  method: "POST",
  path: "/jobs/job/create",
  servers: ["job"],
  auth: ["connect-token"],
  contentType: "application/json",
  query: { override: z.boolean().nullable().optional().describe("Defaults to true; the interface does not say what it overrides") },
  body: JobRequest.shape,
  rules: (job, refuse) => {
    if (job.jobNumber === "") refuse("jobNumber", "must not be empty; omit it to have one generated");
    if (job.lat !== undefined && job.lng === undefined) refuse("lng", "is required when lat is given");
    if (job.lng !== undefined && job.lat === undefined) refuse("lat", "is required when lng is given");
    const placed = (job.address ?? "").trim() !== "" || job.lat !== undefined || job.lng !== undefined;
    if (!placed) refuse("address", "is required unless lat and lng are given");
    if (job.linkingId !== undefined && job.linkedJobIndex !== undefined)
      refuse("linkedJobIndex", "must not be given together with linkingId");
  },
  output: JobCreation,
  effect: "create",
  idempotencyKey: { field: "jobNumber", outputPath: "job.jobNumber", generate: generateJobNumber, listedBy: "listJobs" },
  outcome: { id: "job.jobId", errors: "errors" },
  tool: {
    title: "Create job",
    description:
      "Create one job (a delivery or a piece of work) at an address or coordinates, for a vehicle or a driver. Cannot be undone here; call once per job.",
    toolset: "jobs",
    inputs: [
      "jobNumber",
      "jobTitle",
      "clientName",
      "accountNumber",
      "contactName",
      "contactEmail",
      "contactPhone",
      "notes",
      "address",
      "lat",
      "lng",
      "scheduledStartDateTime",
      "arrivalWindowStart",
      "arrivalWindowEnd",
      "jobDuration",
      "personId",
      "personName",
      "vehicleId",
      "vehicleName",
      "groupName",
      "orderNumbers",
      "status",
      "jobRadius",
      "primaryResource",
      "jobTypeId",
      "override",
    ],
    hints: {
      jobNumber: "Unique; generated if absent",
      clientName: "Account's customer",
      contactName: "Recipient",
      contactEmail: "Recipient's e-mail",
      contactPhone: "Recipient's phone",
      address: "Full address; required without lat, lng",
      lat: "Degrees north",
      lng: "Degrees east",
      scheduledStartDateTime: "UTC, such as 2026-11-20T08:30Z",
      arrivalWindowStart: "UTC, same format",
      arrivalWindowEnd: "UTC, same format",
      jobDuration: "Hours and minutes; format not stated",
      personId: "Driver's id",
      personName: "Driver; defaults to the default driver of vehicleName, if any",
      vehicleId: "Vehicle's id",
      vehicleName: "Vehicle; its default driver gets the job",
      groupName: "Group; root if absent",
      jobRadius: "Metres, default 200",
      primaryResource: "Assignee type",
      jobTypeId: "Job type's id",
      override: "Default true; effect unclear",
    },
  },
});
