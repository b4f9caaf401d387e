import * as z from "zod";
import { defineOperation } from "../define-operation.ts";
import type { Operation } from "../operation.ts";
import { FreeQuery } from "../schemas/free-query.ts";
import type { ListJobsInput } from "./inputs.generated.ts";

export const listJobs: Operation<ListJobsInput, unknown> = defineOperation({
  name: "listJobs",
  summary: "List jobs; only the path is documented",
  source: "interface 4.6",
  method: "GET",
  path: "/job-management/v1/customer/{customerId}/jobs",
  servers: ["apiHost"],
  auth: ["connect-token"],
  query: { query: FreeQuery.optional() },
  output: z.unknown(),
  undocumented: true,
  effect: "read",
  probe: () => ({}),
  tool: {
    title: "List jobs",
    description: "Jobs. Fields are undocumented, likely jobNumber, status.",
    toolset: "jobs",
    unlisted: ["query"],
    likely: {
      noun: ["job", "jobs"],
      example: "status=NEW",
      about: ["vehicle", "driver"],
      holdsFuture: true,
      takesPlace: [
        ["scheduledStartDateTime", "scheduledStartDateTime"],
        ["arrivalWindowStart", "arrivalWindowEnd"],
        ["actualStart", "actualEnd"],
      ],
    },
  },
});
